// Reads signs and symbols in English.
#pragma once

#include <string>
#include <string_view>

namespace myxtts::text {

// Replaces signs that unify_characters() would lose by words: superscript two and three, the
// mathematical minus, the numero sign U+2116.
std::u32string spell_out_signs(std::u32string_view text);

// Returns the spoken form of a sign or a Greek letter, '&' -> "and", or "" if it has none.
std::string_view symbol_words_english(char32_t symbol);

// True for punctuation that stays in normalised text: . , ; : ! ? ( ) " - and the dash.
bool is_kept_punctuation_english(char32_t c);

}  // namespace myxtts::text
