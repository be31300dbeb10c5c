// Audio files in memory, with their content hash and a stamp that detects changes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>

#include "base/files.h"
#include "base/sha256.h"

namespace myxtts::data {

// File metadata from stat(). An unchanged stamp that was settled when the file was read means
// unchanged content.
struct FileStamp {
  std::int64_t size = 0;      // bytes
  std::int64_t mtime_ns = 0;  // of the content; any program may set it
  std::int64_t ctime_ns = 0;  // of the last change of any kind; no program can set it
  std::uint64_t inode = 0;
  std::uint64_t device = 0;

  bool operator==(const FileStamp&) const = default;
};

// Returns the stamp of a regular file, else nullopt. Follows symbolic links. Does not allocate.
std::optional<FileStamp> stamp_of(const std::filesystem::path& path);

// Returns nanoseconds since 1970 by the clock that file systems use.
std::int64_t wall_clock_ns();

// Returns whether both times are so far before `now_ns` that a later change must change the stamp.
// File system clocks have a resolution (two seconds on FAT): a file that is written twice within
// one tick has one stamp and two contents. Git calls such index entries racily clean.
bool is_settled(const FileStamp& stamp, std::int64_t now_ns);

// A file in memory, with its identification.
struct AudioFile {
  std::filesystem::path path;
  base::ReadResult read;           // the bytes, or why they could not be read
  base::Sha256 content{};          // of the bytes
  std::optional<FileStamp> stamp;  // of exactly these bytes; absent if the file changed during the
                                   // read, or too recently to exclude that

  bool ok() const { return read.fault == base::FileFault::kNone; }
};

// Reads a file of at most `limit_bytes` with base::read_regular_file(). `now_ns` is the time before
// the first access.
AudioFile read_audio_file(const std::filesystem::path& path,
                          std::size_t limit_bytes,
                          std::int64_t now_ns = wall_clock_ns());
// Reads into an existing AudioFile and reuses its memory.
void read_audio_file(const std::filesystem::path& path,
                     std::size_t limit_bytes,
                     AudioFile& file,
                     std::int64_t now_ns = wall_clock_ns());

}  // namespace myxtts::data
