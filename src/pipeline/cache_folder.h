#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace xtts::pipeline {

// "v1-k3j2h4g5d6s7a8f9.mels": the version, then letters by chance, so that no two processes ever
// write into one name.
std::string new_segment_name();

// The version in such a name; nothing if it is another name.
std::optional<std::uint32_t> version_in_name(std::string_view name);

// Opens a regular file of the folder, for writing too where that is allowed. -1 with an errno; with
// errno 0 if there is none of that name, or a link, pipe or folder. Follows and waits for nothing.
int open_member(int folder, const std::string& name);

// The folder of a feature cache: which segments there are, whoever wrote them, and removing those
// that nobody uses. Holds the folder itself, so that moving it does no harm. Thread-safe.
class CacheFolder {
 public:
  struct Member {
    std::string name;
    std::uint32_t version = 0;
    std::uint64_t bytes = 0;
    std::int64_t used_ns = 0;  // when it was last written or marked as used
  };

  // Makes it if it is absent, for this user alone (0700). Throws UserError that says what to do.
  explicit CacheFolder(const std::filesystem::path& path);
  ~CacheFolder();
  CacheFolder(const CacheFolder&) = delete;
  CacheFolder& operator=(const CacheFolder&) = delete;

  // The segments of any version, least recently used first. Everything else that lies here is
  // neither looked at nor touched.
  std::vector<Member> members() const;

  // Removes segments that nobody uses, least recently used first, until `limit_bytes` holds what is
  // left and `more_bytes`. Returns the bytes that are left.
  std::uint64_t make_room(std::uint64_t more_bytes, std::uint64_t limit_bytes) const;

  // False if somebody uses it, or that cannot be known.
  bool remove_unused(const std::string& name) const;

  int descriptor() const { return descriptor_; }

 private:
  int descriptor_ = -1;
};

}  // namespace xtts::pipeline
