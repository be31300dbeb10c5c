#pragma once

#include <string_view>

namespace xtts::text {

// What is said for a sign or a Greek letter that stands for itself: '&' "and"; "" when it is not
// one that is said.
std::string_view symbol_words_english(char32_t symbol);

// True for the marks that stay in a normalised text: . , ; : ! ? ( ) " - and the dash.
bool is_kept_mark_english(char32_t c);

}  // namespace xtts::text
