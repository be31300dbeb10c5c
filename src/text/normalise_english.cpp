// The text is read once from left to right. At each position the readers are tried in a fixed
// order; the first match consumes its characters and appends its words. Plain words and punctuation
// marks are copied. Every reader consumes the whole run of letters or digits that it examined, so
// that no character is examined more than a fixed number of times.

#include "text/normalise_english.h"

#include <array>
#include <optional>

#include <unicode/uscript.h>

#include "base/utf8.h"
#include "text/abbreviations_english.h"
#include "text/acronyms_english.h"
#include "text/dates_english.h"
#include "text/money_english.h"
#include "text/numbers_english.h"
#include "text/quantities_english.h"
#include "text/reading.h"
#include "text/symbols_english.h"

namespace myxtts::text {
namespace {

bool is_latin(char32_t c) {
  if (c < 0x80) return true;
  UErrorCode status = U_ZERO_ERROR;
  const UScriptCode script = uscript_getScript(static_cast<UChar32>(c), &status);
  return U_SUCCESS(status) && (script == USCRIPT_LATIN || script == USCRIPT_INHERITED);
}

class EnglishReader {
 public:
  EnglishReader(std::u32string_view text, DroppedCharacters& dropped)
      : text_(text), dropped_(dropped) {}

  std::u32string read() {
    while (at_ < text_.size())
      step();
    return std::move(spoken_);
  }

 private:
  void step() {
    const char32_t c = text_[at_];
    if (c == U' ') {
      spoken_.push_back(U' ');
      ++at_;
    } else if (is_digit(c)) {
      read_number();
    } else if (is_letter(c) && is_latin(c)) {
      read_word();
    } else if (c == U'\'') {
      read_apostrophe();
    } else {
      read_symbol(c);
    }
  }

  char32_t previous() const { return at_ == 0 ? U'\0' : text_[at_ - 1]; }
  char32_t next() const { return char_at(text_, at_ + 1); }
  bool at_word_start() const { return !is_letter_or_digit(previous()); }

  void append_words(std::string_view words) {
    if (!spoken_.empty() && is_letter_or_digit(spoken_.back())) spoken_.push_back(U' ');
    for (const char c : words)
      spoken_.push_back(static_cast<unsigned char>(c));
    previous_word_ = words.substr(words.find_last_of(' ') + 1);
  }

  void append_symbol_words(std::string_view words) {
    spoken_.push_back(U' ');
    append_words(words);
    spoken_.push_back(U' ');
    ++at_;
  }

  bool take(const std::optional<Reading>& reading) {
    if (!reading) return false;
    append_words(reading->words);
    at_ += reading->length;
    return true;
  }

  void read_number() {
    const bool version = (previous() | 0x20U) == U'v' && !is_letter(char_at(text_, at_ - 2));
    if (version && take(read_quantity(text_, at_))) return;  // "v1.2.3"
    if (is_letter(previous())) {                             // "MP3", "B2B"
      const std::size_t digits = count_digits(text_, at_);
      take(Reading{digits, integer_english(to_ascii(text_, at_, digits))});
      return;
    }
    if (take(read_date(text_, at_)) || take(read_time(text_, at_))) return;
    if (take(read_telephone(text_, at_)) || take(read_money(text_, at_))) return;
    take(read_quantity(text_, at_));
  }

  void read_word() {
    if (at_word_start()) {
      if (take(read_money(text_, at_))) return;  // "US$5"
      if (take(read_month_and_day(text_, at_))) return;
      if (take(read_abbreviation(text_, at_, previous_word_))) return;
      if (take(read_dotted_letters(text_, at_, previous_word_))) return;
      if (take(read_roman_numeral(text_, at_, previous_word_))) return;
    }
    if (take(read_acronym(text_, at_))) return;

    if (!spoken_.empty() && is_letter_or_digit(spoken_.back())) spoken_.push_back(U' ');
    const std::size_t start = spoken_.size();
    while (at_ < text_.size() && continues_word())
      spoken_.push_back(text_[at_++]);
    // Readers only need the start of a long word.
    constexpr std::size_t kMaxPrefix = 16;
    const std::size_t length = spoken_.size() - start;
    previous_word_ = to_ascii(spoken_, start, length < kMaxPrefix ? length : kMaxPrefix);
  }

  bool continues_word() const {
    const char32_t c = text_[at_];
    if (c == U'\'') return is_letter(previous()) && is_letter(next());
    return is_latin(c) && !is_digit(c) && (is_letter(c) || c >= 0x300) &&
           !is_kept_punctuation_english(c);
  }

