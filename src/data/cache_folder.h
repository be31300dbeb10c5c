// The folder of the feature cache: names, listing and removal of segment files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace myxtts::data {

// Returns a name such as "v1-k3j2h4g5d6s7a8f9.mels": the version and random letters, so that no two
// processes write to the same file.
std::string new_segment_name();

// Returns the version in a segment name; nullopt for any other name.
std::optional<std::uint32_t> version_in_name(std::string_view name);

// Opens a regular file of the folder, for reading and, if permitted, writing. Returns -1 and sets
// errno on failure; errno is 0 if the name is absent, a link, a pipe or a folder. Never follows
// links or blocks.
int open_member(int folder, const std::string& name);

// Lists the segments of all processes and removes unused ones. Keeps a descriptor of the folder, so
// that it may be moved. Thread-safe.
class CacheFolder {
 public:
  struct Member {
    std::string name;
    std::uint32_t version = 0;
    std::uint64_t bytes = 0;
    std::int64_t used_ns = 0;  // time of the last write or use
  };

  // Creates the folder with mode 0700 if it is absent. Throws UserError if that fails.
  explicit CacheFolder(const std::filesystem::path& path);
  ~CacheFolder();
  CacheFolder(const CacheFolder&) = delete;
  CacheFolder& operator=(const CacheFolder&) = delete;

  // Returns the segments of all versions, least recently used first. Ignores all other files.
  std::vector<Member> members() const;

  // Removes unused segments, least recently used first, until the rest and `more_bytes` fit into
  // `limit_bytes`. Returns the bytes of the rest.
  std::uint64_t make_room(std::uint64_t more_bytes, std::uint64_t limit_bytes) const;

  // Removes a segment. Returns false if it is in use or its locks cannot be tested.
  bool remove_unused(const std::string& name) const;

  int descriptor() const { return descriptor_; }

 private:
  int descriptor_ = -1;
};

}  // namespace myxtts::data
