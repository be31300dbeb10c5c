#include "text/front_end.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/parallel.h"
#include "base/utf8.h"
#include "config/config.h"
#include "text/cleaners.h"
#include "text/letters_persian.h"
#include "text/phonemiser.h"
#include "text/pieces.h"
#include "text/reading.h"

namespace myxtts::text {
namespace {

// Texts per espeak-ng process: large enough to amortise its start, small enough for a smooth
// progress bar.
constexpr std::size_t kTextsPerChild = 32;

constexpr const char* kNothingSpeakable = "no speakable text; add some words";

std::string screening_fault(const std::string& text) {
  if (!base::is_utf8(text)) return "not UTF-8; convert the file with 'iconv -t UTF-8'";
  if (text.find('\0') != std::string::npos) return "has a NUL character; remove it";
  const std::size_t num_characters = base::display_width(text);
  if (num_characters <= kMaxTextCharacters) return "";
  return fmt::format("has {} characters, at most {} are allowed; split it into sentences",
                     num_characters,
                     kMaxTextCharacters);
}

bool is_english(std::string_view language) {
  return language == "en" || language.starts_with("en-");
}

bool speaks_english(const TextSettings& settings) {
  return is_english(settings.language) &&
         (settings.phoneme_language.empty() || settings.phoneme_language.starts_with("en"));
}

// True if most letters are Arabic, of which English cleaners would leave little.
bool is_mostly_arabic(std::string_view utf8) {
  std::size_t num_arabic = 0;
  std::size_t num_letters = 0;
  for (const char32_t c : base::decode_utf8(utf8)) {
    if (is_letter(c)) ++num_letters;
    if (is_arabic_letter(c)) ++num_arabic;
  }
  return 2 * num_arabic > num_letters;
}

bool has_speakable(std::string_view utf8) {
  const std::u32string symbols = base::decode_utf8(utf8);
  return std::ranges::any_of(symbols, is_speakable);
}

// Replaces accented letters that are not in the table by their parts that are, so that e-acute
// becomes "e". A letter without such parts stays, and encode() reports it.
std::string fold_to_table(std::string_view utf8, const SymbolTable& table) {
  std::u32string folded;
  for (const char32_t c : base::decode_utf8(utf8)) {
    std::u32string parts;
    if (!table.contains(c)) {
      for (const char32_t part : decompose(c)) {
        if (table.contains(part)) parts.push_back(part);
      }
    }
    if (parts.empty()) parts.push_back(c);
    folded += parts;
  }
  return base::encode_utf8(folded);
}

void add_unseen(std::vector<std::string>& list, const std::vector<std::string>& more) {
  for (const std::string& item : more) {
    if (std::ranges::count(list, item) == 0) list.push_back(item);
  }
}

void encode(TextStages& stages, const std::string& spoken, const SymbolTable& table, bool blank) {
  Encoded encoded = table.encode(fold_to_table(spoken, table), blank);
  add_unseen(stages.dropped, encoded.unknown);
  const bool any = std::ranges::any_of(encoded.symbols, [](const std::string& symbol) {
    return symbol != "_" && has_speakable(symbol);
  });
  if (!any) {
    stages.fault = kNothingSpeakable;
    return;
  }
  stages.symbols = std::move(encoded.symbols);
  stages.ids = std::move(encoded.ids);
}

std::vector<std::string> cleaners_for(const std::string& language,
                                      std::vector<std::string> cleaners) {
  const bool is_default = cleaners == std::vector<std::string>{"english_cleaners"};
  if (!is_default || is_english(language)) return cleaners;
  if (language == "fa" || language.starts_with("fa-")) return {"persian_cleaners"};
  return {"basic_cleaners"};
}

}  // namespace

struct FrontEnd::Impl {
  TextSettings settings;
  SymbolTable table;
  std::optional<Phonemiser> phonemiser;

