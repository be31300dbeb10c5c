// A text file with one sentence per line: what is spoken, and judged.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace xtts::speak {

inline constexpr std::size_t kMaxListBytes = std::size_t{16} << 20U;

struct ListedSentence {
  std::string text;      // without blanks at its ends; not every line need be UTF-8
  std::size_t line = 0;  // 1 for the first
};

// The lines that are not blank. A byte order mark is no part of the first.
std::vector<ListedSentence> listed_sentences(std::string_view bytes);

// The bytes of the file that was named by `flag`. Throws UsageError if it is not there (with the
// nearest name that is), UserError if it cannot be read.
std::string read_sentence_file(const std::string& name, std::string_view flag);

}  // namespace xtts::speak
