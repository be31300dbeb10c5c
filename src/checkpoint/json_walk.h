// JSON that nobody vouches for, read as events: no tree is built, so that neither deep nesting nor
// a million empty lists cost more memory than they are long.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace xtts::checkpoint {

struct JsonEvent {
  enum class Kind { kObject, kArray, kText, kCount, kOther };  // the first two: it begins

  Kind kind = Kind::kOther;
  std::span<const std::string> path;  // keys of the objects around it; valid during the call
  std::size_t array_depth = 0;        // lists around it inside of the innermost object
  std::string_view text;              // of a kText; valid during the call
  std::uint64_t count = 0;            // of a kCount: an integer that is not negative
};

// Calls `visit` for every value in the order of the text; what it throws passes through. Throws
// UserError if the text is no JSON or is nested deeper than `max_depth`; `source` begins the
// message.
void walk_json(std::string_view text,
               std::size_t max_depth,
               const std::string& source,
               const std::function<void(const JsonEvent&)>& visit);

// The string as it stands in a JSON file. Throws BugError if it is not UTF-8.
std::string json_string(std::string_view text);

// A string from a file, for a message: quoted, at most 80 bytes of it, and nothing in it that could
// command a terminal.
std::string quoted_start(std::string_view text);

}  // namespace xtts::checkpoint
