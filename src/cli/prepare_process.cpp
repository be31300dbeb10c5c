#include "cli/prepare_process.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <span>
#include <string_view>

#include <unistd.h>

#include "base/onednn_limit.h"

namespace myxtts::cli {
namespace {

// Waiting OpenMP threads spin briefly, because the next operator usually follows within a fraction
// of a millisecond, and then sleep, because a spinning thread would take the core of a loader
// thread.
constexpr const char* kSpinsBeforeSleep = "10000";

constexpr std::array<std::string_view, 7> kTensorCommands = {
    "bench", "demo", "diagnose", "evaluate", "speak", "train", "train-vocoder"};

bool is_help(std::string_view argument) {
  return argument == "-h" || argument == "--help";
}

bool uses_tensors(std::span<char*> arguments) {
  if (arguments.size() < 2) return false;
  const std::span<char*> rest = arguments.subspan(2);
  if (std::ranges::any_of(rest, [](const char* argument) { return is_help(argument); }))
    return false;
  const std::string_view command = arguments[1];
  if (command == "audio") {
    return std::ranges::any_of(
        rest, [](std::string_view argument) { return argument.starts_with("--vocoder"); });
  }
  return std::ranges::find(kTensorCommands, command) != kTensorCommands.end();
}

}  // namespace

void prepare_process(int argc, char** argv) {
  if (!uses_tensors({argv, static_cast<std::size_t>(argc)})) return;
  base::limit_onednn();
  if (std::getenv("OMP_WAIT_POLICY") != nullptr) return;  // restarted, or chosen by the user
  setenv("GOMP_SPINCOUNT", kSpinsBeforeSleep, /*overwrite=*/0);
  setenv("OMP_WAIT_POLICY", "passive", /*overwrite=*/1);
  execv("/proc/self/exe", argv);  // returns only on failure; then the defaults of libgomp hold
}

}  // namespace myxtts::cli
