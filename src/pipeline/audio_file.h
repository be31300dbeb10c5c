#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>

#include "base/files.h"
#include "base/sha256.h"

namespace xtts::pipeline {

// What the system says of a file without opening it. As long as it stays the same, and was settled
// when the file was read, so does the content.
struct FileStamp {
  std::int64_t size = 0;      // bytes
  std::int64_t mtime_ns = 0;  // of the content; anybody may set it
  std::int64_t ctime_ns = 0;  // of the last change of any kind; nobody can set it
  std::uint64_t inode = 0;
  std::uint64_t device = 0;

  bool operator==(const FileStamp&) const = default;
};

// Follows symbolic links; nothing if no regular file is there. Allocates nothing.
std::optional<FileStamp> stamp_of(const std::filesystem::path& path);

// Nanoseconds since 1970 by the clock that file systems use.
std::int64_t wall_clock_ns();

// True if both times lie so far before `now_ns` that a change after it must leave another time.
// Clocks of file systems have steps (two seconds on FAT): a file that is written twice within one
// step has one stamp and two contents. Git calls such entries of its index racily clean.
bool is_settled(const FileStamp& stamp, std::int64_t now_ns);

// A file in memory, with what identifies it.
struct AudioFile {
  std::filesystem::path path;
  base::ReadResult read;           // the bytes, or why there are none
  base::Sha256 content{};          // of the bytes
  std::optional<FileStamp> stamp;  // of exactly these bytes; absent: changed while it was read, or
                                   // so shortly before that this cannot be told

  bool ok() const { return read.fault == base::FileFault::kNone; }
};

// Reads at most `limit_bytes`, as base::read_regular_file does. `now_ns` is the time before the
// first look at the file.
AudioFile read_audio_file(const std::filesystem::path& path,
                          std::size_t limit_bytes,
                          std::int64_t now_ns = wall_clock_ns());
// The same into memory that is used again.
void read_audio_file(const std::filesystem::path& path,
                     std::size_t limit_bytes,
                     AudioFile& file,
                     std::int64_t now_ns = wall_clock_ns());

}  // namespace xtts::pipeline
