// Version of the program, its libraries and the machine.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace myxtts::base {

// Versions of this build, for reports.
std::string version();           // "0.1.0"
std::string git_version();       // "v0.1.0-12-gabcdef0", with "-dirty"; "unknown" outside a clone
std::string libtorch_version();  // "2.13.0", or empty in a build without LibTorch

// Describes this machine: "x86_64, 8 cores, avx2 avx512f".
std::string machine_text();

// Returns the output of --version: one line each for the program, LibTorch and the machine. Does
// not load LibTorch.
std::string version_text();

// Returns {version git libtorch compiler machine {architecture cores cpu_features}}.
nlohmann::json version_json();

}  // namespace myxtts::base
