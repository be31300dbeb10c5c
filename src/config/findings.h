#pragma once

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace xtts::config {

// Collects a sentence for each check that fails.
class Findings {
 public:
  template <typename... Args>
  void expect(bool ok, fmt::format_string<Args...> sentence, Args&&... args) {
    if (!ok) sentences_.push_back(fmt::format(sentence, std::forward<Args>(args)...));
  }

  std::vector<std::string> take() { return std::move(sentences_); }

 private:
  std::vector<std::string> sentences_;
};

}  // namespace xtts::config
