// Reads regular files within a size limit and writes files atomically.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace myxtts::base {

// Reason why a file could not be read. `corpus check` reports each one separately.
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
  std::string detail;  // the system's error message or the sizes; empty if fault is kNone
};

// Returns the predicate of a message whose subject is the file: "is a folder", "is too large
// (...)".
std::string format_fault(const ReadResult& file);

// Reads a whole regular file of at most `limit_bytes`. Opens without blocking and checks the file
// type before reading, so that a FIFO or a device never blocks. Returns a fault instead of
// throwing.
ReadResult read_regular_file(const std::filesystem::path& path, std::size_t limit_bytes);
// Reads into `result` and reuses its memory.
void read_regular_file(const std::filesystem::path& path,
                       std::size_t limit_bytes,
                       ReadResult& result);

// Reads a required file. Throws UserError that names the path and the fault.
std::string read_file_or_throw(const std::filesystem::path& path, std::size_t limit_bytes);

// Writes a temporary file in the target's folder, syncs and renames it: a reader sees either the
// old or the new content. Creates missing parent folders and follows a symbolic link. Throws
// UserError (disk full, no permission), or UsageError if the path is a folder, a device or a pipe.
void write_file_atomically(const std::filesystem::path& path, std::string_view bytes);

// True for the name of a temporary file that a killed write_file_atomically() leaves behind. Safe
// to remove if no other process is writing there.
bool is_unfinished_write(const std::filesystem::path& path);

// Returns the names in the folder of `path`, unordered; empty if the folder cannot be read. Input
// of did_you_mean() (base/nearest.h).
std::vector<std::string> sibling_names(const std::filesystem::path& path);

// True if `relative`, resolved from `root`, stays inside `root`: no absolute path, no "..", and no
// symbolic link that leads out. Of a path that does not exist, the existing part is resolved.
bool stays_inside(const std::filesystem::path& root, const std::filesystem::path& relative);

}  // namespace myxtts::base
