#include "corpus/find_audio.h"

#include <algorithm>
#include <cctype>
#include <system_error>
#include <utility>

#include "base/files.h"
#include "corpus/metadata.h"

namespace xtts::corpus {
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
  const bool climbs = std::ranges::find(path, "..") != path.end();
  if (path.is_absolute() || climbs) return std::nullopt;

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
      const Place place = look_at(candidate);
      if (place == Place::kOutside) return std::nullopt;
      if (place == Place::kInside) return candidate;
    }
  }
  return first;
}

// Most files are plain ones in a folder that has been judged already, which costs one system call.
AudioFinder::Place AudioFinder::look_at(const std::filesystem::path& relative) {
  if (!is_inside(relative.parent_path())) return Place::kOutside;
  std::error_code error;
  const auto status = std::filesystem::symlink_status(root_ / relative, error);
  if (error || status.type() == std::filesystem::file_type::not_found) return Place::kNothing;
  if (status.type() != std::filesystem::file_type::symlink) return Place::kInside;
  return base::stays_inside(root_, relative) ? Place::kInside : Place::kOutside;
}

bool AudioFinder::is_inside(const std::filesystem::path& folder) {
  if (folder.empty()) return true;
  const auto known = inside_.find(folder.string());
  if (known != inside_.end()) return known->second;
  const bool inside = base::stays_inside(root_, folder);
  // A hostile list may name a new folder in every line; remembering is only for speed.
  constexpr std::size_t kMaxRemembered = 10'000;
  if (inside_.size() < kMaxRemembered) inside_.emplace(folder.string(), inside);
  return inside;
}

}  // namespace xtts::corpus
