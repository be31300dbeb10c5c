#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace myxtts::diagnose {

// Measures the speed of a disk for files that are not in the page cache.

// Asks the system to drop the file from the page cache. Recently written pages may stay.
void drop_cached_pages(const std::filesystem::path& file);

// Accumulates latency and throughput over the files read.
class DiskTimes {
 public:
  // Reads the whole file from disk. Ignores a file that cannot be opened.
  void read(const std::filesystem::path& file);

  // Returns the mean time from opening a file to its first byte. Absent: no file was read.
  std::optional<double> first_byte_s() const;
  // Returns the throughput after the first byte. Absent: no file had more than one byte.
  std::optional<double> bytes_per_s() const;

 private:
  std::int64_t num_files_ = 0;
  double first_s_ = 0.0;
  double rest_s_ = 0.0;
  double rest_bytes_ = 0.0;
};

}  // namespace myxtts::diagnose
