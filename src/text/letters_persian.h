#pragma once

#include <string>
#include <string_view>

namespace xtts::text {

inline constexpr char32_t kHalfSpace = U'\u200c';  // zero-width non-joiner
inline constexpr char32_t kHamzaAbove = U'\u0654';

bool is_arabic_letter(char32_t c);  // of the Arabic script, Persian included

// Arabic and other forms of a letter become the Persian one (yeh, kaf, heh), a hamza on the first
// alef of a word goes ("mas'ale" and "ra'y" keep theirs), the stretching stroke and the vowel signs
// go, because espeak-ng spells them out. The hamza above a final heh stays: it is heard.
std::u32string unify_letters_persian(std::u32string_view text);

// One half-space where there are several; none at the edge of a word; the
// endings of the plural and of comparison ("-ha", "-tar", "-tarin") and the "ye" after a heh that
// stand alone are tied to the word before, the openings of a verb ("mi", "nemi") to the word
// behind. Nothing else is joined: the same letters may be a word of their own.
std::u32string tidy_half_spaces(std::u32string_view text);

}  // namespace xtts::text
