#include "text/dates_english.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "text/numbers_english.h"

namespace myxtts::text {
namespace {

struct Month {
  std::string_view name, abbreviation;
};

constexpr std::array<Month, 12> kMonthsEnglish = {{{"January", "Jan"},
                                                   {"February", "Feb"},
                                                   {"March", "Mar"},
                                                   {"April", "Apr"},
                                                   {"May", "May"},
                                                   {"June", "Jun"},
                                                   {"July", "Jul"},
                                                   {"August", "Aug"},
                                                   {"September", "Sept"},
                                                   {"October", "Oct"},
                                                   {"November", "Nov"},
                                                   {"December", "Dec"}}};

std::uint64_t number_at(std::u32string_view text, std::size_t at, std::size_t num_digits) {
  return value_of_digits(to_ascii(text, at, num_digits), 0);
}

bool is_day(std::uint64_t number) {
  return number >= 1 && number <= 31;
}
bool is_month(std::uint64_t number) {
  return number >= 1 && number <= 12;
}

std::string full_date(std::uint64_t year, std::uint64_t month, std::uint64_t day) {
  return std::string(kMonthsEnglish[month - 1].name) + ' ' + ordinal_english(day) + ", " +
         year_english(year);
}

// Reads a month name or its abbreviation, with or without a point. Length 0 if there is none.
Reading read_month(std::u32string_view text, std::size_t at) {
  const std::size_t length = count_letters(text, at);
  const std::string word = length <= 9 ? to_ascii(text, at, length) : "";
  for (const Month& month : kMonthsEnglish) {
    if (word == month.name) return {length, std::string(month.name)};
    if (word != month.abbreviation && !(word == "Sep" && month.abbreviation == "Sept")) continue;
    const std::size_t point = char_at(text, at + length) == U'.' ? 1 : 0;
    return {length + point, std::string(month.name)};
  }
  return {};
}

// "1998-05-03", "1998/5/3".
std::optional<Reading> read_year_first(std::u32string_view text, std::size_t at) {
  if (count_digits(text, at) != 4) return std::nullopt;
  const char32_t separator = char_at(text, at + 4);
  const std::size_t month_digits = count_digits(text, at + 5);
  const std::size_t day_at = at + 5 + month_digits + 1;
  const std::size_t day_digits = count_digits(text, day_at);
  const bool shaped = (separator == U'/' && month_digits <= 2 && day_digits <= 2) ||
                      (separator == U'-' && month_digits == 2 && day_digits == 2);
  if (!shaped || char_at(text, day_at - 1) != separator) return std::nullopt;
  const std::uint64_t month = number_at(text, at + 5, month_digits);
  const std::uint64_t day = number_at(text, day_at, day_digits);
  if (!is_month(month) || !is_day(day)) return std::nullopt;
  return Reading{day_at + day_digits - at, full_date(number_at(text, at, 4), month, day)};
}

bool is_date_preposition(std::string_view word) {
  static constexpr std::array<std::string_view, 8> kWords = {
      "by", "until", "before", "after", "since", "from", "dated", "due"};
  return std::ranges::count(kWords, word) > 0;
}

// Reads "12/25". After "on" any valid day counts. After "by", "until" and similar words, or with
// two digits on both sides, only what is unlikely to be a fraction counts. "9/11" is an idiom.
std::optional<Reading> read_month_slash_day(std::u32string_view text, std::size_t at) {
  const std::size_t first = count_digits(text, at);
  const std::size_t day_at = at + first + 1;
  if (first == 0 || first > 2 || char_at(text, day_at - 1) != U'/') return std::nullopt;
  const std::size_t second = count_digits(text, day_at);
  const std::size_t end = day_at + second;
  const char32_t after = char_at(text, end);
  const bool continues = after == U'/' || after == U'-' || is_letter(after);
  if (second == 0 || second > 2 || continues || matches_at(text, at, "9/11")) return std::nullopt;
  const std::uint64_t month = number_at(text, at, first);
  const std::uint64_t day = number_at(text, day_at, second);
  if (!is_month(month) || !is_day(day)) return std::nullopt;

  const std::string before = word_before(text, at);
  const bool no_fraction = text[at] == U'0' || text[day_at] == U'0' || day > 12;
  const bool mixed = at >= 2 && text[at - 1] == U' ' && is_digit(text[at - 2]);
  const bool alone = first == 2 && second == 2 && day != 16 && !matches_at(text, end, " of ");
  const bool is_date =
      before == "on" || (no_fraction && !mixed && (alone || is_date_preposition(before)));
  if (!is_date) return std::nullopt;
  return Reading{end - at,
                 std::string(kMonthsEnglish[month - 1].name) + ' ' + ordinal_english(day)};
}

std::optional<Reading> read_slash_date(std::u32string_view text, std::size_t at) {
  const std::size_t first = count_digits(text, at);
  if (first == 0 || first > 2 || char_at(text, at + first) != U'/') return std::nullopt;
  const std::size_t second_at = at + first + 1;
  const std::size_t second = count_digits(text, second_at);
  if (second == 0 || second > 2 || char_at(text, second_at + second) != U'/') return std::nullopt;
  const std::size_t year_at = second_at + second + 1;
  if (count_digits(text, year_at) != 4) return std::nullopt;

  std::uint64_t month = number_at(text, at, first);
  std::uint64_t day = number_at(text, second_at, second);
  if (!is_month(month)) std::swap(month, day);
  if (!is_month(month) || !is_day(day)) return std::nullopt;
  return Reading{year_at + 4 - at, full_date(number_at(text, year_at, 4), month, day)};
}

std::optional<Reading> read_day_and_month(std::u32string_view text, std::size_t at) {
  const std::size_t digits = count_digits(text, at);
  if (digits == 0 || digits > 2 || char_at(text, at + digits) != U' ') return std::nullopt;
  const std::uint64_t day = number_at(text, at, digits);
  const Reading month = read_month(text, at + digits + 1);
  if (!is_day(day) || month.length == 0) return std::nullopt;
  return Reading{digits + 1 + month.length, "the " + ordinal_english(day) + " of " + month.words};
}

// Reads "am", "p.m.", "PM" after an optional space. The last point stays if it ends a sentence.
std::optional<Reading> read_meridiem(std::u32string_view text, std::size_t at) {
  std::size_t next = char_at(text, at) == U' ' ? at + 1 : at;
  const char32_t half = char_at(text, next) | 0x20U;
  if (half != U'a' && half != U'p') return std::nullopt;
  const bool points = char_at(text, next + 1) == U'.';
  next += points ? 2 : 1;
  if ((char_at(text, next) | 0x20U) != U'm') return std::nullopt;
  ++next;
  if (points && char_at(text, next) == U'.' && !sentence_surely_ends(text, next + 1)) ++next;
  if (is_letter_or_digit(char_at(text, next))) return std::nullopt;
  return Reading{next - at, half == U'a' ? "A M" : "P M"};
}

std::string time_of_day(std::uint64_t hour, std::uint64_t minute, bool with_meridiem) {
  std::string hours = cardinal_english(hour);
  if (minute == 0) {
    if (with_meridiem) return hours;
    if (hour % 24 == 0) return "midnight";
    return hours + (hour >= 1 && hour <= 12 ? " o'clock" : " hundred");
  }
  return hours + (minute < 10 ? " oh " : " ") + cardinal_english(minute);
}

std::string count_of(std::uint64_t number, std::string_view unit) {
  return cardinal_english(number) + ' ' + std::string(unit) + (number == 1 ? "" : "s");
}

std::optional<Reading> read_one_time_english(std::u32string_view text, std::size_t at) {
  const std::size_t digits = count_digits(text, at);
  if (digits == 0 || digits > 2) return std::nullopt;
  const std::uint64_t hour = number_at(text, at, digits);
  std::size_t end = at + digits;
  if (char_at(text, end) != U':') {
    const auto meridiem = read_meridiem(text, end);
    if (!meridiem || hour < 1 || hour > 12) return std::nullopt;
    return Reading{digits + meridiem->length, cardinal_english(hour) + ' ' + meridiem->words};
  }

  const std::uint64_t minute = number_at(text, end + 1, 2);
  if (count_digits(text, end + 1) != 2 || hour > 24 || minute > 59) return std::nullopt;
  end += 3;
  if (char_at(text, end) == U':' && count_digits(text, end + 1) == 2) {
    const std::uint64_t second = number_at(text, end + 1, 2);
    return Reading{end + 3 - at,
                   count_of(hour, "hour") + ", " + count_of(minute, "minute") + " and " +
                       count_of(second, "second")};
  }
  if (const auto meridiem = read_meridiem(text, end)) {
    return Reading{end - at + meridiem->length,
                   time_of_day(hour, minute, true) + ' ' + meridiem->words};
  }
  return Reading{end - at, time_of_day(hour, minute, false)};
}

}  // namespace

std::optional<Reading> read_date(std::u32string_view text, std::size_t at) {
  if (auto year_first = read_year_first(text, at)) return year_first;
  if (auto slashes = read_slash_date(text, at)) return slashes;
  if (auto day = read_month_slash_day(text, at)) return day;
  return read_day_and_month(text, at);
}

std::optional<Reading> read_month_and_day(std::u32string_view text, std::size_t at) {
  const Reading month = read_month(text, at);
  if (month.length == 0 || char_at(text, at + month.length) != U' ') return std::nullopt;
  const std::size_t day_at = at + month.length + 1;
  const std::size_t digits = count_digits(text, day_at);
  const std::uint64_t day = digits <= 2 ? number_at(text, day_at, digits) : 0;
  if (!is_day(day)) return std::nullopt;

  std::size_t end = day_at + digits;
  for (const std::string_view suffix : {"st", "nd", "rd", "th"}) {
    if (matches_at(text, end, suffix) && !is_letter(char_at(text, end + 2))) {
      end += 2;
      break;
    }
  }
  // The numbers in "May 3:05", "May 3.5", "May 3-5" and "May 3%" are no days.
  const char32_t after = char_at(text, end);
  const bool continues =
      (after == U'.' || after == U',' || after == U':' || after == U'-' || after == U'/') &&
      is_digit(char_at(text, end + 1));
  if (continues || is_letter(after) || after == U'%') return std::nullopt;
  return Reading{end - at, month.words + ' ' + ordinal_english(day)};
}

std::optional<Reading> read_time(std::u32string_view text, std::size_t at) {
  auto first = read_one_time_english(text, at);
  const std::size_t digits = count_digits(text, at);
  const bool bare_hour = !first && (digits == 1 || digits == 2);  // "3-5 pm"
  if (!first && !bare_hour) return std::nullopt;
  const std::size_t dash_at = at + (first ? first->length : digits);
  const bool dash = char_at(text, dash_at) == U'-' && is_digit(char_at(text, dash_at + 1));
  const auto second = dash ? read_one_time_english(text, dash_at + 1) : std::nullopt;
  if (!second || (bare_hour && char_at(text, dash_at + 2) == U':')) return first;
  if (bare_hour && char_at(text, dash_at + 3) == U':') return first;
  const std::string words = first ? first->words : cardinal_english(number_at(text, at, digits));
  return Reading{dash_at + 1 + second->length - at, words + " to " + second->words};
}

}  // namespace myxtts::text
