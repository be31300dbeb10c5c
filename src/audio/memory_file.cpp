#include "audio/memory_file.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace myxtts::audio {

std::int64_t MemoryFile::seek(std::int64_t offset, int whence) {
  const std::int64_t origin = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? position_ : size();
  // Offsets come from untrusted file contents: compare before adding.
  if (offset < -origin || offset > size() - origin) return -1;
  position_ = origin + offset;
  return position_;
}

std::int64_t MemoryFile::read(void* target, std::int64_t count) {
  const std::int64_t copied = std::clamp<std::int64_t>(count, 0, size() - position_);
  if (copied > 0) std::memcpy(target, bytes_.data() + position_, static_cast<std::size_t>(copied));
  position_ += copied;
  return copied;
}

}  // namespace myxtts::audio
