// Checks that throw the errors of myxtts/error.h.
//
//   UsageError  Wrong command line or configuration. Exit code 2.
//   UserError   A file, a device or the machine failed. Exit code 1.
//   BugError    An internal invariant does not hold. Exit code 70.
//
// Messages state what was found, what was expected and what to do. Expected events (end of data,
// a skipped utterance, a closed queue) are return values, not exceptions.
#pragma once

#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <myxtts/error.h>

namespace myxtts {

// Returns the first line of a message. Messages of LibTorch continue with a stack trace.
inline std::string_view first_line(std::string_view message) {
  return message.substr(0, message.find('\n'));
}

// Checks files, devices and other external input. Throws UserError.
template <typename... Args>
void require(bool ok, fmt::format_string<Args...> message, Args&&... args) {
  if (!ok) [[unlikely]] {
    throw UserError(fmt::format(message, std::forward<Args>(args)...));
  }
}

// Checks what the user typed: a flag, a key, a value, a file name. Throws UsageError.
template <typename... Args>
void require_usage(bool ok, fmt::format_string<Args...> message, Args&&... args) {
  if (!ok) [[unlikely]] {
    throw UsageError(fmt::format(message, std::forward<Args>(args)...));
  }
}

// Checks an internal invariant. Throws BugError with the source position.
//
// clang-tidy 14 cannot parse std::source_location, hence the builtins.
inline void invariant(bool ok,
                      std::string_view condition,
                      const char* file = __builtin_FILE(),
                      int line = __builtin_LINE()) {
  if (!ok) [[unlikely]] {
    throw BugError(fmt::format("{}:{}: invariant violated: {}", file, line, condition));
  }
}

}  // namespace myxtts
