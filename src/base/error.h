// The three ways this program fails.
//
//   UsageError  the command line or the configuration is wrong. The message says what was found,
//               what was expected and the nearest right spelling. The CLI exits with 2.
//   UserError   a file, a device or the machine failed us. The message says what was found, what
//               was expected and what to do next. The CLI exits with 1.
//   BugError    an invariant of ours does not hold. The message carries the source position.
//               The CLI asks for a report and exits with 70.
//
// What a healthy run expects (end of data, a skipped utterance, a closed queue) is a value,
// never an exception.
#pragma once

#include <stdexcept>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace xtts {

class UserError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class UsageError : public UserError {
 public:
  using UserError::UserError;
};

class BugError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

// What LibTorch and the system throw goes on for pages; the first line says it.
inline std::string_view first_line(std::string_view message) {
  return message.substr(0, message.find('\n'));
}

// Checks what the outside world gave us.
template <typename... Args>
void require(bool ok, fmt::format_string<Args...> message, Args&&... args) {
  if (!ok) [[unlikely]] {
    throw UserError(fmt::format(message, std::forward<Args>(args)...));
  }
}

// Checks what the person typed: a flag, a key, a value, a name of a file or a voice.
template <typename... Args>
void require_usage(bool ok, fmt::format_string<Args...> message, Args&&... args) {
  if (!ok) [[unlikely]] {
    throw UsageError(fmt::format(message, std::forward<Args>(args)...));
  }
}

// Checks what we promised ourselves.
//
// std::source_location would be the standard spelling, but clang-tidy 14 cannot parse it.
inline void invariant(bool ok,
                      std::string_view promise,
                      const char* file = __builtin_FILE(),
                      int line = __builtin_LINE()) {
  if (!ok) [[unlikely]] {
    throw BugError(fmt::format("{}:{}: broken invariant: {}", file, line, promise));
  }
}

}  // namespace xtts
