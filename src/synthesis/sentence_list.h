// Reads text files with one sentence per line, the input of synthesis and evaluation.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace myxtts::synthesis {

inline constexpr std::size_t kMaxListBytes = std::size_t{16} << 20U;

struct ListedSentence {
  std::string text;      // trimmed; may be invalid UTF-8
  std::size_t line = 0;  // from 1
};

// Returns the lines that are not blank. A byte order mark at the start is ignored.
std::vector<ListedSentence> parse_sentence_list(std::string_view bytes);

// Returns the bytes of the file that `flag` names. Throws UsageError if the file does not exist
// (with the nearest existing name), UserError if it cannot be read.
std::string read_sentence_file(const std::string& name, std::string_view flag);

}  // namespace myxtts::synthesis
