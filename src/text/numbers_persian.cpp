#include "text/numbers_persian.h"

#include <array>
#include <utility>

#include "base/error.h"
#include "text/numbers_english.h"

namespace myxtts::text {
namespace {

// Nine has a vowel sign: without it espeak-ng reads the letters as "no".
constexpr std::array<std::string_view, 20> kSmallPersian = {
    "صفر", "یک",    "دو",     "سه",    "چهار",   "پنج",    "شش",     "هفت",  "هشت",  "نُه",
    "ده",  "یازده", "دوازده", "سیزده", "چهارده", "پانزده", "شانزده", "هفده", "هجده", "نوزده"};
constexpr std::array<std::string_view, 10> kTensPersian = {
    "", "", "بیست", "سی", "چهل", "پنجاه", "شصت", "هفتاد", "هشتاد", "نود"};
constexpr std::array<std::string_view, 10> kHundredsPersian = {
    "", "صد", "دویست", "سیصد", "چهارصد", "پانصد", "ششصد", "هفتصد", "هشتصد", "نهصد"};
constexpr std::array<std::pair<std::uint64_t, std::string_view>, 4> kScalesPersian = {{
    {1'000'000'000'000, "تریلیون"},
    {1'000'000'000, "میلیارد"},
    {1'000'000, "میلیون"},
    {1'000, "هزار"},
}};
constexpr std::string_view kAnd = " و ";
constexpr std::string_view kThree = "سه";
constexpr std::string_view kThirty = "سی";

void join(std::string& words, std::string_view part) {
  if (!words.empty()) words += kAnd;
  words += part;
}

std::string below_thousand_persian(std::uint64_t number) {
  std::string words;
  if (number >= 100) join(words, kHundredsPersian[number / 100]);
  number %= 100;
  if (number >= kSmallPersian.size()) {
    join(words, kTensPersian[number / 10]);
    number %= 10;
  }
  if (number > 0) join(words, kSmallPersian[number]);
  return words;
}

}  // namespace

std::string cardinal_persian(std::uint64_t number) {
  invariant(number <= kLargestCardinalPersian, "the number is at most kLargestCardinalPersian");
  if (number == 0) return std::string(kSmallPersian[0]);

  std::string words;
  for (const auto& [scale, name] : kScalesPersian) {
    const std::uint64_t count = number / scale;
    number %= scale;
    if (count == 0) continue;
    // "One" is omitted before a thousand, but not before a million.
    const bool bare = count == 1 && scale == 1000;
    join(words, bare ? std::string(name) : below_thousand_persian(count) + ' ' + std::string(name));
  }
  if (number > 0) join(words, below_thousand_persian(number));
  return words;
}

std::string ordinal_persian(std::uint64_t number) {
  std::string words = cardinal_persian(number);
  if (words.ends_with(kThree)) return words.substr(0, words.size() - kThree.size()) + "سوم";
  if (words.ends_with(kThirty)) return words + "\u200cام";
  return words + "م";
}

std::string spell_digits_persian(std::string_view digits) {
  std::string words;
  for (const char digit : digits) {
    if (!words.empty()) words += ' ';
    words += kSmallPersian[static_cast<std::size_t>(digit - '0')];
  }
  return words;
}

std::string integer_persian(std::string_view digits) {
  const bool leading_zero = digits.size() > 1 && digits.front() == '0';
  const std::uint64_t value = value_of_digits(digits, kLargestCardinalPersian + 1);
  if (leading_zero || value > kLargestCardinalPersian) return spell_digits_persian(digits);
  return cardinal_persian(value);
}

std::string decimal_persian(std::string_view whole, std::string_view decimals) {
  std::string words = integer_persian(whole);
  if (decimals.empty()) return words;
  const bool as_number = decimals.size() <= 2 && decimals.front() != '0';
  return words + " ممیز " +
         (as_number ? integer_persian(decimals) : spell_digits_persian(decimals));
}

}  // namespace myxtts::text
