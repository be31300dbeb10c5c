#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <string>

namespace xtts::pipeline {

// The sizes of a batch, known before step 1: B rows, T symbols, M frames. A bucket of the loader is
// a signature of the step; there is no other type for either. A size of 0 says that the batch has
// no such dimension.
struct Signature {
  std::int64_t batch = 0;    // B
  std::int64_t text = 0;     // T
  std::int64_t mel = 0;      // M
  std::int64_t samples = 0;  // of a batch of sound, for the vocoder: M - 1 hops

  // clang-tidy takes the zero that it is compared with for a null pointer.
  auto operator<=>(const Signature&) const = default;  // NOLINT(modernize-use-nullptr)
};

std::string name_of(const Signature& signature);  // "16x96x640", as logs and metrics name it

// What one utterance needs of a signature.
struct Lengths {
  std::int64_t text = 0;  // symbols
  std::int64_t mel = 0;   // frames

  bool operator==(const Lengths&) const = default;
};

inline constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max();

inline bool within(const Lengths& limits, const Lengths& lengths) {
  return lengths.text <= limits.text && lengths.mel <= limits.mel;
}

inline bool holds(const Signature& signature, const Lengths& lengths) {
  return within({signature.text, signature.mel}, lengths);
}

}  // namespace xtts::pipeline
