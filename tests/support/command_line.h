// Runs the program inside a test process.
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cli/program.h"

namespace myxtts::support {

// Exit code and output of a call of the program.
struct CommandResult {
  int code = 0;
  std::string output;  // standard output
  std::string errors;  // standard error
};

// Runs "myxtts ARGUMENTS..." in this process.
inline CommandResult run_myxtts(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "myxtts");
  std::vector<char*> argv;
  for (std::string& argument : arguments)
    argv.push_back(argument.data());
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const int code = cli::run_program(static_cast<int>(argv.size()), argv.data());
  return {code, testing::internal::GetCapturedStdout(), testing::internal::GetCapturedStderr()};
}

}  // namespace myxtts::support
