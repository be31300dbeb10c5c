#pragma once

#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "train/append_file.h"

namespace myxtts::train {

// Logs to standard error and, with a UTC time stamp per line, to RUN/log.txt.
//
// log.txt keeps the lines of all starts of the run. A write error is reported once and otherwise
// ignored. Thread-safe; the text of one call stays together.
class RunLog {
 public:
  explicit RunLog(const std::filesystem::path& file) : file_(file) {}

  // The message includes its newlines, as for base::log().
  template <typename... Args>
  void log(fmt::format_string<Args...> message, Args&&... args) {
    write(fmt::format(message, std::forward<Args>(args)...));
  }

  void write(std::string_view text);  // logs text without formatting

 private:
  std::mutex mutex_;
  AppendFile file_;
  bool at_line_start_ = true;
};

}  // namespace myxtts::train
