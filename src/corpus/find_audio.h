#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace myxtts::corpus {

// Finds the recording of a metadata line by file names, without opening files.
//
// A name with an audio suffix is a path below one of the folders. A name without one is an id, for
// which every suffix is tried, first in lower case, then in upper case. Paths and links that lead
// outside the root are rejected.
class AudioFinder {
 public:
  // `folders` are relative to `root` ("." is the root), in search order.
  AudioFinder(std::filesystem::path root, std::vector<std::filesystem::path> folders);

  // Returns the path relative to the root, or the first candidate if no file exists. Returns
  // nullopt if the name leads outside the root.
  std::optional<std::filesystem::path> find(std::string_view name);

 private:
  enum class Location { kMissing, kInside, kOutside };
  Location locate(const std::filesystem::path& relative);
  bool is_inside(const std::filesystem::path& folder);

  std::filesystem::path root_;
  std::vector<std::filesystem::path> folders_;
  std::unordered_map<std::string, bool> inside_;  // cache of is_inside()
};

}  // namespace myxtts::corpus
