#include "text/symbols_english.h"

#include <algorithm>
#include <array>
#include <utility>

namespace myxtts::text {
namespace {

constexpr std::array<std::pair<char32_t, std::string_view>, 33> kWords = {{
    {U'&', "and"},
    {U'@', "at"},
    {U'%', "percent"},
    {U'+', "plus"},
    {U'=', "equals"},
    {U'<', "less than"},
    {U'>', "greater than"},
    {U'\u00b0', "degrees"},
    {U'\u00b1', "plus or minus"},
    {U'\u2030', "per mille"},
    {U'\u00d7', "times"},
    {U'\u00f7', "divided by"},
    {U'\u00a7', "section"},
    {U'\u2260', "is not equal to"},
    {U'\u2264', "is at most"},
    {U'\u2265', "is at least"},
    {U'\u2248', "is about"},
    {U'\u221e', "infinity"},
    {U'\u221a', "the square root of"},
    {U'\u03b1', "alpha"},
    {U'\u03b2', "beta"},
    {U'\u03b3', "gamma"},
    {U'\u03b4', "delta"},
    {U'\u03b5', "epsilon"},
    {U'\u03b8', "theta"},
    {U'\u03bb', "lambda"},
    {U'\u03bc', "mu"},
    {U'\u03c0', "pi"},
    {U'\u03c3', "sigma"},
    {U'\u03c6', "phi"},
    {U'\u03c9', "omega"},
    {U'\u0394', "delta"},
    {U'\u03a9', "omega"},
}};

// True before the minus of "1e-5", "10^-6" and "$-5", which the number readers handle as a hyphen.
bool is_inside_number(char32_t before) {
  constexpr std::u32string_view kBefore = U"eE^$\u00a3\u20ac";
  return kBefore.find(before) != std::u32string_view::npos;
}

}  // namespace

std::u32string spell_out_signs(std::u32string_view text) {
  std::u32string result;
  result.reserve(text.size());
  for (const char32_t c : text) {
    if (c == U'\u00b2') {
      result += U" squared";
    } else if (c == U'\u00b3') {
      result += U" cubed";
    } else if (c == U'\u2116') {
      result += U" number ";
    } else if (c == U'\u2212' && (result.empty() || !is_inside_number(result.back()))) {
      result += U" minus ";
    } else {
      result.push_back(c);
    }
  }
  return result;
}

std::string_view symbol_words_english(char32_t symbol) {
  const auto* found =
      std::ranges::find(kWords, symbol, [](const auto& entry) { return entry.first; });
  return found == kWords.end() ? std::string_view{} : found->second;
}

bool is_kept_punctuation_english(char32_t c) {
  constexpr std::u32string_view kKept = U".,;:!?()\"-\u2014\u2026\u00a1\u00bf";
  return kKept.find(c) != std::u32string_view::npos;
}

}  // namespace myxtts::text
