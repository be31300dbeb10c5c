#include "text/units_english.h"

#include <array>
#include <string>

namespace myxtts::text {
namespace {

struct Unit {
  std::string_view written, one, many;
};

// Longer spellings precede their own prefixes: the first match wins.
constexpr std::array<Unit, 58> kUnitsEnglish = {{
    {"km/h", "kilometer per hour", "kilometers per hour"},
    {"m/s", "meter per second", "meters per second"},
    {"km", "kilometer", "kilometers"},
    {"cm", "centimeter", "centimeters"},
    {"mm", "millimeter", "millimeters"},
    {"\u03bcm", "micrometer", "micrometers"},
    {"nm", "nanometer", "nanometers"},
    {"m", "meter", "meters"},
    {"kg", "kilogram", "kilograms"},
    {"mg", "milligram", "milligrams"},
    {"g", "gram", "grams"},
    {"lbs.", "pound", "pounds"},
    {"lbs", "pound", "pounds"},
    {"lb.", "pound", "pounds"},
    {"lb", "pound", "pounds"},
    {"oz.", "ounce", "ounces"},
    {"oz", "ounce", "ounces"},
    {"ft.", "foot", "feet"},
    {"ft", "foot", "feet"},
    {"in.", "inch", "inches"},
    {"yd.", "yard", "yards"},
    {"yd", "yard", "yards"},
    {"mi.", "mile", "miles"},
    {"mi", "mile", "miles"},
    {"mph", "mile per hour", "miles per hour"},
    {"kph", "kilometer per hour", "kilometers per hour"},
    {"kHz", "kilohertz", "kilohertz"},
    {"MHz", "megahertz", "megahertz"},
    {"GHz", "gigahertz", "gigahertz"},
    {"Hz", "hertz", "hertz"},
    {"KB", "kilobyte", "kilobytes"},
    {"kB", "kilobyte", "kilobytes"},
    {"MB", "megabyte", "megabytes"},
    {"GB", "gigabyte", "gigabytes"},
    {"TB", "terabyte", "terabytes"},
    {"kW", "kilowatt", "kilowatts"},
    {"kWh", "kilowatt hour", "kilowatt hours"},
    {"MW", "megawatt", "megawatts"},
    {"W", "watt", "watts"},
    {"kV", "kilovolt", "kilovolts"},
    {"V", "volt", "volts"},
    {"mA", "milliampere", "milliamperes"},
    {"dB", "decibel", "decibels"},
    {"kJ", "kilojoule", "kilojoules"},
    {"kcal", "kilocalorie", "kilocalories"},
    {"ml", "milliliter", "milliliters"},
    {"mL", "milliliter", "milliliters"},
    {"L", "liter", "liters"},
    {"ms", "millisecond", "milliseconds"},
    {"min.", "minute", "minutes"},
    {"min", "minute", "minutes"},
    {"hrs", "hour", "hours"},
    {"hr", "hour", "hours"},
    {"h", "hour", "hours"},
    {"rpm", "revolution per minute", "revolutions per minute"},
    {"\u00b0C", "degree Celsius", "degrees Celsius"},
    {"\u00b0F", "degree Fahrenheit", "degrees Fahrenheit"},
    {"\u00b0", "degree", "degrees"},
}};

// Compares `written` (UTF-8) with the text. Returns the number of matched code points, 0 if
// different.
std::size_t match_unit(std::u32string_view text, std::size_t at, std::string_view written) {
  std::size_t matched = 0;
  for (std::size_t i = 0; i < written.size(); ++matched) {
    const auto byte = static_cast<unsigned char>(written[i]);
    char32_t wanted = byte;
    if (byte >= 0x80) {  // only two-byte letters are in the table
      wanted = (static_cast<char32_t>(byte & 0x1FU) << 6U) |
               (static_cast<unsigned char>(written[i + 1]) & 0x3FU);
    }
    if (char_at(text, at + matched) != wanted) return 0;
    i += byte >= 0x80 ? 2 : 1;
  }
  return matched;
}

}  // namespace

std::optional<Reading> read_unit(std::u32string_view text, std::size_t at, bool singular) {
  const std::size_t unit_at = char_at(text, at) == U' ' ? at + 1 : at;
  for (const Unit& unit : kUnitsEnglish) {
    std::size_t length = match_unit(text, unit_at, unit.written);
    if (length == 0 || is_letter_or_digit(char_at(text, unit_at + length))) continue;
    // A point that also ends the sentence stays in the text.
    const bool with_point = unit.written.back() == '.';
    if (with_point && sentence_may_end(text, unit_at + length)) --length;
    return Reading{unit_at + length - at, std::string(singular ? unit.one : unit.many)};
  }
  return std::nullopt;
}

}  // namespace myxtts::text
