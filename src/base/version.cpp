#include "base/version.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/cpu_features.h"
#include "base/threads.h"
#include "build_version.h"

namespace myxtts::base {
namespace {

std::string compiler() {
#if defined(__clang__)
  return fmt::format("clang {}.{}", __clang_major__, __clang_minor__);
#else
  return fmt::format("g++ {}.{}", __GNUC__, __GNUC_MINOR__);
#endif
}

}  // namespace

std::string version() {
  return MYXTTS_VERSION;
}

std::string git_version() {
  return MYXTTS_GIT_VERSION;
}

std::string libtorch_version() {
  return MYXTTS_LIBTORCH_VERSION;
}

std::string machine_text() {
  const int cores = num_usable_cores();
  return fmt::format("{}, {} {}, {}",
                     architecture(),
                     cores,
                     cores == 1 ? "core" : "cores",
                     fmt::join(cpu_features(), " "));
}

std::string version_text() {
  const std::string torch = libtorch_version();
  return fmt::format("myxtts {} ({}, {})\n{}\n{}",
                     version(),
                     git_version(),
                     compiler(),
                     torch.empty() ? "without LibTorch" : "LibTorch " + torch,
                     machine_text());
}

nlohmann::json version_json() {
  return {{"version", version()},
          {"git", git_version()},
          {"libtorch", libtorch_version()},
          {"compiler", compiler()},
          {"machine",
           {{"architecture", architecture()},
            {"cores", num_usable_cores()},
            {"cpu_features", cpu_features()}}}};
}

}  // namespace myxtts::base
