#include "text/normalise_persian.h"

#include <algorithm>
#include <optional>

#include "base/utf8.h"
#include "text/dates_persian.h"
#include "text/letters_persian.h"
#include "text/quantities_persian.h"
#include "text/reading.h"

namespace myxtts::text {
namespace {

char32_t persian_mark(char32_t c) {
  switch (c) {
    case U',':
      return U'\u060c';
    case U';':
      return U'\u061b';
    case U'?':
      return U'\u061f';
    case U'\u06d4':  // Urdu full stop
      return U'.';
    case U'[':
    case U'{':
      return U'(';
    case U']':
    case U'}':
      return U')';
    default:
      return c;
  }
}

bool is_kept_mark(char32_t c) {
  constexpr std::u32string_view kMarks =
      U".:!()\"'-\u2014\u2026\u060c\u061b\u061f\u00ab\u00bb\u200c\u0654";
  return kMarks.find(c) != std::u32string_view::npos;
}

// True for signs that are spoken after the number even if they precede it, as in "$50".
bool is_spoken_after_number(char32_t c) {
  constexpr std::u32string_view kSigns = U"%\u066a$\u20ac\u00a3\u00a4";
  return kSigns.find(c) != std::u32string_view::npos;
}

bool is_latin_letter(char32_t c) {
  return c < 0x250 && is_letter(c);
}

class PersianReader {
 public:
  PersianReader(std::u32string_view text, DroppedCharacters& dropped)
      : text_(text), dropped_(dropped) {}

  std::u32string read() {
    while (at_ < text_.size())
      step();
    return std::move(spoken_);
  }

 private:
  void step() {
    const char32_t c = text_[at_];
    if (is_digit(c)) return read_number();
    ++at_;
    if (is_arabic_letter(c) || is_latin_letter(c)) {
      if (ends_with_words_) spoken_.push_back(U' ');
      ends_with_words_ = false;
      spoken_.push_back(c);
    } else {
      add_symbol(c);
    }
  }

  void read_number() {
    const Reading reading = read_quantity_persian(text_, at_);
    append_words(reading.words);
    at_ += reading.length;
  }

  void append_words(std::string_view words) {
    if (!spoken_.empty() && (is_letter(spoken_.back()) || spoken_.back() == kHamzaAbove)) {
      spoken_.push_back(U' ');
    }
    spoken_ += base::decode_utf8(words);
    ends_with_words_ = true;
  }

  void add_symbol(char32_t c) {
    if (const auto telephone = c == U'+' ? read_telephone_persian(text_, at_ - 1) : std::nullopt) {
      append_words(telephone->words);
      at_ += telephone->length - 1;
      return;
    }
    const bool minus =
        c == U'-' && is_digit(char_at(text_, at_)) && (at_ < 2 || text_[at_ - 2] == U' ');
    const std::string_view words = minus ? "منفی" : symbol_words_persian(c);
    if (!words.empty()) {
      spoken_.push_back(U' ');
      const std::size_t number_at = skip_spaces(text_, at_);
      if (is_spoken_after_number(c) && is_digit(char_at(text_, number_at))) {
        at_ = number_at;
        read_number();
      }
      append_words(words);
      spoken_.push_back(U' ');
      return;
    }
    const bool after_number = ends_with_words_;
    ends_with_words_ = false;
    const char32_t mark = persian_mark(c);
    // A half-space after a number becomes a space: the number is written as words now.
    if (mark == kHalfSpace && after_number) {
      spoken_.push_back(U' ');
    } else if (c == U' ' || is_kept_mark(mark)) {
      spoken_.push_back(mark);
    } else {
      constexpr std::u32string_view kSilent = U"_*|^\\<>~/";
      if (kSilent.find(c) == std::u32string_view::npos) dropped_.add(c);
      spoken_.push_back(U' ');
    }
  }

  std::u32string_view text_;
  DroppedCharacters& dropped_;
  std::size_t at_ = 0;
  std::u32string spoken_;
  bool ends_with_words_ = false;  // spoken_ ends with a number or a sign in words
};

}  // namespace

std::string normalise_persian(std::string_view utf8, DroppedCharacters& dropped) {
  std::u32string source = base::decode_utf8(utf8);
  std::ranges::replace(source, U'\ufdfc', kRialSign);
  const std::u32string text =
      unify_letters_persian(unify_characters(base::encode_utf8(source), dropped));
  const std::u32string spoken = PersianReader(text, dropped).read();
  return base::encode_utf8(tidy_half_spaces(tidy_punctuation(spoken)));
}

}  // namespace myxtts::text
