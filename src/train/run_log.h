#pragma once

#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "train/append_file.h"

namespace xtts::train {

// What a training says: on standard error, and with the time (UTC) before each line at the end of
// RUN/log.txt, which keeps the words of every start of the run. A log that cannot be written is
// said once and lost. Thread-safe; what one call says stays together.
class RunLog {
 public:
  explicit RunLog(const std::filesystem::path& file) : file_(file) {}

  // The message ends its own lines, as with base::say().
  template <typename... Args>
  void say(fmt::format_string<Args...> message, Args&&... args) {
    write(fmt::format(message, std::forward<Args>(args)...));
  }

  void write(std::string_view text);  // what say() does with its words

 private:
  std::mutex mutex_;
  AppendFile file_;
  bool at_line_start_ = true;
};

}  // namespace xtts::train
