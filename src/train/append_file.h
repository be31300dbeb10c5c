#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace myxtts::train {

// Appends records to a log file; a write error never stops the training.
//
// If a write fails (a full disk, a missing folder), the error is logged once and the records are
// dropped. Only whole records are dropped, so that later ones remain readable. Records are buffered
// until flush(), 64 KiB or destruction. Not thread-safe.
class AppendFile {
 public:
  // Creates the file if needed and truncates it to `keep_bytes` if it is longer; < 0: no
  // truncation.
  explicit AppendFile(std::filesystem::path path, std::int64_t keep_bytes = -1);
  ~AppendFile();
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;

  void append(std::string_view record);
  void flush();

  const std::filesystem::path& path() const { return path_; }
  bool is_open() const { return file_ >= 0; }

 private:
  void report_failure(int error);
  bool write_pending();
  void close();

  std::filesystem::path path_;
  int file_ = -1;
  std::int64_t size_ = 0;  // up to the end of the last complete record
  bool is_failure_reported_ = false;
  std::string pending_;
};

}  // namespace myxtts::train
