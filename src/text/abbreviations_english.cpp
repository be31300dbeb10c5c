#include "text/abbreviations_english.h"

#include <algorithm>
#include <array>

namespace myxtts::text {
namespace {

enum class When {
  kAlways,       // with a point
  kPointOrNot,   // the point may be missing
  kBeforeDigit,  // "no. 5", but not the word "no." at the end of a sentence
  kBeforeName,   // with a point, before a capital letter
};

struct Abbreviation {
  std::string_view written;  // lower case, without the last point
  std::string_view words;
  When when = When::kAlways;
};

constexpr std::array<Abbreviation, 69> kAbbreviations = {{
    {"mr", "mister", When::kPointOrNot},
    {"mrs", "missus", When::kPointOrNot},
    {"ms", "miz", When::kBeforeName},
    {"messrs", "messieurs"},
    {"prof", "professor"},
    {"rev", "reverend"},
    {"hon", "honorable", When::kBeforeName},
    {"gen", "general", When::kBeforeName},
    {"col", "colonel", When::kBeforeName},
    {"maj", "major", When::kBeforeName},
    {"capt", "captain"},
    {"cmdr", "commander"},
    {"lt", "lieutenant"},
    {"sgt", "sergeant"},
    {"cpl", "corporal"},
    {"adm", "admiral", When::kBeforeName},
    {"gov", "governor", When::kBeforeName},
    {"sen", "senator", When::kBeforeName},
    {"rep", "representative", When::kBeforeName},
    {"pres", "president", When::kBeforeName},
    {"supt", "superintendent"},
    {"jr", "junior"},
    {"sr", "senior"},
    {"esq", "esquire"},
    {"mt", "mount", When::kBeforeName},
    {"ft", "fort", When::kBeforeName},
    {"ave", "avenue"},
    {"blvd", "boulevard"},
    {"rd", "road"},
    {"hwy", "highway"},
    {"apt", "apartment", When::kBeforeDigit},
    {"co", "company"},
    {"corp", "corporation"},
    {"inc", "incorporated"},
    {"ltd", "limited"},
    {"bros", "brothers"},
    {"dept", "department"},
    {"univ", "university"},
    {"assn", "association"},
    {"govt", "government"},
    {"etc", "et cetera", When::kPointOrNot},
    {"vs", "versus", When::kPointOrNot},
    {"e.g", "for example"},
    {"i.e", "that is"},
    {"cf", "compare"},
    {"viz", "namely"},
    {"approx", "approximately"},
    {"est", "established", When::kBeforeDigit},
    {"no", "number", When::kBeforeDigit},
    {"nos", "numbers", When::kBeforeDigit},
    {"vol", "volume", When::kBeforeDigit},
    {"fig", "figure", When::kBeforeDigit},
    {"ch", "chapter", When::kBeforeDigit},
    {"sec", "section", When::kBeforeDigit},
    {"p", "page", When::kBeforeDigit},
    {"pp", "pages", When::kBeforeDigit},
    {"jan", "January"},
    {"feb", "February"},
    {"aug", "August"},
    {"sept", "September"},
    {"oct", "October"},
    {"nov", "November"},
    {"dec", "December"},
    {"tues", "Tuesday"},
    {"thurs", "Thursday"},
    {"ext", "extension", When::kBeforeDigit},
    {"tel", "telephone", When::kBeforeDigit},
    {"max", "maximum", When::kBeforeDigit},
    {"dr", "doctor", When::kPointOrNot},
}};

// Capitalised words that may precede "St." without being the name of a street.
constexpr std::array<std::string_view, 14> kBeforeSaints = {
    "In", "At", "The", "From", "To", "Near", "On", "Of", "By", "And", "For", "With", "Is", "But"};

// Endings of ordinals in words: "5th St." is "fifth St." when the abbreviation is read.
constexpr std::array<std::string_view, 4> kOrdinalEndings = {"th", "first", "second", "third"};

// Limit of the lookahead; longer sequences are no abbreviation.
constexpr std::size_t kMaxDottedLetters = 16;

std::string to_lower(std::string word) {
  std::ranges::transform(word, word.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  });
  return word;
}

bool starts_upper(std::string_view word) {
  return !word.empty() && is_upper(static_cast<unsigned char>(word.front()));
}

bool is_after_street_name(std::string_view previous_word) {
  if (previous_word.empty()) return false;
  if (starts_upper(previous_word)) return std::ranges::count(kBeforeSaints, previous_word) == 0;
  return std::ranges::any_of(
      kOrdinalEndings, [&](std::string_view ending) { return previous_word.ends_with(ending); });
}

bool fits(const Abbreviation& entry, std::u32string_view text, std::size_t end, bool point) {
  const char32_t next = char_at(text, skip_spaces(text, end + (point ? 1 : 0)));
  switch (entry.when) {
    case When::kAlways:
      return point;
    case When::kPointOrNot:
      return true;
    case When::kBeforeDigit:
      return point && is_digit(next);
    case When::kBeforeName:
      return point && is_upper(next);
  }
  return false;
}

// True if the point belongs to the abbreviation. The capital letter after a title starts a name,
// not a sentence.
bool takes_point(const Abbreviation& entry, std::u32string_view text, std::size_t after) {
  static constexpr std::array<std::string_view, 5> kMayEnd = {"etc", "ave", "rd", "blvd", "hwy"};
  static constexpr std::array<std::string_view, 8> kInNames = {
      "co", "corp", "inc", "ltd", "bros", "jr", "sr", "esq"};
  if (skip_spaces(text, after) >= text.size()) return false;
  if (matches_at(text, after, " Ltd.") || matches_at(text, after, " Inc.")) return true;
  if (std::ranges::count(kInNames, entry.written)) return !sentence_surely_ends(text, after);
  return !(std::ranges::count(kMayEnd, entry.written) && sentence_may_end(text, after));
}

// Returns the length of the abbreviation. Only "e.g" and "i.e" contain a point.
std::size_t length_of_word(std::u32string_view text, std::size_t at) {
  const std::size_t letters = count_letters(text, at);
  const bool dotted = letters == 1 && char_at(text, at + 1) == U'.' &&
                      count_letters(text, at + 2) == 1 && char_at(text, at + 3) == U'.';
  return dotted ? 3 : letters;
}

std::optional<Reading> read_saint_or_street(std::u32string_view text,
                                            std::size_t at,
                                            std::string_view previous_word) {
  const bool street = is_after_street_name(previous_word);
  const std::size_t length = street && sentence_may_end(text, at + 3) ? 2 : 3;
  return Reading{length, street ? "street" : "saint"};
}

}  // namespace

