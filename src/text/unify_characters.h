// Unicode clean-up that is common to all languages.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace myxtts::text {

// Collects characters that were removed because they have no spoken form, each once, at most
// kMaxListed.
class DroppedCharacters {
 public:
  static constexpr std::size_t kMaxListed = 32;

  void add(char32_t c);
  std::vector<std::string> list() const;

 private:
  std::u32string seen_;
};

// Unifies equivalent characters: compatibility forms (NFKC: ligatures, full width, presentation
// forms), all spaces, digits of all scripts to ASCII, quotation marks to '"' (Persian angled ones
// stay), apostrophes to ', hyphens and minus to '-', dashes to an em dash (between digits to '-').
// Removes control and format characters except the zero-width non-joiner. Emoji, unassigned and
// private characters go to `dropped`. Spaces become single and are trimmed. `utf8` must be well
// formed.
std::u32string unify_characters(std::string_view utf8, DroppedCharacters& dropped);

// Removes control characters and merges spaces. "no_cleaners" does only this.
std::u32string fold_spaces(std::u32string_view text);

// Tidies the output of a normaliser: merges runs of punctuation ("?!" -> "?", "..." -> an ellipsis,
// "--" -> a dash, repeated apostrophes) and removes spaces before closing and after opening marks.
std::u32string tidy_punctuation(std::u32string_view text);

// Returns the canonical decomposition of a character: 'e' and the accent for e-acute.
std::u32string decompose(char32_t c);

std::u32string lower_case(std::u32string_view text);

}  // namespace myxtts::text
