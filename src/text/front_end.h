#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "text/symbol_table.h"

namespace xtts::config {
struct Config;
}

namespace xtts::text {

// Characters (code points) of one utterance; a longer text is a fault.
inline constexpr std::size_t kMaxTextCharacters = 4096;

struct TextSettings {
  std::string language = "en";
  bool use_phonemes = true;
  std::string phoneme_language = {};  // an espeak-ng voice; empty: the one of `language`
  bool add_blank = false;
  std::vector<std::string> text_cleaners = {"english_cleaners"};
  // True: a text that is mostly in Persian letters is a fault where the language is English,
  // because the setting is probably wrong. False: what is left of it is spoken.
  bool refuse_foreign = true;
};

// The text settings of a configuration. The English default cleaner follows another language that
// has its own: language "fa" with {"english_cleaners"} gives {"persian_cleaners"}.
TextSettings text_settings_of(const config::Config& config);

// What each stage made of one text.
struct TextStages {
  std::string raw;
  std::string normalised;
  std::string phonemes;              // with punctuation; empty when graphemes are used
  std::vector<std::string> symbols;  // one per id, "_" for the blank
  std::vector<std::int64_t> ids;
  std::vector<std::string> dropped;  // characters that nothing speaks, each once
  std::string fault;                 // why this text cannot be spoken; empty when it can
};

// Text to symbol ids: clean, normalise, phonemise or keep the letters, encode.
//
// A text that cannot be spoken (not UTF-8, NUL, too long, nothing left to say, the phonemiser
// failed on it) is a fault in its TextStages and never an exception. All methods are thread-safe.
class FrontEnd {
 public:
  // Throws UsageError on an unknown cleaner or espeak-ng voice (with the nearest one) and
  // UserError when phonemes are wanted and espeak-ng is not installed.
  explicit FrontEnd(TextSettings settings);
  ~FrontEnd();

  // Somebody is about to speak: what the first text would wait for is started now.
  void warm_up();

  TextStages run(const std::string& text);

  // The same for many texts, in their order, whatever `num_workers` is; many pieces share one
  // espeak-ng process. `on_done(n)` is told that n more texts are done, from any worker.
  std::vector<TextStages> run_all(std::span<const std::string> texts,
                                  int num_workers,
                                  const std::function<void(std::size_t)>& on_done = {});

  const SymbolTable& symbols() const;
  const TextSettings& settings() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace xtts::text
