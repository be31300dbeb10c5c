#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace xtts::text {

// Characters that were left out because nothing speaks them, each once, at most kMaxListed.
class DroppedCharacters {
 public:
  static constexpr std::size_t kMaxListed = 32;

  void add(char32_t c);
  std::vector<std::string> list() const;

 private:
  std::u32string seen_;
};

// One spelling for what is written in many ways, for every language: compatibility forms (NFKC:
// ligatures, full width, presentation forms), all spaces, digits of all scripts to ASCII, quotation
// marks to '"' (the angled ones of Persian are kept), apostrophes to ', hyphens and minus to '-',
// dashes to an em dash (between digits to '-'). Control and format characters vanish, except the
// zero-width non-joiner; emoji, unassigned and private characters go to `dropped`.
// Spaces are single and not at the ends. `utf8` must be well formed.
std::u32string unify_characters(std::string_view utf8, DroppedCharacters& dropped);

// Drops control characters and folds spaces, nothing else: what even "no_cleaners" needs.
std::u32string fold_spaces(std::u32string_view text);

// After a normaliser: runs of marks become one ("?!" -> "?", "..." -> an ellipsis, "--" -> a dash),
// no space stands before a closing or after an opening mark, runs of apostrophes become one.
std::u32string tidy_marks(std::u32string_view text);

// Canonical decomposition of one character: 'e' and the accent for e-acute.
std::u32string decompose(char32_t c);

std::u32string lower_case(std::u32string_view text);

}  // namespace xtts::text
