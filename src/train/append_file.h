#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace xtts::train {

// A file that records are appended to, for logs that must never stop the training they tell about.
//
// What cannot be written (a full disk, a folder that is not there) is said once on standard error
// and lost: whole records, so that what follows when there is room again can still be read.
// Records wait in memory until flush(), 64 KiB or the end. Not thread-safe.
class AppendFile {
 public:
  // Creates the file if needed. Bytes that it has beyond `keep_bytes` are cut away; < 0: none are.
  explicit AppendFile(std::filesystem::path path, std::int64_t keep_bytes = -1);
  ~AppendFile();
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;

  void append(std::string_view record);
  void flush();

  const std::filesystem::path& path() const { return path_; }
  bool is_open() const { return file_ >= 0; }

 private:
  void lose(int error);
  bool write_pending();
  void close();

  std::filesystem::path path_;
  int file_ = -1;
  std::int64_t size_ = 0;  // up to the end of the last whole record
  bool said_ = false;
  std::string pending_;
};

}  // namespace xtts::train
