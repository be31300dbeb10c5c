#include "text/unify_characters.h"

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include "base/error.h"
#include "base/utf8.h"
#include "text/reading.h"

namespace myxtts::text {
namespace {

constexpr char32_t kNonJoiner = U'\u200c';
constexpr char32_t kEmDash = U'\u2014';
constexpr char32_t kEnDash = U'\u2013';
constexpr char32_t kEllipsis = U'\u2026';
constexpr char32_t kDegree = U'\u00b0';

std::u32string to_code_points(const icu::UnicodeString& text) {
  std::u32string result;
  result.reserve(static_cast<std::size_t>(text.length()));
  for (std::int32_t i = 0; i < text.length(); i = text.moveIndex32(i, 1)) {
    result.push_back(static_cast<char32_t>(text.char32At(i)));
  }
  return result;
}

bool is_vulgar_fraction(char32_t c) {
  return (c >= U'\u00bc' && c <= U'\u00be') || (c >= U'\u2150' && c <= U'\u215e');
}

// Protects characters from NFKC, which would turn "1" and a half into "11/2" and a spacing accent
// into a space.
std::u32string prepare_for_nfkc(std::u32string_view text) {
  std::u32string result;
  result.reserve(text.size());
  for (const char32_t c : text) {
    if (is_vulgar_fraction(c)) result.push_back(U' ');
    const bool accent = c == U'\u00b4' || c == U'`';
    result.push_back(accent ? U'\'' : c);
  }
  return result;
}

// Returns a lazily created ICU normaliser. Callers store it in a static: ThreadSanitizer recognises
// that lock, unlike ICU's own.
const icu::Normalizer2& tables_from(const icu::Normalizer2* (*instance)(UErrorCode&)) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* tables = instance(status);
  invariant(U_SUCCESS(status), "ICU provides its normalisation tables");
  return *tables;
}

std::u32string normalise_nfkc(std::u32string_view text) {
  static const icu::Normalizer2& nfkc = tables_from(icu::Normalizer2::getNFKCInstance);
  UErrorCode status = U_ZERO_ERROR;
  const auto source = icu::UnicodeString::fromUTF8(base::encode_utf8(text));
  const icu::UnicodeString result = nfkc.normalize(source, status);
  invariant(U_SUCCESS(status), "NFKC of well-formed text succeeds");
  return to_code_points(result);
}

// Returns the unified form of a quotation mark, dash or slash, or the character itself.
char32_t unified(char32_t c) {
  switch (c) {
    case U'\u2018':
    case U'\u2019':
    case U'\u201a':
    case U'\u201b':
    case U'\u2032':
    case U'\u02bc':
      return U'\'';
    case U'\u201c':
    case U'\u201d':
    case U'\u201e':
    case U'\u201f':
    case U'\u2033':
    case U'\u2039':
    case U'\u203a':
      return U'"';
    case U'\u2010':
    case U'\u2011':
    case U'\u2012':
    case U'\u2212':
    case U'\ufe63':
      return U'-';
    case U'\u2015':
      return kEmDash;
    case U'\u2044':
      return U'/';
    default:
      return c;
  }
}

enum class Action { kKeep, kSpace, kRemove, kDrop };

Action action_for(char32_t c) {
  if (c == kNonJoiner || c == kDegree || c == U'^') return Action::kKeep;
  switch (u_charType(static_cast<UChar32>(c))) {
    case U_SPACE_SEPARATOR:
    case U_LINE_SEPARATOR:
    case U_PARAGRAPH_SEPARATOR:
      return Action::kSpace;
    case U_CONTROL_CHAR:
      return u_isWhitespace(static_cast<UChar32>(c)) != 0 || c == 0x85 ? Action::kSpace
                                                                       : Action::kRemove;
    case U_FORMAT_CHAR:
      return Action::kRemove;
    case U_NON_SPACING_MARK:
      return c >= 0xfe00 && c <= 0xfe0f ? Action::kRemove : Action::kKeep;  // variation selectors
    case U_OTHER_SYMBOL:
    case U_MODIFIER_SYMBOL:
    case U_ENCLOSING_MARK:
    case U_PRIVATE_USE_CHAR:
    case U_UNASSIGNED:
    case U_SURROGATE:
      return Action::kDrop;
    default:
      return Action::kKeep;
  }
}

void append_space(std::u32string& text) {
  if (!text.empty() && text.back() != U' ') text.push_back(U' ');
}

void remove_last_space(std::u32string& text) {
  if (!text.empty() && text.back() == U' ') text.pop_back();
}

bool is_sentence_mark(char32_t c) {
  return c == U'.' || c == U'!' || c == U'?' || c == U'\u061f' || c == kEllipsis;
}

bool closes(char32_t c) {
  return is_sentence_mark(c) || c == U',' || c == U';' || c == U':' || c == U')' ||
         c == U'\u060c' || c == U'\u061b' || c == U'\u00bb';
}

// Returns the mark that replaces two adjacent ones, or 0 to keep both. A question mark wins; points
// become an ellipsis.
char32_t merged(char32_t first, char32_t second) {
  if (is_sentence_mark(first) && is_sentence_mark(second)) {
    if (first == U'?' || first == U'\u061f') return first;
    if (second == U'?' || second == U'\u061f') return second;
    if (first == U'!' || second == U'!') return U'!';
    return kEllipsis;
  }
  const bool dashes = (first == U'-' || first == kEmDash) && (second == U'-' || second == kEmDash);
  if (dashes) return kEmDash;
  return first == second && !is_letter_or_digit(first) ? first : U'\0';
}

}  // namespace

