#include "text/acronyms_english.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>

#include "text/numbers_english.h"

namespace myxtts::text {
namespace {

constexpr std::array<std::string_view, 35> kPronounceable = {
    "NASA",    "NATO",  "OPEC", "AIDS",   "COVID", "UNESCO", "UNICEF", "NAFTA", "SARS",
    "SWAT",    "RAM",   "ROM",  "LASER",  "RADAR", "SONAR",  "SCUBA",  "PIN",   "JPEG",
    "GIF",     "LAN",   "WIFI", "NASDAQ", "FIFA",  "UEFA",   "ASAP",   "ASCII", "BASIC",
    "CAPTCHA", "NORAD", "OSHA", "SIM",    "IKEA",  "YOLO",   "TED",    "JSON"};

constexpr std::array<std::string_view, 65> kEmphasised = {
    "THE",  "AND", "NOT",  "BUT",   "FOR",   "ALL",  "ANY",   "ARE",  "CAN",   "DID",  "DO",
    "GO",   "HAD", "HAS",  "HE",    "HER",   "HIM",  "HIS",   "HOW",  "IF",    "IN",   "IS",
    "MUST", "MY",  "NEW",  "NO",    "NOW",   "OF",   "OFF",   "ON",   "ONE",   "OR",   "OUR",
    "OUT",  "SHE", "SO",   "STOP",  "THAT",  "THEM", "THEY",  "THIS", "TO",    "TOO",  "UP",
    "VERY", "WAS", "WE",   "WERE",  "WHAT",  "WHEN", "WHERE", "WHO",  "WHY",   "WILL", "WITH",
    "YES",  "YOU", "YOUR", "NEVER", "EVERY", "ONLY", "HELP",  "NEED", "HELLO", "MIX"};

constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kExpanded = {{
    {"WWI", "World War one"},
    {"WWII", "World War two"},
}};

constexpr std::array<std::string_view, 24> kCountedByNumerals = {
    "War",    "Chapter", "Part",  "Volume", "Book",  "Act",     "Scene", "Type",
    "Phase",  "Section", "Class", "Bowl",   "Mark",  "Stage",   "Level", "Unit",
    "Figure", "Table",   "Title", "Apollo", "Grade", "Article", "Rocky", "Fantasy"};

constexpr std::array<std::string_view, 24> kRegnal = {
    "Henry", "Charles",  "George",  "Edward",   "James",     "Louis",     "Richard",  "John",
    "Pius",  "Paul",     "Philip",  "William",  "Mary",      "Elizabeth", "Gregory",  "Leo",
    "Peter", "Benedict", "Francis", "Nicholas", "Frederick", "Alexander", "Napoleon", "Catherine"};

// A run of capital letters with an optional plural or possessive ending.
struct Capitals {
  std::string letters;
  std::string ending;  // "'s" for a plural or a possessive
  std::size_t length = 0;
};

bool is_apostrophe_s(std::u32string_view text, std::size_t at) {
  return char_at(text, at) == U'\'' && char_at(text, at + 1) == U's' &&
         !is_letter(char_at(text, at + 2));
}

Capitals read_capitals(std::u32string_view text, std::size_t at) {
  Capitals found;
  std::size_t end = at;
  while (char_at(text, end) >= U'A' && char_at(text, end) <= U'Z')
    ++end;
  const std::size_t num_letters = end - at;
  if (num_letters < 2) return {};
  if (is_apostrophe_s(text, end)) {
    found.ending = "'s";
    end += 2;
  } else if (char_at(text, end) == U's' && !is_letter(char_at(text, end + 1))) {
    found.ending = "'s";
    end += 1;
  }
  if (is_letter(char_at(text, end))) return {};
  found.letters = to_ascii(text, at, num_letters);
  found.length = end - at;
  return found;
}

std::string lower_letters(std::string word) {
  for (char& c : word)
    c = static_cast<char>(c | 0x20);
  return word;
}

std::uint64_t roman_value(std::string_view numeral) {
  constexpr std::array<std::string_view, 10> kUnits = {
      "", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"};
  constexpr std::array<std::string_view, 4> kTens = {"", "X", "XX", "XXX"};
  for (std::uint64_t tens = 0; tens < kTens.size(); ++tens) {
    for (std::uint64_t units = 0; units < kUnits.size(); ++units) {
      if (numeral.size() != kTens[tens].size() + kUnits[units].size()) continue;
      if (numeral.starts_with(kTens[tens]) && numeral.ends_with(kUnits[units])) {
        return tens * 10 + units;
      }
    }
  }
  return 0;
}

// True for an ordinary word in capitals: a frequent one, or one of four or more letters with a
// vowel.
bool is_common_word(const std::string& capitals) {
  if (std::ranges::count(kEmphasised, capitals)) return true;
  if (std::ranges::count(kPronounceable, capitals)) return false;
  return capitals.size() >= 4 && capitals.find_first_of("AEIOUY") != std::string::npos;
}

bool is_name(std::string_view word) {
  return word.size() >= 3 && is_upper(static_cast<unsigned char>(word[0])) &&
         is_lower(static_cast<unsigned char>(word[1]));
}

}  // namespace

bool is_all_caps_sentence(std::u32string_view text) {
  constexpr std::size_t kMaxWordLength = 16;  // enough to tell a word from an acronym
  std::size_t num_words = 0;
  std::size_t num_common = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::size_t length = count_letters(text, at);
    for (std::size_t i = at; i < at + length; ++i) {
      if (is_lower(text[i])) return false;
    }
    if (length > 1) ++num_words;
    if (length > 1 && is_common_word(to_ascii(text, at, std::min(length, kMaxWordLength)))) {
      ++num_common;
    }
    at += length;
  }
  return num_words >= 2 && 2 * num_common > num_words;
}

std::optional<Reading> read_acronym(std::u32string_view text, std::size_t at) {
  const Capitals capitals = read_capitals(text, at);
  if (capitals.length == 0) return std::nullopt;
  for (const auto& [written, words] : kExpanded) {
    if (capitals.letters == written) {
      return Reading{capitals.length, std::string(words) + capitals.ending};
    }
  }
  if (std::ranges::count(kPronounceable, capitals.letters)) {
    const std::string ending = capitals.ending;
    return Reading{capitals.length, capitals.letters + ending};
  }
  if (std::ranges::count(kEmphasised, capitals.letters) && capitals.ending.empty()) {
    return Reading{capitals.length, lower_letters(capitals.letters)};
  }
  if (capitals.letters.size() > 5) {
    return Reading{capitals.length, lower_letters(capitals.letters) + capitals.ending};
  }
  std::string words;
  for (const char letter : capitals.letters) {
    if (!words.empty()) words += ' ';
    words += letter;
  }
  return Reading{capitals.length, words + capitals.ending};
}

std::optional<Reading> read_roman_numeral(std::u32string_view text,
                                          std::size_t at,
                                          std::string_view previous_word) {
  std::size_t end = at;
  while (char_at(text, end) == U'I' || char_at(text, end) == U'V' || char_at(text, end) == U'X') {
    ++end;
  }
  const std::size_t length = end - at;
  if (length == 0 || length > 7 || is_letter_or_digit(char_at(text, end))) return std::nullopt;
  const std::uint64_t value = roman_value(to_ascii(text, at, length));
  if (value == 0 || !is_name(previous_word)) return std::nullopt;

  const bool counted = std::ranges::count(kCountedByNumerals, previous_word) > 0;
  const bool regnal = std::ranges::count(kRegnal, previous_word) > 0;
  if (length == 1 && !regnal && !counted) return std::nullopt;
  // "John I" is a monarch only before "of" or punctuation; otherwise "I" is the pronoun.
  const bool closes =
      !is_letter(char_at(text, skip_spaces(text, end))) || matches_at(text, end, " of ");
  if (value == 1 && !closes) return std::nullopt;
  const bool possessive = is_apostrophe_s(text, end);
  return Reading{length + (possessive ? 2 : 0),
                 (counted ? cardinal_english(value) : "the " + ordinal_english(value)) +
                     (possessive ? "'s" : "")};
}

}  // namespace myxtts::text
