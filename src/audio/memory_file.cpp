#include "audio/memory_file.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace xtts::audio {

std::int64_t MemoryFile::seek(std::int64_t offset, int whence) {
  const std::int64_t origin = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? position_ : size();
  // Offsets come from the file's own fields: compare before adding.
  if (offset < -origin || offset > size() - origin) return -1;
  position_ = origin + offset;
  return position_;
}

std::int64_t MemoryFile::read(void* target, std::int64_t count) {
  const std::int64_t taken = std::clamp<std::int64_t>(count, 0, size() - position_);
  if (taken > 0) std::memcpy(target, bytes_.data() + position_, static_cast<std::size_t>(taken));
  position_ += taken;
  return taken;
}

}  // namespace xtts::audio