std::optional<Reading> read_abbreviation(std::u32string_view text,
                                         std::size_t at,
                                         std::string_view previous_word) {
  const std::size_t length = length_of_word(text, at);
  if (length == 0 || length > 8) return std::nullopt;
  const std::string written = to_ascii(text, at, length);
  const bool point =
      char_at(text, at + length) == U'.' && !is_letter(char_at(text, at + length + 1));
  if (written == "St" && point) return read_saint_or_street(text, at, previous_word);
  if (written == "Dr" && point && is_after_street_name(previous_word) &&
      sentence_may_end(text, at + length + 1)) {
    return Reading{length, "drive"};
  }

  const std::string word = to_lower(written);
  const auto* entry = std::ranges::find(kAbbreviations, word, &Abbreviation::written);
  if (entry == kAbbreviations.end() || !fits(*entry, text, at + length, point)) return std::nullopt;
  // Without a point only the capitalised form counts: "Dr" is a title, "dr" is ambiguous.
  if (!point && word != "vs" && !starts_upper(written)) return std::nullopt;
  const bool take = point && takes_point(*entry, text, at + length + 1);
  return Reading{length + (take ? 1 : 0), std::string(entry->words)};
}

std::optional<Reading> read_dotted_letters(std::u32string_view text,
                                           std::size_t at,
                                           std::string_view previous_word) {
  if (matches_at(text, at, "Ph.D.") && !is_letter(char_at(text, at + 5))) {
    return Reading{sentence_surely_ends(text, at + 5) ? 4U : 5U, "P H D"};
  }
  Reading reading;
  std::size_t end = at;
  while (end < at + 2 * kMaxDottedLetters && is_letter(char_at(text, end)) &&
         char_at(text, end + 1) == U'.') {
    if (!reading.words.empty()) reading.words += ' ';
    const char32_t letter = text[end];
    if (letter >= 0x80) return std::nullopt;
    reading.words += static_cast<char>(is_lower(letter) ? letter - 0x20 : letter);
    end += 2;
  }
  if (end == at || is_letter_or_digit(char_at(text, end))) return std::nullopt;
  if (end == at + 2) {
    const bool before_name = char_at(text, end) == U' ' && is_upper(char_at(text, end + 1));
    const bool after_title =
        std::ranges::count(kAbbreviations, previous_word, &Abbreviation::words);
    const bool after_name = previous_word.empty() || starts_upper(previous_word) || after_title;
    if (!before_name || !after_name || text[at] == U'I' || !is_upper(text[at])) return std::nullopt;
    return Reading{2, reading.words};
  }
  // "P.S." opens a sentence, even one that begins with "The".
  const bool ends = reading.words == "P S" ? skip_spaces(text, end) >= text.size()
                                           : sentence_surely_ends(text, end);
  reading.length = end - at - (ends ? 1 : 0);
  return reading;
}

}  // namespace myxtts::text
