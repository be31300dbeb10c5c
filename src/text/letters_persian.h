// Unifies Persian letter forms and half-spaces.
#pragma once

#include <string>
#include <string_view>

namespace myxtts::text {

inline constexpr char32_t kHalfSpace = U'\u200c';  // zero-width non-joiner
inline constexpr char32_t kHamzaAbove = U'\u0654';

bool is_arabic_letter(char32_t c);  // of the Arabic script, Persian included

// Replaces Arabic and other forms of a letter by the Persian one (yeh, kaf, heh). Removes the hamza
// on the first alef of a word ("mas'ale" and "ra'y" keep theirs), the stretching stroke and the
// vowel signs, which espeak-ng would spell out. Keeps the hamza above a final heh, which is
// pronounced.
std::u32string unify_letters_persian(std::u32string_view text);

// Merges repeated half-spaces and removes those at the edge of a word. Joins separate suffixes
// (plural
// "-ha", comparative "-tar", "-tarin", and "ye" after heh) to the previous word and verb prefixes
// ("mi", "nemi") to the next word by a half-space. Other words stay separate.
std::u32string tidy_half_spaces(std::u32string_view text);

}  // namespace myxtts::text