  TextStages clean_one(const std::string& text) const;
  void phonemise(std::span<TextStages> texts);
  void run(std::span<const std::string> texts, std::span<TextStages> results);
};

TextStages FrontEnd::Impl::clean_one(const std::string& text) const {
  TextStages stages;
  stages.raw = text;
  stages.fault = screening_fault(text);
  if (!stages.fault.empty()) return stages;
  const bool is_foreign = speaks_english(settings) && is_mostly_arabic(text);
  if (is_foreign && settings.refuse_foreign) {
    stages.fault = "the text is in Persian or Arabic letters; add --language fa";
    return stages;
  }
  DroppedCharacters dropped;
  stages.normalised = clean(text, settings.text_cleaners, dropped);
  stages.dropped = dropped.list();
  if (has_speakable(stages.normalised)) return stages;
  if (text.empty()) {
    stages.fault = "the text is empty; expected words";
  } else if (is_foreign) {
    stages.fault =
        "the text is in Persian or Arabic letters, but this voice speaks English; use a Persian "
        "voice";
  } else {
    stages.fault = kNothingSpeakable;
  }
  return stages;
}

void FrontEnd::Impl::phonemise(std::span<TextStages> texts) {
  std::vector<std::vector<Segment>> segments(texts.size());
  std::vector<std::string> pieces;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (texts[i].fault.empty()) segments[i] = split_at_punctuation(texts[i].normalised);
    for (const Segment& segment : segments[i]) {
      if (!segment.piece.empty()) pieces.push_back(segment.piece);
    }
  }

  const std::vector<Pronunciation> pronounced = phonemiser->phonemise(pieces);
  auto next = pronounced.begin();
  for (std::size_t i = 0; i < texts.size(); ++i) {
    for (const Segment& segment : segments[i]) {
      texts[i].phonemes += segment.before;
      if (segment.piece.empty()) continue;
      texts[i].phonemes += next->phonemes;
      if (texts[i].fault.empty()) texts[i].fault = next->fault;
      ++next;
    }
    if (!texts[i].fault.empty()) texts[i].phonemes.clear();
  }
}

void FrontEnd::Impl::run(std::span<const std::string> texts, std::span<TextStages> results) {
  std::ranges::transform(
      texts, results.begin(), [this](const std::string& text) { return clean_one(text); });
  if (phonemiser) phonemise(results);
  for (TextStages& stages : results) {
    if (!stages.fault.empty()) continue;
    // Graphemes are lower-cased: capitals would be 26 more symbols with the same sounds.
    const std::string spoken =
        phonemiser ? stages.phonemes
                   : base::encode_utf8(lower_case(base::decode_utf8(stages.normalised)));
    encode(stages, spoken, table, settings.add_blank);
  }
}

TextSettings text_settings_of(const config::Config& config) {
  TextSettings settings;
  settings.language = config.data.language;
  settings.use_phonemes = config.data.use_phonemes;
  settings.phoneme_language = config.data.phoneme_language.value_or("");
  settings.add_blank = config.data.add_blank;
  settings.text_cleaners = cleaners_for(config.data.language, config.data.text_cleaners);
  return settings;
}

FrontEnd::FrontEnd(TextSettings settings) : impl_(std::make_unique<Impl>()) {
  require_known_cleaners(settings.text_cleaners);
  if (settings.use_phonemes) {
    impl_->phonemiser.emplace(settings.phoneme_language.empty() ? espeak_voice_of(settings.language)
                                                                : settings.phoneme_language);
  }
  impl_->settings = std::move(settings);
}

FrontEnd::~FrontEnd() = default;

void FrontEnd::warm_up() {
  if (impl_->phonemiser) impl_->phonemiser->warm_up();
}

TextStages FrontEnd::run(const std::string& text) {
  TextStages stages;
  impl_->run({&text, 1}, {&stages, 1});
  return stages;
}

std::vector<TextStages> FrontEnd::run_all(std::span<const std::string> texts,
                                          int num_workers,
                                          const std::function<void(std::size_t)>& on_done) {
  std::vector<TextStages> results(texts.size());
  const std::size_t num_chunks = (texts.size() + kTextsPerChild - 1) / kTextsPerChild;
  base::parallel_for(num_chunks, num_workers, [&](std::size_t chunk) {
    const std::size_t first = chunk * kTextsPerChild;
    const std::size_t count = std::min(kTextsPerChild, texts.size() - first);
    impl_->run(texts.subspan(first, count), std::span(results).subspan(first, count));
    if (on_done) on_done(count);
  });
  return results;
}

const SymbolTable& FrontEnd::symbols() const {
  return impl_->table;
}

const TextSettings& FrontEnd::settings() const {
  return impl_->settings;
}

}  // namespace myxtts::text
