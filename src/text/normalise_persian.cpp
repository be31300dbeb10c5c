#include "text/normalise_persian.h"

#include <algorithm>
#include <optional>

#include "base/utf8.h"
#include "text/dates_persian.h"
#include "text/letters_persian.h"
#include "text/quantities_persian.h"
#include "text/reading.h"

namespace xtts::text {
namespace {

char32_t persian_mark(char32_t c) {
  switch (c) {
    case U',':
      return U'\u060c';
    case U';':
      return U'\u061b';
    case U'?':
      return U'\u061f';
    case U'\u06d4':  // full stop of Urdu
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

// Written before the number as well: "$50".
bool is_said_after_number(char32_t c) {
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
      if (said_words_) spoken_.push_back(U' ');
      said_words_ = false;
      spoken_.push_back(c);
    } else {
      add_symbol(c);
    }
  }

  void read_number() {
    const Reading reading = read_quantity_persian(text_, at_);
    say(reading.words);
    at_ += reading.length;
  }

  void say(std::string_view words) {
    if (!spoken_.empty() && (is_letter(spoken_.back()) || spoken_.back() == kHamzaAbove)) {
      spoken_.push_back(U' ');
    }
    spoken_ += base::decode_utf8(words);
    said_words_ = true;
  }

  void add_symbol(char32_t c) {
    if (const auto telephone = c == U'+' ? read_telephone_persian(text_, at_ - 1) : std::nullopt) {
      say(telephone->words);
      at_ += telephone->length - 1;
      return;
    }
    const bool minus =
        c == U'-' && is_digit(char_at(text_, at_)) && (at_ < 2 || text_[at_ - 2] == U' ');
    const std::string_view words = minus ? "منفی" : symbol_words_persian(c);
    if (!words.empty()) {
      spoken_.push_back(U' ');
      const std::size_t number_at = skip_spaces(text_, at_);
      if (is_said_after_number(c) && is_digit(char_at(text_, number_at))) {
        at_ = number_at;
        read_number();
      }
      say(words);
      spoken_.push_back(U' ');
      return;
    }
    const bool after_number = said_words_;
    said_words_ = false;
    const char32_t mark = persian_mark(c);
    // A half-space after a number ties nothing that is written as words.
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
  bool said_words_ = false;  // the last thing in spoken_ is a number or a sign in words
};

}  // namespace

std::string normalise_persian(std::string_view utf8, DroppedCharacters& dropped) {
  std::u32string source = base::decode_utf8(utf8);
  std::ranges::replace(source, U'\ufdfc', kRialSign);
  const std::u32string text =
      unify_letters_persian(unify_characters(base::encode_utf8(source), dropped));
  const std::u32string spoken = PersianReader(text, dropped).read();
  return base::encode_utf8(tidy_half_spaces(tidy_marks(spoken)));
}

}  // namespace xtts::text
