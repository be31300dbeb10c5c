#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace xtts::diagnose {

// A file that was read before is read out of memory: asks the system to let go of it. What was
// written a moment ago may stay.
void forget_pages(const std::filesystem::path& file);

// How fast a disk gives files that are not in memory.
class DiskTimes {
 public:
  // Reads the whole file and drops it. One that cannot be opened counts for nothing.
  void read(const std::filesystem::path& file);

  // From opening a file until its first byte is there, in the mean. Absent: none was read.
  std::optional<double> first_byte_s() const;
  // Of what follows the first byte. Absent: nothing did.
  std::optional<double> bytes_per_s() const;

 private:
  std::int64_t num_files_ = 0;
  double first_s_ = 0.0;
  double rest_s_ = 0.0;
  double rest_bytes_ = 0.0;
};

}  // namespace xtts::diagnose
