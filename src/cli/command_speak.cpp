// myxtts speak: synthesises speech from text with a trained speaker or a reference recording.

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "audio/wav.h"
#include "base/child_process.h"
#include "base/error.h"
#include "base/format.h"
#include "base/terminal.h"
#include "cli/commands.h"
#include "cli/output_style.h"
#include "cli/speak_tasks.h"
#include "cli/torch_library.h"
#include "config/training_config.h"
#include "synthesis/postfilter.h"
#include "synthesis/speak_request.h"
#include "synthesis/synthesis_settings.h"

namespace myxtts::cli {
namespace {

constexpr const char* kSpeakExamples = R"(
--out NAME.wav writes one file; any other name is a folder for 0001.wav, 0002.wav, ..., one per
non-blank line. Texts are synthesised sentence by sentence. Without --speaker or --reference the
first speaker of the training corpus is used. The vocoder in RUN/vocoder is used if it exists;
--vocoder names another one. The real-time factor is synthesis time per second of audio; below 1 is
faster than playback. --stream writes raw 16-bit samples without a header to standard output while
they are computed, at the sample rate of the voice and without loudness normalisation.

Examples:
  myxtts speak --checkpoint runs/voice --text 'Good morning.' --out speech.wav
  myxtts speak --checkpoint runs/voice --text 'Good morning.' --reference clip.wav --out speech.wav
  myxtts speak --checkpoint runs/voice --text-file lines.txt --speed 1.2 --out speech
  myxtts speak --checkpoint runs/voice --vocoder runs/vocoder --text 'With a vocoder.' --out speech.wav
  myxtts speak --checkpoint runs/voice --text 'As loud as a podcast.' --loudness -16 --out speech.wav
  myxtts speak --checkpoint runs/voice --text 'Low latency.' --stream | aplay -f S16_LE -r 22050
  echo 'Read from a pipe.' | myxtts speak --checkpoint runs/voice --text-file - --out speech --json)";

struct SpeakArgs {
  std::string text, text_file;
  std::string out;
  std::string loudness = "-23";
  std::string precision = "fp32";
  std::int64_t seed = 1;
  synthesis::SpeakRequest request;
  bool json = false;
  bool stream = false;
};

// Returns LUFS, or nullopt for "off".
std::optional<double> parse_loudness(const std::string& value) {
  if (value == "off") return std::nullopt;
  double lufs = 0.0;
  const char* const end = value.data() + value.size();
  const auto parsed = std::from_chars(value.data(), end, lufs);
  require_usage(parsed.ec == std::errc{} && parsed.ptr == end &&
                    lufs >= synthesis::kMinLoudnessLufs && lufs <= synthesis::kMaxLoudnessLufs,
                "--loudness {}: expected {} to {} LUFS, or off",
                value,
                synthesis::kMinLoudnessLufs,
                synthesis::kMaxLoudnessLufs);
  return lufs;
}

// Checks the arguments before LibTorch is loaded.
void check_speak(const SpeakArgs& args) {
  const synthesis::SpeakRequest& request = args.request;
  // CLI::Range would accept "nan".
  require_usage(request.speed >= synthesis::kMinSpeed && request.speed <= synthesis::kMaxSpeed,
                "--speed {}: expected {} to {}",
                request.speed,
                synthesis::kMinSpeed,
                synthesis::kMaxSpeed);
  const double postfilter = request.postfilter.value_or(0.0);
  require_usage(postfilter >= 0.0 && postfilter <= synthesis::kMaxPostfilter,
                "--postfilter {}: expected 0 to {}",
                postfilter,
                synthesis::kMaxPostfilter);
  require_usage(args.seed >= 0, "--seed {}: expected 0 or more", args.seed);
  require_usage(args.stream || !args.out.empty(),
                "--out is empty; expected a .wav file or a folder");
  require_usage(!args.stream || isatty(STDOUT_FILENO) == 0,
                "--stream writes raw samples, and standard output is a terminal; redirect it to a "
                "player or a file: --stream | aplay -f S16_LE -r 22050");
  require_voice(request);
}

std::vector<synthesis::SpeakTask> tasks_of(const SpeakArgs& args) {
  std::vector<synthesis::SpeakTask> tasks;
  if (args.text_file.empty()) {
    if (args.text.find_first_not_of(" \t\r\n") != std::string::npos) {
      tasks.push_back({.text = args.text, .line = 0, .out = {}});
    }
  } else {
    tasks = tasks_of_lines(read_text_file(args.text_file));
  }
  require_usage(!tasks.empty(), "the text is empty; expected at least one word");
  if (!args.stream) assign_output_files(tasks, args.out, args.request.reference);
  return tasks;
}

nlohmann::ordered_json number_or_null(std::optional<double> value) {
  if (!value || !std::isfinite(*value)) return nullptr;
  return *value;
}

nlohmann::ordered_json file_json(const synthesis::SpokenFile& file) {
  nlohmann::ordered_json row = {
      {"path", file.path},
      {"audio_s", file.audio_s},
      {"wall_s", file.wall_s},
      {"loudness_lufs", number_or_null(file.stats.loudness_lufs)},
      {"peak_dbfs", number_or_null(file.stats.peak_dbfs)},
      {"flatness_db", number_or_null(file.stats.flatness_db)},
      {"relative_flatness_db", number_or_null(file.stats.relative_flatness_db)},
      {"level_std_db", number_or_null(file.stats.level_std_db)},
      {"like_recordings", nullptr},
      {"dropped", file.dropped},
      {"skipped", nlohmann::json::array()}};
  if (file.like_recordings) row["like_recordings"] = *file.like_recordings;
  for (const synthesis::UnspokenSentence& sentence : file.skipped)
    row["skipped"].push_back({{"text", sentence.text}, {"fault", sentence.fault}});
  return row;
}

void print_speak_json(const synthesis::SpeakResult& result) {
  nlohmann::ordered_json report = {{"files", nlohmann::json::array()},
                                   {"real_time_factor", nullptr},
                                   {"unspoken", nlohmann::json::array()},
                                   {"save", result.checkpoint},
                                   {"speaker", result.speaker},
                                   {"vocoder", result.vocoder}};
  for (const synthesis::SpokenFile& file : result.files)
    report["files"].push_back(file_json(file));
  if (!result.files.empty()) report["real_time_factor"] = result.real_time_factor();
  for (const synthesis::UnspokenText& text : result.unspoken) {
    report["unspoken"].push_back(
        {{"line", text.line}, {"fault", text.fault}, {"dropped", text.dropped}});
  }
  // File names may be invalid UTF-8, which JSON cannot hold.
  fmt::print("{}\n", report.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

void print_file(const synthesis::SpokenFile& file) {
  fmt::print("{}  {:.2f} s of audio in {:.2f} s\n", file.path, file.audio_s, file.wall_s);
  std::fflush(stdout);  // show each file as soon as it is written
}

void print_total(const synthesis::SpeakResult& result) {
  double audio_s = 0.0;
  double wall_s = 0.0;
  for (const synthesis::SpokenFile& file : result.files) {
    audio_s += file.audio_s;
    wall_s += file.wall_s;
  }
  fmt::print("{}, {:.2f} s of audio in {:.2f} s, real-time factor {:.3f}, vocoder {}\n",
             base::format_count(result.files.size(), "file"),
             audio_s,
             wall_s,
             result.real_time_factor(),
             result.vocoder);
}

void write_samples(std::span<const float> samples, int /*sample_rate*/) {
  const std::string bytes = audio::pcm16_bytes(samples);
  const base::SigpipeBlock sigpipe_blocked;
  const bool written = std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size() &&
                       std::fflush(stdout) == 0;  // do not delay the stream
  const int reason = errno;
  require(written,
          "cannot write to standard output: {}{}",
          strerror(reason),
          reason == EPIPE ? "; the reader has closed the pipe" : "");
}

void run_speak(SpeakArgs& args) {
  args.request.in_bf16 = synthesis::is_bf16(args.precision);
  check_speak(args);
  args.request.seed = static_cast<std::uint64_t>(args.seed);
  args.request.loudness_lufs = parse_loudness(args.loudness);
  args.request.tasks = tasks_of(args);
  args.request.num_threads = config::threads_of({});
  const api::TorchCommands& torch = torch_commands(args.request.num_threads);
  if (!args.json) args.request.on_file = print_file;
  if (args.stream) args.request.on_samples = write_samples;

  const synthesis::SpeakResult result = torch.speak(args.request);
  if (args.json) {
    print_speak_json(result);
  } else if (!result.files.empty()) {
    print_total(result);
  }
  log_unspoken(result, args.text_file);
  if (!result.unspoken.empty()) throw ProblemsFound();  // exit code 1; already reported
  if (!args.stream) base::log("Next: listen to {}\n", result.files.front().path);
}

}  // namespace

void add_speak_command(CLI::App& app) {
  auto args = std::make_shared<SpeakArgs>();
  synthesis::SpeakRequest& request = args->request;
  CLI::App* command = app.add_subcommand("speak", "Synthesise speech from text");
  command->footer(kSpeakExamples);
  command->add_option("--checkpoint", request.checkpoint, "Run folder or checkpoint")
      ->type_name("DIR")
      ->required();
  CLI::Option* text = command->add_option("--text", args->text, "Text to synthesise");
  CLI::Option* file =
      command
          ->add_option(
              "--text-file", args->text_file, "Text file, one text per line; '-': standard input")
          ->type_name("FILE");
  text->excludes(file);
  CLI::Option* out =
      command->add_option("--out", args->out, "Output WAV file, or folder for one file per text")
          ->type_name("FILE|DIR");
  CLI::Option* speaker =
      command->add_option("--speaker", request.speaker, "Speaker of the training corpus")
          ->type_name("NAME");
  command->add_option("--reference", request.reference, "Reference recording of the voice to clone")
      ->type_name("FILE")
      ->excludes(speaker);
  command
      ->add_option(
          "--vocoder",
          request.vocoder,
          "Vocoder run or griffin-lim; default: RUN/vocoder if it exists, else griffin-lim")
      ->type_name("DIR");
  command->add_option("--speed", request.speed, "Speaking rate, 0.5 to 2")->capture_default_str();
  CLI::Option* loudness =
      command
          ->add_option(
              "--loudness", args->loudness, "Loudness of each file in LUFS, -60 to -5, or off")
          ->type_name("X|off")
          ->capture_default_str();
  command->add_option("--postfilter",
                      request.postfilter,
                      "Postfilter strength, 0 to 2; default 0.3, with a flow decoder 0");
  command->add_option("--seed", args->seed, "Random seed of Griffin-Lim phases and flow noise")
      ->capture_default_str();
  command
      ->add_option(
          "--precision", args->precision, "Compute precision; bf16 is faster on some processors")
      ->type_name("fp32|bf16")
      ->capture_default_str();
  CLI::Option* json =
      command->add_flag("--json", args->json, "Print one JSON object instead of text");
  command->add_flag("--stream", args->stream, "Stream raw 16-bit samples to standard output")
      ->excludes(out, loudness, json);
  command->callback([args, text, file, out] {
    require_usage(args->stream || out->count() > 0,
                  "no output; add --out FILE.wav, --out DIR or --stream");
    require_usage(text->count() + file->count() > 0, "no text; add --text or --text-file");
    run_speak(*args);
  });
}

}  // namespace myxtts::cli
