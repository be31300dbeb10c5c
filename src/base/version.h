#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace xtts::base {

// What this build is. Each is a plain word for reports; none changes during a run.
std::string version();           // "0.1.0"
std::string git_version();       // "v0.1.0-12-gabcdef0", with "-dirty"; "unknown" outside a clone
std::string libtorch_version();  // "2.13.0", or empty in a build without LibTorch

// What this machine is: "x86_64, 8 cores, avx2 avx512f".
std::string machine_text();

// The answer to --version: a line for the program, one for LibTorch, one for the machine.
// Does not load LibTorch.
std::string version_text();

// The same as {version git libtorch compiler machine {architecture cores cpu_features}}.
nlohmann::json version_json();

}  // namespace xtts::base
