#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace xtts::base {

// Why a file could not be read. Each is a reason of its own in `corpus check`.
enum class FileFault {
  kNone,
  kMissing,
  kDirectory,
  kNotRegular,
  kLinkLoop,
  kUnreadable,
  kTooLarge
};

// "missing", "directory", "not_regular", "link_loop", "unreadable", "too_large".
std::string_view name_of(FileFault fault);

struct ReadResult {
  std::string bytes;
  FileFault fault = FileFault::kNone;
  std::string detail;  // the system's words, or the sizes; empty when fault is kNone
};

// The end of a sentence that begins with the file's name: "is a folder", "is too large (...)".
std::string words_for(const ReadResult& file);

// Reads a whole regular file of at most `limit_bytes`. Opens without blocking and looks at what it
// opened before reading, so a FIFO, a device or a folder costs nothing. Never throws for what is
// on the disk: the fault says it.
ReadResult read_regular_file(const std::filesystem::path& path, std::size_t limit_bytes);
// The same into a result whose memory is used again.
void read_regular_file(const std::filesystem::path& path,
                       std::size_t limit_bytes,
                       ReadResult& result);

// The same for a file that must be there; throws UserError that names path, fault and remedy.
std::string read_file_or_throw(const std::filesystem::path& path, std::size_t limit_bytes);

// Writes beside the target, syncs, renames: a reader sees the old bytes or the new, never a part.
// Creates missing parent folders, follows a symbolic link. Throws UserError (disk full, no
// permission), or UsageError if a folder, a device or a pipe stands there.
void write_file_atomically(const std::filesystem::path& path, std::string_view bytes);

// True for the name of what such a write leaves behind when it is killed. Safe to remove once no
// other run is at work there.
bool is_unfinished(const std::filesystem::path& path);

// The names in the folder of `path`, in no promised order; none if it cannot be read. For saying
// what was probably meant (base/nearest.h).
std::vector<std::string> names_beside(const std::filesystem::path& path);

// True if `relative`, followed from `root`, stays inside it: no absolute path, no "..", and no
// symbolic link that leads out. A path that does not exist is judged by what exists of it.
bool stays_inside(const std::filesystem::path& root, const std::filesystem::path& relative);

}  // namespace xtts::base
