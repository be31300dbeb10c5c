#include "corpus/demo_voice.h"

#include <algorithm>
#include <cstdint>
#include <set>

#include <fmt/ranges.h>

#include "audio/decode.h"
#include "audio/wav.h"
#include "base/error.h"
#include "base/nearest.h"
#include "base/subprocess.h"

namespace myxtts::corpus {
namespace {

constexpr std::chrono::seconds kTimeout{30};  // flite takes 20 ms per second of speech
constexpr std::size_t kMaxOutputBytes = std::size_t{32} << 20U;
constexpr double kMaxSeconds = 600.0;
constexpr std::size_t kRiffSizeOffset = 4;
constexpr std::size_t kDataSizeOffset = 40;
constexpr std::size_t kHeaderBytes = 44;

// "fa-f2" is espeak-ng's voice fa+f2, without the plus sign for file names.
std::string espeak_name(std::string voice) {
  std::ranges::replace(voice, '-', '+');
  return voice;
}

base::ChildCommand command_of(std::string_view language,
                              const std::string& voice,
                              const std::string& text) {
  base::ChildCommand command;
  command.timeout = kTimeout;
  command.max_output_bytes = kMaxOutputBytes;
  if (language == "en") {
    command.argv = {"flite", "-voice", voice, "-o", "/dev/stdout", "-t", text};
  } else {
    command.argv = {"espeak-ng", "-v", espeak_name(voice), "-b", "1", "--stdin", "--stdout"};
    command.input = text + "\n";
  }
  return command;
}

void write_size(std::string& wav, std::size_t at, std::size_t size) {
  for (std::size_t i = 0; i < 4; ++i)
    wav[at + i] = static_cast<char>(size >> (8 * i) & 0xFFU);
}

// espeak-ng writes the header first, with a size of 2 GiB. This sets the real sizes.
void repair_streamed_header(std::string& wav) {
  if (wav.size() < kHeaderBytes || wav.compare(kDataSizeOffset - 4, 4, "data") != 0) return;
  write_size(wav, kRiffSizeOffset, wav.size() - 8);
  write_size(wav, kDataSizeOffset, wav.size() - kHeaderBytes);
}

void require_installed(std::string_view program) {
  require(base::program_exists(program),
          "{0} is required for the demo corpus and is not installed: sudo apt-get install -y {0}",
          program);
}

// flite uses another voice without an error if it does not have the requested one.
void require_flite_voices(const std::vector<std::string>& voices) {
  const base::ChildResult listed =
      base::run_child({.argv = {"flite", "-lv"}, .input = {}, .timeout = kTimeout});
  require(listed.ok(), "flite -lv failed: {}; is flite installed properly?", listed.message());
  for (const std::string& voice : voices) {
    require(listed.output.find(" " + voice + " ") != std::string::npos,
            "the installed flite has no voice '{}' (flite -lv lists: {}); install Debian's flite",
            voice,
            listed.output.substr(0, listed.output.find('\n')));
  }
}

}  // namespace

const std::vector<std::string>& demo_voices(std::string_view language) {
  static const std::vector<std::string> english = {"rms", "slt", "awb", "kal16"};
  static const std::vector<std::string> persian = {"fa", "fa-f2", "fa-m3", "fa-f4"};
  require_usage(language == "en" || language == "fa",
                "--language {}: the demo corpus supports en (flite) and fa (espeak-ng)",
                language);
  return language == "en" ? english : persian;
}

void require_demo_voices(std::string_view language, const std::vector<std::string>& voices) {
  const std::vector<std::string>& known = demo_voices(language);
  require_usage(!voices.empty(), "--voices: expected at least one of {}", fmt::join(known, ", "));
  std::set<std::string> seen;
  for (const std::string& voice : voices) {
    require_usage(std::ranges::find(known, voice) != known.end(),
                  "no voice '{}' for language {}; known: {}{}",
                  voice,
                  language,
                  fmt::join(known, ", "),
                  base::did_you_mean(voice, known));
    require_usage(seen.insert(voice).second, "--voices: '{}' is given twice", voice);
  }
  require_installed(language == "en" ? "flite" : "espeak-ng");
  if (language == "en") require_flite_voices(voices);
}

std::string synthesise_demo(std::string_view language,
                            const std::string& voice,
                            const std::string& text) {
  const base::ChildCommand command = command_of(language, voice, text);
  base::ChildResult result = base::run_child(command);
  require(result.ok(),
          "{} -voice {} failed on \"{}\": {}; remove this sentence",
          command.argv.front(),
          voice,
          text,
          result.message());
  repair_streamed_header(result.output);
  const audio::DecodeResult decoded = audio::decode(result.output, kMaxSeconds);
  require(decoded.ok() && !decoded.clip.samples.empty(),
          "{} gave no usable audio for \"{}\": {} {}; check that the text has words",
          command.argv.front(),
          text,
          audio::name_of(decoded.fault),
          decoded.detail);
  return audio::wav_bytes(decoded.clip.samples, decoded.clip.sample_rate);
}

}  // namespace myxtts::corpus
