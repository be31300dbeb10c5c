#pragma once

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace myxtts::config {

// Collects one message per failed check.
class ConfigErrors {
 public:
  template <typename... Args>
  void expect(bool ok, fmt::format_string<Args...> message, Args&&... args) {
    if (!ok) messages_.push_back(fmt::format(message, std::forward<Args>(args)...));
  }

  std::vector<std::string> take() { return std::move(messages_); }

 private:
  std::vector<std::string> messages_;
};

}  // namespace myxtts::config
