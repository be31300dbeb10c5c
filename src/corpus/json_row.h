#pragma once

#include <map>
#include <string>
#include <string_view>

namespace myxtts::corpus {

// The string and number members of a JSON object, as text. Objects and arrays are skipped; a
// duplicate member has its last value.
struct JsonRow {
  std::map<std::string, std::string> members;
  std::string fault;  // why the line is not a JSON object; empty if it is
};

// Parses without building a tree, so deep nesting costs no memory. Rejects more than 16 levels.
JsonRow parse_json_row(std::string_view line);

}  // namespace myxtts::corpus