void DroppedCharacters::add(char32_t c) {
  if (seen_.size() < kMaxListed && seen_.find(c) == std::u32string::npos) seen_.push_back(c);
}

std::vector<std::string> DroppedCharacters::list() const {
  std::vector<std::string> result;
  for (const char32_t c : seen_)
    result.push_back(base::encode_utf8(std::u32string_view(&c, 1)));
  return result;
}

std::u32string unify_characters(std::string_view utf8, DroppedCharacters& dropped) {
  const std::u32string source = normalise_nfkc(prepare_for_nfkc(base::decode_utf8(utf8)));
  std::u32string result;
  result.reserve(source.size());
  for (std::size_t i = 0; i < source.size(); ++i) {
    char32_t c = unified(source[i]);
    const Action action = action_for(c);
    if (action == Action::kDrop) dropped.add(c);
    if (action == Action::kSpace || action == Action::kDrop) append_space(result);
    if (action != Action::kKeep) continue;

    const int digit = u_charDigitValue(static_cast<UChar32>(c));
    if (digit >= 0) c = U'0' + static_cast<char32_t>(digit);
    if (c == kEnDash) {
      const bool in_number = i > 0 && is_digit(source[i - 1]) && is_digit(char_at(source, i + 1));
      c = in_number ? U'-' : kEmDash;
    }
    result.push_back(c);
  }
  remove_last_space(result);
  return result;
}

std::u32string fold_spaces(std::u32string_view text) {
  std::u32string result;
  result.reserve(text.size());
  for (const char32_t c : text) {
    const Action action = action_for(c);
    if (action == Action::kSpace) append_space(result);
    if (action == Action::kKeep || action == Action::kDrop) result.push_back(c);
  }
  remove_last_space(result);
  return result;
}

std::u32string tidy_punctuation(std::u32string_view text) {
  std::u32string result;
  result.reserve(text.size());
  for (const char32_t c : text) {
    if (c == U' ') {
      if (result.empty() || (result.back() != U'(' && result.back() != U'\u00ab')) {
        append_space(result);
      }
      continue;
    }
    if (closes(c)) remove_last_space(result);
    const char32_t mark = result.empty() ? U'\0' : merged(result.back(), c);
    if (mark != U'\0') {
      result.back() = mark;
    } else {
      result.push_back(c);
    }
  }
  remove_last_space(result);
  return result;
}

std::u32string decompose(char32_t c) {
  static const icu::Normalizer2& nfd = tables_from(icu::Normalizer2::getNFDInstance);
  icu::UnicodeString parts;
  if (nfd.getDecomposition(static_cast<UChar32>(c), parts) == 0) return {c};
  return to_code_points(parts);
}

std::u32string lower_case(std::u32string_view text) {
  std::u32string result(text);
  for (char32_t& c : result)
    c = static_cast<char32_t>(u_tolower(static_cast<UChar32>(c)));
  return result;
}

}  // namespace myxtts::text
