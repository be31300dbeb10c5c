#include "base/random.h"

namespace myxtts::base {

std::uint64_t mix_seed(std::uint64_t seed, std::string_view purpose, std::uint64_t index) {
  // FNV-1a over the purpose, then splitmix64 with seed and index.
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (const char letter : purpose) {
    hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001B3U;
  }
  return Random(Random(seed ^ hash).next() + index).next();
}

}  // namespace myxtts::base