  void read_apostrophe() {
    static constexpr std::array<std::string_view, 7> kElided = {
        "tis", "twas", "em ", "em.", "cause", "til", "bout"};
    if (is_digit(previous()) && is_digit(next())) return append_symbol_words("foot");
    if (is_digit(next()) && count_digits(text_, at_ + 1) == 2) {  // "'98", "the '90s"
      ++at_;
      return;
    }
    bool keep = previous() == U's' && !is_letter(next()) && !quote_open_;
    for (const std::string_view word : kElided)
      keep = keep || matches_at(text_, at_ + 1, word);
    if (keep) spoken_.push_back(U'\'');
    if (!keep && at_word_start()) quote_open_ = is_letter(next());
    if (!keep && is_letter(previous())) quote_open_ = false;
    ++at_;
  }

  void read_symbol(char32_t c) {
    if (c == U'.') return read_point();
    if (c == U'-') return read_hyphen();
    if (c == U'/') return read_slash();
    const bool ratio = c == U':' && is_digit(previous()) && is_digit(next());
    if (ratio) return append_symbol_words("to");
    if (c == U'#') return append_symbol_words(is_digit(next()) ? "number" : "hashtag");
    if (matches_at(text_, at_, "+/-")) {
      at_ += 2;
      return append_symbol_words("plus or minus");
    }
    if (c == U'(' || c == U'+') {
      if (take(read_telephone(text_, at_))) return;
    }
    if (is_currency_sign(c)) {
      if (!take(read_money(text_, at_))) append_symbol_words(currency_name(c));
      return;
    }
    if (c == U'~' && is_digit(next())) return append_symbol_words("about");
    if (c == U'*' && is_digit(next())) return append_symbol_words("times");
    // "<b>" is markup, "a < b" is a comparison.
    const bool bracket = (c == U'<' && next() != U' ') || (c == U'>' && previous() != U' ');
    if (const std::string_view words = symbol_words_english(c); !words.empty() && !bracket) {
      return append_symbol_words(words);
    }
    keep_mark(c);
  }

  void keep_mark(char32_t c) {
    ++at_;
    if (c == U'[' || c == U'{') c = U'(';
    if (c == U']' || c == U'}') c = U')';
    if (c == U'\u00ab' || c == U'\u00bb') c = U'"';
    if (is_kept_punctuation_english(c)) {
      spoken_.push_back(c);
      previous_word_.clear();
      return;
    }
    constexpr std::u32string_view kSilent = U"_*|^\\<>~\u200c";
    if (kSilent.find(c) == std::u32string_view::npos) dropped_.add(c);
    spoken_.push_back(U' ');
  }

  void read_point() {
    const bool after_word = is_letter_or_digit(previous());
    const bool in_a_row = previous() == U'.' || next() == U'.';
    if (in_a_row && (previous() == U'.' || after_word)) {  // "foo...bar", "1..2"
      keep_mark(U'.');
      if (is_letter_or_digit(char_at(text_, at_))) spoken_.push_back(U' ');
    } else if (is_digit(next()) && !after_word) {
      take(read_quantity(text_, at_));
    } else if (is_letter(next()) && (!after_word || is_lower(next()))) {
      append_symbol_words("dot");
    } else {
      keep_mark(U'.');
      if (after_word && is_letter(char_at(text_, at_))) spoken_.push_back(U' ');
    }
  }

  void read_hyphen() {
    const bool number_next = is_digit(next()) || is_currency_sign(next());
    const bool opens = at_ == 0 || previous() == U' ' || previous() == U'(';
    if (number_next && opens) return append_symbol_words("minus");
    if (is_digit(previous()) && is_currency_sign(next())) return append_symbol_words("to");
    if (number_next) {  // "COVID-19", the rest of "1-2-3-4"
      spoken_.push_back(U' ');
      ++at_;
      return;
    }
    if (is_letter_or_digit(previous()) && is_letter(next())) {
      spoken_.push_back(U'-');
      ++at_;
      return;
    }
    keep_mark(previous() == U' ' && next() == U' ' ? U'\u2014' : U'-');
  }

  void read_slash() {
    const bool between = is_letter_or_digit(previous()) && is_letter_or_digit(next());
    if (between) return append_symbol_words("slash");
    spoken_.push_back(U' ');
    ++at_;
  }

  std::u32string_view text_;
  DroppedCharacters& dropped_;
  std::size_t at_ = 0;
  std::u32string spoken_;
  std::string previous_word_;  // last word of the current phrase
  bool quote_open_ = false;    // inside single quotation marks
};

}  // namespace

std::string normalise_english(std::string_view utf8, DroppedCharacters& dropped) {
  const std::u32string source = spell_out_signs(base::decode_utf8(utf8));
  std::u32string text = unify_characters(base::encode_utf8(source), dropped);
  if (is_all_caps_sentence(text)) text = lower_case(text);
  return base::encode_utf8(tidy_punctuation(EnglishReader(text, dropped).read()));
}

}  // namespace myxtts::text
