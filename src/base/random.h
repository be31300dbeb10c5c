#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace myxtts::base {

// A splitmix64 generator: the same numbers on every machine and compiler, which the distributions
// of <random> do not guarantee. Not cryptographic.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31U);
  }

  // Uniform in [0, bound), bound > 0. The modulo bias is below 2^-40 for bounds below 2^24.
  std::uint64_t below(std::uint64_t bound) { return next() % bound; }

  // Uniform in [0, 1).
  double unit() { return static_cast<double>(next() >> 11U) * 0x1.0p-53; }

  template <typename T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i)
      std::swap(items[i - 1], items[below(i)]);
  }

 private:
  std::uint64_t state_;
};

// Derives an independent seed for a purpose: mix_seed(seed, "sentences", 17).
std::uint64_t mix_seed(std::uint64_t seed, std::string_view purpose, std::uint64_t index = 0);

}  // namespace myxtts::base
