#include "text/letters_persian.h"

#include <algorithm>
#include <array>

#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include "text/reading.h"

namespace myxtts::text {
namespace {

constexpr char32_t kHeh = U'\u0647';
constexpr char32_t kAlef = U'\u0627';
constexpr char32_t kAlefHamza = U'\u0623';

char32_t persian_form(char32_t c) {
  switch (c) {
    case U'\u064a':
    case U'\u0649':
    case U'\u06d2':  // Arabic yeh, alef maksura, yeh barree
      return U'\u06cc';
    case U'\u0643':
    case U'\u06aa':  // Arabic kaf, swash kaf
      return U'\u06a9';
    case U'\u0629':
    case U'\u06be':
    case U'\u06c1':
    case U'\u06c3':
    case U'\u06d5':  // hehs
      return kHeh;
    case U'\u0625':
    case U'\u0671':  // alef with hamza below, alef wasla
      return kAlef;
    case U'\u00ac':  // half-space in old Persian fonts
      return kHalfSpace;
    default:
      return c;
  }
}

bool is_vowel_sign(char32_t c) {
  return (c >= U'\u064b' && c <= U'\u0653') || (c >= U'\u0655' && c <= U'\u065f') ||
         c == U'\u0670' || (c >= U'\u06d6' && c <= U'\u06ed');
}

// True for the plural suffix "ha", its possessive forms and the comparatives "-tar", "-tarin", none
// of which is a separate word.
bool is_ending(std::u32string_view word) {
  static constexpr std::array<std::u32string_view, 8> kEndings = {U"\u062a\u0631",
                                                                  U"\u062a\u0631\u06cc\u0646",
                                                                  U"\u0647\u0627",
                                                                  U"\u0647\u0627\u06cc",
                                                                  U"\u0647\u0627\u06cc\u06cc",
                                                                  U"\u0647\u0627\u06cc\u0645",
                                                                  U"\u0647\u0627\u06cc\u062a",
                                                                  U"\u0647\u0627\u06cc\u0634"};
  return std::ranges::count(kEndings, word) > 0;
}

// True if the text ends with the verb prefix "mi" or "nemi", which is no separate word.
bool ends_with_verb_prefix(std::u32string_view text) {
  static constexpr std::u32string_view kMi = U"\u0645\u06cc";
  if (!text.ends_with(kMi)) return false;
  text.remove_suffix(kMi.size());
  if (text.ends_with(U'\u0646')) text.remove_suffix(1);
  return text.empty() || (!is_arabic_letter(text.back()) && text.back() != kHalfSpace);
}

// True for a word of two or more letters that is no preposition or conjunction.
bool may_be_verb(std::u32string_view word) {
  static constexpr std::array<std::u32string_view, 8> kSmallWords = {U"\u0627\u0632",
                                                                     U"\u0628\u0647",
                                                                     U"\u062f\u0631",
                                                                     U"\u06a9\u0647",
                                                                     U"\u0631\u0627",
                                                                     U"\u0628\u0627",
                                                                     U"\u062a\u0627",
                                                                     U"\u0628\u0631"};
  return word.size() >= 2 && is_arabic_letter(word.front()) &&
         std::ranges::count(kSmallWords, word) == 0;
}

// True if the space between `before` and `word` should be a half-space.
bool are_tied(std::u32string_view before, std::u32string_view word) {
  if (is_ending(word)) return true;
  if (word == U"\u06cc") return before.ends_with(kHeh);  // the "ye" after a silent heh
  return ends_with_verb_prefix(before) && may_be_verb(word);
}

}  // namespace

bool is_arabic_letter(char32_t c) {
  if (c < 0x600) return false;
  UErrorCode status = U_ZERO_ERROR;
  return u_isalpha(static_cast<UChar32>(c)) != 0 &&
         uscript_getScript(static_cast<UChar32>(c), &status) == USCRIPT_ARABIC;
}

std::u32string unify_letters_persian(std::u32string_view text) {
  std::u32string result;
  result.reserve(text.size());
  for (const char32_t source : text) {
    const bool word_start = result.empty() || !is_letter(result.back());
    if (source == U'\u0640' || is_vowel_sign(source)) continue;
    if (source == U'\u06c0' || source == U'\u06c2') {  // heh with hamza, precomposed
      result += {kHeh, kHamzaAbove};
      continue;
    }
    if (source == kHamzaAbove && (word_start || result.back() != kHeh)) continue;
    result.push_back(source == kAlefHamza && word_start ? kAlef : persian_form(source));
  }
  return result;
}

std::u32string tidy_half_spaces(std::u32string_view text) {
  std::u32string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char32_t c = text[i];
    const bool after_letter =
        !result.empty() && (is_arabic_letter(result.back()) || result.back() == kHamzaAbove);
    if (c == kHalfSpace) {
      std::size_t next = i;
      while (char_at(text, next) == kHalfSpace)
        ++next;
      if (after_letter && is_arabic_letter(char_at(text, next))) result.push_back(c);
      i = next - 1;
      continue;
    }
    if (c == U' ' && after_letter) {
      const std::size_t length = count_letters(text, i + 1);
      const bool tied = are_tied(result, text.substr(i + 1, length));
      result.push_back(tied ? kHalfSpace : c);
      continue;
    }
    result.push_back(c);
  }
  return result;
}

}  // namespace myxtts::text
