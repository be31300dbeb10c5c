// Text front end: converts text to symbol ids.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "text/symbol_table.h"

namespace myxtts::config {
struct Config;
}

namespace myxtts::text {

// Maximum number of code points of an utterance; a longer text is a fault.
inline constexpr std::size_t kMaxTextCharacters = 4096;

struct TextSettings {
  std::string language = "en";
  bool use_phonemes = true;
  std::string phoneme_language = {};  // espeak-ng voice; if empty, the voice of `language`
  bool add_blank = false;
  std::vector<std::string> text_cleaners = {"english_cleaners"};
  // True: a text mostly in Persian letters is a fault if the language is English, because the
  // setting is probably wrong. False: the remaining characters are spoken.
  bool refuse_foreign = true;
};

// Returns the text settings of a configuration. The default cleaner follows the language: language
// "fa" with {"english_cleaners"} gives {"persian_cleaners"}.
TextSettings text_settings_of(const config::Config& config);

// Output of each stage of the front end for one text.
struct TextStages {
  std::string raw;
  std::string normalised;
  std::string phonemes;              // with punctuation; empty if graphemes are used
  std::vector<std::string> symbols;  // one per id, "_" for the blank
  std::vector<std::int64_t> ids;
  std::vector<std::string> dropped;  // characters without a symbol, each once
  std::string fault;                 // why this text cannot be spoken; empty on success
};

// Converts text to symbol ids: cleans, normalises, phonemises (or keeps graphemes) and encodes it.
//
// A text that cannot be spoken (not UTF-8, NUL, too long, no speakable character, phonemiser
// failure) gets a fault in its TextStages, never an exception. All methods are thread-safe.
class FrontEnd {
 public:
  // Throws UsageError with the nearest name for an unknown cleaner or espeak-ng voice, and
  // UserError if phonemes are enabled and espeak-ng is not installed.
  explicit FrontEnd(TextSettings settings);
  ~FrontEnd();

  // Starts the phonemiser process ahead of the first text.
  void warm_up();

  TextStages run(const std::string& text);

  // Runs many texts; results are in input order for any `num_workers`. Texts share espeak-ng
  // processes. Calls `on_done(n)` on a worker thread after n more texts.
  std::vector<TextStages> run_all(std::span<const std::string> texts,
                                  int num_workers,
                                  const std::function<void(std::size_t)>& on_done = {});

  const SymbolTable& symbols() const;
  const TextSettings& settings() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace myxtts::text
