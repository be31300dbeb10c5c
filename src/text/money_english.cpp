#include "text/money_english.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "text/numbers_english.h"
#include "text/quantities_english.h"

namespace myxtts::text {
namespace {

struct Currency {
  char32_t sign;
  std::string_view one, many;
  std::string_view small_one, small_many;  // empty if the currency has no hundredths
};

constexpr std::array<Currency, 6> kCurrencies = {{
    {U'$', "dollar", "dollars", "cent", "cents"},
    {U'\u00a3', "pound", "pounds", "penny", "pence"},
    {U'\u20ac', "euro", "euros", "cent", "cents"},
    {U'\u00a5', "yen", "yen", "", ""},
    {U'\u20b9', "rupee", "rupees", "paisa", "paise"},
    {U'\u00a2', "cent", "cents", "", ""},
}};

constexpr Currency kUsDollar = {U'$', "U S dollar", "U S dollars", "cent", "cents"};

struct Scale {
  std::string_view written, words;
};

constexpr std::array<Scale, 10> kMoneyScales = {{{" thousand", "thousand"},
                                                 {" million", "million"},
                                                 {" billion", "billion"},
                                                 {" trillion", "trillion"},
                                                 {"bn", "billion"},
                                                 {"k", "thousand"},
                                                 {"K", "thousand"},
                                                 {"m", "million"},
                                                 {"M", "million"},
                                                 {"B", "billion"}}};

const Currency* find_currency(char32_t sign) {
  const auto* found = std::ranges::find(kCurrencies, sign, &Currency::sign);
  return found == kCurrencies.end() ? nullptr : found;
}

std::optional<Reading> read_money_scale(std::u32string_view text, std::size_t at) {
  for (const Scale& scale : kMoneyScales) {
    if (!matches_at(text, at, scale.written)) continue;
    if (is_letter_or_digit(char_at(text, at + scale.written.size()))) continue;
    return Reading{scale.written.size(), std::string(scale.words)};
  }
  return std::nullopt;
}

std::string format_money(const Currency& currency, const Amount& amount) {
  const bool hundredths = amount.decimals.size() == 2 && !currency.small_one.empty();
  if (!hundredths) {
    return decimal_english(amount.whole, amount.decimals) + ' ' +
           std::string(amount.is_one() ? currency.one : currency.many);
  }
  const std::uint64_t small = value_of_digits(amount.decimals, 0);
  std::string small_words = cardinal_english(small) + ' ' +
                            std::string(small == 1 ? currency.small_one : currency.small_many);
  const bool no_whole = amount.whole.empty() || amount.whole == "0";
  if (no_whole && small > 0) return small_words;
  const std::string words = (no_whole ? std::string("zero") : integer_english(amount.whole)) + ' ' +
                            std::string(amount.whole == "1" ? currency.one : currency.many);
  return small == 0 ? words : words + " and " + small_words;
}

// Reads the amount after a sign that ends at `sign_end`: "5", " 5", "-5", "20-30", "5 million".
std::optional<Reading> read_sign_first(std::u32string_view text,
                                       std::size_t at,
                                       std::size_t sign_end,
                                       const Currency& currency) {
  const bool minus = char_at(text, sign_end) == U'-';
  const bool gap = char_at(text, sign_end) == U' ';
  const std::size_t amount_at = sign_end + (minus || gap ? 1 : 0);
  Amount amount = read_amount(text, amount_at);
  if (amount.length == 0) return std::nullopt;

  std::string words = minus ? "minus " : "";
  std::size_t end = amount_at + amount.length;
  if (char_at(text, end) == U'-' && is_digit(char_at(text, end + 1))) {
    const Amount second = read_amount(text, end + 1);
    const std::size_t second_end = end + 1 + second.length;
    if (char_at(text, second_end) != U'-') {
      words += decimal_english(amount.whole, amount.decimals) + " to ";
      amount = second;
      end = second_end;
    }
  }
  if (const auto scale = read_money_scale(text, end)) {
    words += decimal_english(amount.whole, amount.decimals) + ' ' + scale->words + ' ';
    return Reading{end + scale->length - at, words + std::string(currency.many)};
  }
  return Reading{end - at, words + format_money(currency, amount)};
}

}  // namespace

bool is_currency_sign(char32_t c) {
  return find_currency(c) != nullptr;
}

std::string currency_name(char32_t sign) {
  const Currency* currency = find_currency(sign);
  return currency == nullptr ? "" : std::string(currency->many);
}

std::optional<Reading> read_money(std::u32string_view text, std::size_t at) {
  if (matches_at(text, at, "US$")) return read_sign_first(text, at, at + 3, kUsDollar);
  const Currency* currency = find_currency(char_at(text, at));
  if (currency != nullptr) return read_sign_first(text, at, at + 1, *currency);

  const Amount amount = read_amount(text, at);
  if (amount.length == 0) return std::nullopt;
  std::size_t end = at + amount.length;
  if (char_at(text, end) == U' ') ++end;
  currency = find_currency(char_at(text, end));
  // In "5 $10 notes" the sign belongs to the number that follows it.
  if (currency == nullptr || is_digit(char_at(text, end + 1))) return std::nullopt;
  return Reading{end + 1 - at, format_money(*currency, amount)};
}

}  // namespace myxtts::text
