// manifest.json of a save: what must be there, to the bit. It ends in the SHA-256 of itself up to
// that line, so that a changed bit anywhere in a save is found.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace xtts::checkpoint {

// A reader takes every version up to its own and refuses newer ones by name.
inline constexpr std::uint64_t kSaveFormatVersion = 1;
inline constexpr std::size_t kMaxManifestBytes = 100'000'000;

struct FileRecord {
  std::string name;  // within the folder of the save
  std::uint64_t bytes = 0;
  std::string sha256;
  std::map<std::string, std::uint32_t> tensors;  // CRC32C of each; empty for config.json
};

struct Manifest {
  std::int64_t step = 0;
  std::string program_version;
  std::vector<FileRecord> files;

  const FileRecord* find(std::string_view name) const;
};

// The same manifest gives the same text.
std::string manifest_text(const Manifest& manifest);

// Throws UserError that says what is wrong; a newer version with both versions in the message.
Manifest parse_manifest(std::string_view text, const std::string& source);

}  // namespace xtts::checkpoint
