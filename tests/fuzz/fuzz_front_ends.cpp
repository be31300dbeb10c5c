// Feeds corrupted audio files, metadata, configurations, checkpoints and texts to their parsers.
//
//   fuzz_front_ends COUNT [SEED]       runs COUNT cases
//   fuzz_front_ends --case N [SEED]    repeats one case
//
// Exit code 0 if no case crashed, hung or used too much memory.
// Each case is a pure function of (SEED, N). A crash ends the program with the sanitizer's report.

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include "audio/decode.h"
#include "audio/mel.h"
#include "audio/prepare.h"
#include "base/error.h"
#include "base/random.h"
#include "base/utf8.h"
#include "checkpoint/manifest.h"
#include "checkpoint/safetensors.h"
#include "config/resolve.h"
#include "corpus/metadata.h"
#include "fuzz/allocation_watch.h"
#include "fuzz/mutate.h"
#include "fuzz/seeds.h"
#include "synthesis/sentences.h"
#include "text/front_end.h"
#include "text/normalise_english.h"
#include "text/normalise_persian.h"
#include "text/pieces.h"

namespace myxtts::fuzz {
namespace {

constexpr unsigned kHangSeconds = 20;
constexpr std::size_t kFactor = 4;  // allowed heap bytes per input byte, in addition to the limit
constexpr double kMaxSeconds = 30.0;
constexpr long kRound = 11;

struct Kind {
  const char* name;  // seeds the mutations, so a new name gives other cases
  int share;         // of kRound cases
  std::vector<std::string> seeds;
  void (*feed)(const std::string& bytes);
  std::size_t limit_bytes;         // allowed heap bytes beyond kFactor times the input
  std::size_t largest_excess = 0;  // maximum of heap bytes beyond kFactor times the input
};

void feed_audio(const std::string& bytes) {
  const audio::DecodeResult decoded = audio::decode(bytes, kMaxSeconds);
  invariant(decoded.ok() == decoded.detail.empty(), "a fault has a detail");
  if (!decoded.ok()) return;
  invariant(!decoded.clip.samples.empty(), "a good recording has samples");
  invariant(std::ranges::all_of(decoded.clip.samples, [](float s) { return std::isfinite(s); }),
            "samples are finite");
  static const audio::MelSpec spec;
  static const audio::ReferenceMel extractor(spec);
  const std::vector<float> samples = audio::prepare(decoded.clip, spec);
  if (samples.size() < 100000) extractor.log_mel(samples);
}

void feed_metadata(const std::string& bytes) {
  using corpus::Layout;
  corpus::parse_metadata(bytes, corpus::detect_layout(bytes));
  for (const Layout layout :
       {Layout::kLjspeech, Layout::kPiper, Layout::kHuggingFaceCsv, Layout::kHuggingFaceJsonl}) {
    corpus::parse_metadata(bytes, layout);
  }
}

void feed_yaml(const std::string& bytes) {
  try {
    config::parse_yaml(bytes, "fuzz.yaml");
  } catch (const UsageError&) {  // the only allowed exception
  }
}

void feed_checkpoint(const std::string& bytes) {
  try {
    const checkpoint::TensorFile file = checkpoint::parse_safetensors(bytes, "fuzz.safetensors");
    std::size_t held = 0;
    for (const checkpoint::TensorView& tensor : file.tensors)
      held += tensor.bytes.size();
    invariant(held < bytes.size(), "tensors are a part of their file");
  } catch (const UserError&) {  // the only allowed exception
  }
  try {
    checkpoint::parse_manifest(bytes, "manifest.json");
  } catch (const UserError&) {
  }
}

// Maps arbitrary bytes to characters of all Unicode planes, two bytes per character.
std::string as_characters(const std::string& bytes) {
  std::u32string text;
  for (std::size_t i = 0; i + 2 < bytes.size(); i += 2) {
    char32_t c = 0;
    for (std::size_t k = 0; k < 2; ++k)
      c = c * 256 + static_cast<unsigned char>(bytes[i + k]);
    if (bytes[i + 2] % 8 == 0) c += 0x10000U * (1U + static_cast<unsigned char>(bytes[i]) % 16U);
    if (c < 0xD800 || c > 0xDFFF) text.push_back(c);
  }
  return base::encode_utf8(text);
}

std::size_t num_visible_characters(std::string_view utf8) {
  return static_cast<std::size_t>(std::ranges::count_if(base::decode_utf8(utf8), [](char32_t c) {
    return c > 0x20 && c != 0xA0 && c != 0x3000 && c != 0xFEFF && (c < 0x2000 || c > 0x200A) &&
           c != 0x2028 && c != 0x2029;
  }));
}

// What speaking does to a text before a model sees it, in letters: a child per case is too slow.
void feed_sentences(const std::string& utf8) {
  static text::FrontEnd english({.use_phonemes = false, .refuse_foreign = false});
  static text::FrontEnd persian(
      {.language = "fa", .use_phonemes = false, .text_cleaners = {"persian_cleaners"}});
  const std::vector<synthesis::Piece> pieces = synthesis::split_sentences(utf8, 160);
  std::size_t num_visible = 0;
  for (const synthesis::Piece& piece : pieces) {
    num_visible += num_visible_characters(piece.text);
    text::split_at_punctuation(piece.text);
    for (text::FrontEnd* front_end : {&english, &persian}) {
      const text::TextStages stages = front_end->run(piece.text);
      invariant(stages.fault.empty() == !stages.ids.empty(), "a piece has symbols or a fault");
      invariant(stages.ids.size() == stages.symbols.size(), "a symbol has one id");
    }
  }
  invariant(num_visible == num_visible_characters(utf8), "no character is lost between pieces");
}

void feed_text(const std::string& bytes) {
  const std::string utf8 = base::is_utf8(bytes) ? bytes : as_characters(bytes);
  text::DroppedCharacters dropped;
  text::normalise_english(utf8, dropped);
  text::normalise_persian(utf8, dropped);
  constexpr std::size_t kMaxTextBytes = 4096;  // the limit of `speak`
  if (utf8.size() <= kMaxTextBytes) feed_sentences(utf8);
}

volatile sig_atomic_t current_case = 0;

// A signal handler: no allocation, no lock.
void report_hang(int /*signal*/) {
  std::array<char, 64> digits{};
  const auto end = std::to_chars(digits.begin(), digits.end(), static_cast<long>(current_case)).ptr;
  constexpr std::string_view kMessage = "fuzz_front_ends: hangs in case ";
  static_cast<void>(!::write(STDERR_FILENO, kMessage.data(), kMessage.size()));
  static_cast<void>(
      !::write(STDERR_FILENO, digits.data(), static_cast<std::size_t>(end - digits.begin())));
  static_cast<void>(!::write(STDERR_FILENO, "\n", 1));
  ::_exit(1);
}

Kind& kind_of(std::vector<Kind>& kinds, long index) {
  long remainder = index % kRound;
  for (Kind& kind : kinds) {
    if (remainder < kind.share) return kind;
    remainder -= kind.share;
  }
  return kinds.back();
}

// Returns true if the case stayed within its memory limit.
bool run_case(std::vector<Kind>& kinds, std::uint64_t seed, long index) {
  Kind& kind = kind_of(kinds, index);
  base::Random random(base::mix_seed(seed, kind.name, static_cast<std::uint64_t>(index)));
  const std::string bytes = mutate(kind.seeds, random);
  current_case = static_cast<sig_atomic_t>(index);

  ::alarm(kHangSeconds);
  reset_peak();
  kind.feed(bytes);
  const std::size_t held = peak_bytes();
  ::alarm(0);

  const std::size_t allowed = kFactor * bytes.size();
  kind.largest_excess = std::max(kind.largest_excess, held - std::min(held, allowed));
  if (held <= allowed + kind.limit_bytes) return true;
  fmt::print(stderr,
             "fuzz_front_ends: case {} ({}): held {} bytes for an input of {}\n",
             index,
             kind.name,
             held,
             bytes.size());
  return false;
}

int run(long first, long last, std::uint64_t seed) {
  // A short compressed file may decode to 30 s at 48 kHz, with a resampled copy and decoder tables.
  // Metadata may have a hundred thousand short lines with one problem each.
  constexpr std::size_t kMiB = std::size_t{1} << 20U;
  std::vector<Kind> kinds = {{"audio", 4, audio_seeds(), feed_audio, 32 * kMiB},
                             {"metadata", 4, metadata_seeds(), feed_metadata, 64 * kMiB},
                             {"yaml", 1, yaml_seeds(), feed_yaml, 16 * kMiB},
                             {"checkpoint", 1, checkpoint_seeds(), feed_checkpoint, 16 * kMiB},
                             {"text", 1, text_seeds(), feed_text, 32 * kMiB}};
  ::signal(SIGALRM, report_hang);
  start_watching_allocations();

  long failed = 0;
  for (long i = first; i < last; ++i) {
    try {
      if (!run_case(kinds, seed, i)) ++failed;
    } catch (const std::exception& error) {
      fmt::print(stderr,
                 "fuzz_front_ends: case {} ({}) threw: {}\n",
                 i,
                 kind_of(kinds, i).name,
                 error.what());
      ++failed;
    }
  }
  for (const Kind& kind : kinds) {
    fmt::print("{}: held at most {} bytes beyond {} x its input\n",
               kind.name,
               kind.largest_excess,
               kFactor);
  }
  fmt::print("seed {}: {} passed, {} failed\n", seed, last - first - failed, failed);
  return failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace myxtts::fuzz

int main(int argc, char** argv) {
  const bool one = argc > 2 && std::strcmp(argv[1], "--case") == 0;
  const int at = one ? 2 : 1;
  const long number = argc > at ? std::strtol(argv[at], nullptr, 10) : 0;
  const auto seed =
      static_cast<std::uint64_t>(argc > at + 1 ? std::strtol(argv[at + 1], nullptr, 10) : 1);
  if (number < (one ? 0 : 1)) {
    std::fputs("usage: fuzz_front_ends COUNT [SEED] | --case N [SEED]\n", stderr);
    return 2;
  }
  return myxtts::fuzz::run(one ? number : 0, one ? number + 1 : number, seed);
}
