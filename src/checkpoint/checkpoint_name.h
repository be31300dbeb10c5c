// Names of checkpoint folders: step_00001234 when complete, step_00001234.tmp.<pid> while written.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace myxtts::checkpoint {

inline constexpr const char* kModelFile = "model.safetensors";
inline constexpr const char* kTrainerFile = "trainer.safetensors";
inline constexpr const char* kConfigFile = "config.json";
inline constexpr const char* kManifestFile = "manifest.json";

// Returns "step_00001234", with more digits if needed. The step must not be negative.
std::string checkpoint_name(std::int64_t step);

// Returns the step of a complete checkpoint from the last part of its path, nullopt for other
// names.
std::optional<std::int64_t> step_of(const std::filesystem::path& folder);

// Returns "step_00001234.tmp.4711" with the pid of this process.
std::string unfinished_name(std::int64_t step);

// Returns whether the name is an unfinished_name() of any process.
bool is_unfinished_checkpoint(const std::filesystem::path& folder);

}  // namespace myxtts::checkpoint
