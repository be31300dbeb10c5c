// The manifest of a checkpoint (manifest.json): sizes and checksums of its files and tensors. Its
// last line is the SHA-256 of the lines before, so that every changed bit is detected.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace myxtts::checkpoint {

// Readers accept every version up to their own and reject newer ones.
inline constexpr std::uint64_t kCheckpointFormatVersion = 1;
inline constexpr std::size_t kMaxManifestBytes = 100'000'000;

struct FileRecord {
  std::string name;  // within the checkpoint folder
  std::uint64_t bytes = 0;
  std::string sha256;
  std::map<std::string, std::uint32_t> tensors;  // name -> CRC32C; empty for config.json
};

struct Manifest {
  std::int64_t step = 0;
  std::string program_version;
  std::vector<FileRecord> files;

  const FileRecord* find(std::string_view name) const;
};

// Returns the text of manifest.json, which depends on the manifest only.
std::string manifest_text(const Manifest& manifest);

// Throws UserError with the reason; for a newer format the message has both versions.
Manifest parse_manifest(std::string_view text, const std::string& source);

}  // namespace myxtts::checkpoint
