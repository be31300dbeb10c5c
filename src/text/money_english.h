// Reads amounts of money in English.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "text/reading.h"

namespace myxtts::text {

bool is_currency_sign(char32_t c);
std::string currency_name(char32_t sign);  // "dollars"

// Reads an amount of money at a currency sign: "$1,234.56", "$5 million", "$3bn", "$0.99", "$-5",
// "$20-30", "US$5"; or at a digit if the sign follows the number.
std::optional<Reading> read_money(std::u32string_view text, std::size_t at);

}  // namespace myxtts::text
