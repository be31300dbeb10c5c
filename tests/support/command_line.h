#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cli/program.h"

namespace xtts::support {

// How a run of the program ended, and what it said.
struct Ended {
  int code = 0;
  std::string output;  // standard output
  std::string errors;  // standard error
};

// Runs "myxtts WORDS..." inside of this process.
inline Ended run_myxtts(std::vector<std::string> words) {
  words.insert(words.begin(), "myxtts");
  std::vector<char*> argv;
  for (std::string& word : words)
    argv.push_back(word.data());
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const int code = cli::run_program(static_cast<int>(argv.size()), argv.data());
  return {code, testing::internal::GetCapturedStdout(), testing::internal::GetCapturedStderr()};
}

}  // namespace xtts::support
