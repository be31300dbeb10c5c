// Parses untrusted JSON as a stream of events. No tree is built, so memory stays below the size of
// the text whatever its nesting.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace myxtts::checkpoint {

struct JsonEvent {
  enum class Kind { kObject, kArray, kText, kCount, kOther };  // kObject, kArray: its begin

  Kind kind = Kind::kOther;
  std::span<const std::string> path;  // keys of the enclosing objects; valid during the call
  std::size_t array_depth = 0;        // enclosing arrays within the innermost object
  std::string_view text;              // for kText; valid during the call
  std::uint64_t count = 0;            // for kCount: a non-negative integer
};

// Calls `visit` for every value in the order of the text; exceptions of `visit` pass through.
// Throws UserError if the text is not JSON or is nested deeper than `max_depth`. `source` starts
// the message.
void walk_json(std::string_view text,
               std::size_t max_depth,
               const std::string& source,
               const std::function<void(const JsonEvent&)>& visit);

// Returns the quoted JSON string. Throws BugError if the text is not UTF-8.
std::string json_string(std::string_view text);

// Quotes text from a file for a message: at most 80 bytes, with all control characters escaped.
std::string quoted_start(std::string_view text);

}  // namespace myxtts::checkpoint
