#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace xtts::corpus {

// Finds the recording that a line of metadata names, by looking at names only.
//
// A name with an audio suffix is a path below one of the folders; a name without one is an id, and
// every suffix is tried, in small letters and then in capitals. Nothing outside of the root is
// looked at, not even through a link.
class AudioFinder {
 public:
  // `folders` are relative to `root` ("." is the root), in the order in which they are searched.
  AudioFinder(std::filesystem::path root, std::vector<std::filesystem::path> folders);

  // The path relative to the root; of the first place looked at when there is no such file.
  // nullopt if the name leads outside of the root.
  std::optional<std::filesystem::path> find(std::string_view name);

 private:
  enum class Place { kNothing, kInside, kOutside };
  Place look_at(const std::filesystem::path& relative);
  bool is_inside(const std::filesystem::path& folder);

  std::filesystem::path root_;
  std::vector<std::filesystem::path> folders_;
  std::unordered_map<std::string, bool> inside_;  // folders that have been judged
};

}  // namespace xtts::corpus
