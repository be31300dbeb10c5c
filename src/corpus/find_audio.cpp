#include "corpus/find_audio.h"

#include <algorithm>
#include <cctype>
#include <system_error>
#include <utility>

#include "base/files.h"
#include "corpus/metadata.h"

namespace myxtts::corpus {
namespace {

std::string upper_case(std::string_view suffix) {
  std::string upper(suffix);
  std::ranges::transform(upper, upper.begin(), [](unsigned char letter) {
    return static_cast<char>(std::toupper(letter));
  });
  return upper;
}

}  // namespace

AudioFinder::AudioFinder(std::filesystem::path root, std::vector<std::filesystem::path> folders)
    : root_(std::move(root)), folders_(std::move(folders)) {}

std::optional<std::filesystem::path> AudioFinder::find(std::string_view name) {
  const std::filesystem::path path(name);
  const bool has_parent_part = std::ranges::find(path, "..") != path.end();
  if (path.is_absolute() || has_parent_part) return std::nullopt;

  std::optional<std::filesystem::path> first;
  for (const std::filesystem::path& folder : folders_) {
    std::vector<std::filesystem::path> candidates;
    if (has_audio_suffix(name)) {
      candidates.push_back((folder / path).lexically_normal());
    } else {
      for (const std::string_view suffix : audio_suffixes())
        candidates.push_back((folder / path).lexically_normal().concat(suffix));
      for (const std::string_view suffix : audio_suffixes())
        candidates.push_back((folder / path).lexically_normal().concat(upper_case(suffix)));
    }
    for (const std::filesystem::path& candidate : candidates) {
      if (!first) first = candidate;
      const Location location = locate(candidate);
      if (location == Location::kOutside) return std::nullopt;
      if (location == Location::kInside) return candidate;
    }
  }
  return first;
}

// A regular file in a known folder costs one system call.
AudioFinder::Location AudioFinder::locate(const std::filesystem::path& relative) {
  if (!is_inside(relative.parent_path())) return Location::kOutside;
  std::error_code error;
  const auto status = std::filesystem::symlink_status(root_ / relative, error);
  if (error || status.type() == std::filesystem::file_type::not_found) return Location::kMissing;
  if (status.type() != std::filesystem::file_type::symlink) return Location::kInside;
  return base::stays_inside(root_, relative) ? Location::kInside : Location::kOutside;
}

bool AudioFinder::is_inside(const std::filesystem::path& folder) {
  if (folder.empty()) return true;
  const auto known = inside_.find(folder.string());
  if (known != inside_.end()) return known->second;
  const bool inside = base::stays_inside(root_, folder);
  // Bounded, because untrusted metadata may name a new folder in every line.
  constexpr std::size_t kMaxCachedFolders = 10'000;
  if (inside_.size() < kMaxCachedFolders) inside_.emplace(folder.string(), inside);
  return inside;
}

}  // namespace myxtts::corpus
