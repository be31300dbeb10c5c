#pragma once

#include <string>
#include <string_view>

namespace xtts::text {

// The signs that would be lost or changed when characters are unified, in words: the powers, the
// minus of mathematics, the number sign U+2116.
std::u32string spell_out_signs(std::u32string_view text);

// What is said for a sign or a Greek letter that stands for itself: '&' "and"; "" when it is not
// one that is said.
std::string_view symbol_words_english(char32_t symbol);

// True for the marks that stay in a normalised text: . , ; : ! ? ( ) " - and the dash.
bool is_kept_mark_english(char32_t c);

}  // namespace xtts::text
