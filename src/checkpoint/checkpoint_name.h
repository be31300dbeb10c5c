// The names of saves: step_00001234 when whole, step_00001234.tmp.<pid> before.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace xtts::checkpoint {

inline constexpr const char* kModelFile = "model.safetensors";
inline constexpr const char* kTrainerFile = "trainer.safetensors";
inline constexpr const char* kConfigFile = "config.json";
inline constexpr const char* kManifestFile = "manifest.json";

// "step_00001234"; more digits where they are needed. The step is not negative.
std::string checkpoint_name(std::int64_t step);

// The step of a whole save, from the last part of its path; nullopt for every other name.
std::optional<std::int64_t> step_of(const std::filesystem::path& folder);

// "step_00001234.tmp.4711" of this process.
std::string unfinished_name(std::int64_t step);

// True for such a name, of whatever process.
bool is_unfinished_checkpoint(const std::filesystem::path& folder);

}  // namespace xtts::checkpoint
