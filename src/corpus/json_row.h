#pragma once

#include <map>
#include <string>
#include <string_view>

namespace xtts::corpus {

// The members of one JSON object that are strings or numbers, as text. Members that are objects or
// arrays are skipped; a member that comes twice has its last value.
struct JsonRow {
  std::map<std::string, std::string> members;
  std::string fault;  // why the bytes are no such object; empty when they are
};

// Reads without building a tree, so hostile nesting costs no memory; deeper than 16 is refused.
JsonRow parse_json_row(std::string_view line);

}  // namespace xtts::corpus
