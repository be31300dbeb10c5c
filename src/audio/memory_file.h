#pragma once

#include <cstdint>
#include <string_view>

namespace myxtts::audio {

// Presents borrowed bytes to a decoder as a file. Positions stay within [0, size].
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes) : bytes_(bytes) {}

  std::int64_t size() const { return static_cast<std::int64_t>(bytes_.size()); }
  std::int64_t position() const { return position_; }

  // Like lseek(2) with SEEK_SET, SEEK_CUR or SEEK_END. Returns the new position, or -1 without a
  // change if it would lie outside.
  std::int64_t seek(std::int64_t offset, int whence);

  // Like read(2): returns the number of bytes copied to `target`, fewer than `count` at the end.
  std::int64_t read(void* target, std::int64_t count);

 private:
  std::string_view bytes_;
  std::int64_t position_ = 0;
};

}  // namespace myxtts::audio
