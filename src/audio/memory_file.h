#pragma once

#include <cstdint>
#include <string_view>

namespace xtts::audio {

// Borrowed bytes that a decoder reads as if they were a file. Positions never leave [0, size].
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes) : bytes_(bytes) {}

  std::int64_t size() const { return static_cast<std::int64_t>(bytes_.size()); }
  std::int64_t position() const { return position_; }

  // lseek(2): `whence` is SEEK_SET, SEEK_CUR or SEEK_END. The place reached, or -1 and no change if
  // it would lie outside.
  std::int64_t seek(std::int64_t offset, int whence);

  // read(2): the number of bytes copied to `target`, fewer than `count` at the end.
  std::int64_t read(void* target, std::int64_t count);

 private:
  std::string_view bytes_;
  std::int64_t position_ = 0;
};

}  // namespace xtts::audio
