#include "text/dates_persian.h"

#include <array>
#include <cstdint>
#include <string>
#include <utility>

#include "text/numbers_english.h"
#include "text/numbers_persian.h"

namespace myxtts::text {
namespace {

constexpr std::array<std::string_view, 12> kSolarMonthsPersian = {"فروردین",
                                                                  "اردیبهشت",
                                                                  "خرداد",
                                                                  "تیر",
                                                                  "مرداد",
                                                                  "شهریور",
                                                                  "مهر",
                                                                  "آبان",
                                                                  "آذر",
                                                                  "دی",
                                                                  "بهمن",
                                                                  "اسفند"};

constexpr std::array<std::string_view, 12> kGregorianMonthsPersian = {"ژانویه",
                                                                      "فوریه",
                                                                      "مارس",
                                                                      "آوریل",
                                                                      "مه",
                                                                      "ژوئن",
                                                                      "ژوئیه",
                                                                      "اوت",
                                                                      "سپتامبر",
                                                                      "اکتبر",
                                                                      "نوامبر",
                                                                      "دسامبر"};

struct Field {
  std::size_t num_digits = 0;
  std::uint64_t value = 0;
};

Field field_at(std::u32string_view text, std::size_t at) {
  const std::size_t digits = count_digits(text, at);
  return {digits, value_of_digits(to_ascii(text, at, digits), 0)};
}

std::string date_words(std::uint64_t year, std::uint64_t month, std::uint64_t day) {
  const bool persian = year >= 1200 && year <= 1499;
  const bool gregorian = year >= 1800 && year <= 2099;
  if (!persian && !gregorian) return "";
  if (month < 1 || month > 12 || day < 1 || day > 31) return "";
  const std::string_view name =
      persian ? kSolarMonthsPersian[month - 1] : kGregorianMonthsPersian[month - 1];
  return ordinal_persian(day) + ' ' + std::string(name) + ' ' + cardinal_persian(year);
}

std::optional<Reading> read_one_time_persian(std::u32string_view text, std::size_t at) {
  const Field hour = field_at(text, at);
  std::size_t end = at + hour.num_digits;
  if (hour.num_digits == 0 || hour.num_digits > 2 || char_at(text, end) != U':')
    return std::nullopt;
  const Field minute = field_at(text, end + 1);
  if (minute.num_digits != 2 || hour.value > 24 || minute.value > 59) return std::nullopt;
  end += 3;
  std::string words = cardinal_persian(hour.value);
  if (minute.value > 0) words += " و " + cardinal_persian(minute.value) + " دقیقه";
  const Field second = char_at(text, end) == U':' ? field_at(text, end + 1) : Field{};
  if (second.num_digits == 2 && second.value <= 59) {
    end += 3;
    if (second.value > 0) words += " و " + cardinal_persian(second.value) + " ثانیه";
  }
  return Reading{end - at, words};
}

}  // namespace

std::optional<Reading> read_date_persian(std::u32string_view text, std::size_t at) {
  Field first = field_at(text, at);
  const std::size_t second_at = at + first.num_digits + 1;
  const char32_t separator = char_at(text, second_at - 1);
  if (separator != U'/' && separator != U'-') return std::nullopt;
  const Field second = field_at(text, second_at);
  const std::size_t third_at = second_at + second.num_digits + 1;
  if (char_at(text, third_at - 1) != separator) return std::nullopt;
  Field third = field_at(text, third_at);
  const std::size_t length = third_at + third.num_digits - at;

  if (third.num_digits == 4) std::swap(first, third);  // the day was first
  const bool shaped = first.num_digits == 4 && second.num_digits >= 1 && second.num_digits <= 2 &&
                      third.num_digits >= 1 && third.num_digits <= 2;
  if (!shaped) return std::nullopt;
  const std::string words = date_words(first.value, second.value, third.value);
  if (words.empty()) return std::nullopt;
  return Reading{length, words};
}

std::optional<Reading> read_time_persian(std::u32string_view text, std::size_t at) {
  auto first = read_one_time_persian(text, at);
  if (!first || char_at(text, at + first->length) != U'-') return first;
  const auto second = read_one_time_persian(text, at + first->length + 1);
  if (!second) return first;
  return Reading{first->length + 1 + second->length, first->words + " تا " + second->words};
}

std::optional<Reading> read_telephone_persian(std::u32string_view text, std::size_t at) {
  const bool country = matches_at(text, at, "+98");
  if (!country && char_at(text, at) != U'0') return std::nullopt;
  const std::size_t max_digits = country ? 12 : 11;
  std::size_t end = country ? at + 1 : at;
  std::string words = country ? "مثبت " : "";
  std::size_t num_digits = 0;
  while (true) {
    const std::size_t digits = count_digits(text, end);
    num_digits += digits;
    if (num_digits > max_digits) return std::nullopt;
    words += spell_digits_persian(to_ascii(text, end, digits));
    end += digits;
    const char32_t separator = char_at(text, end);
    const bool continues =
        (separator == U'-' || separator == U' ') && is_digit(char_at(text, end + 1));
    if (num_digits == max_digits || !continues) break;
    words += "، ";
    ++end;
  }
  if (num_digits + 1 < max_digits) return std::nullopt;
  return Reading{end - at, words};
}

}  // namespace myxtts::text
