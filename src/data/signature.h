// Input signatures: the sizes of a micro-batch.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <string>

namespace myxtts::data {

// The named sizes of a micro-batch, known before step 1: B rows, T symbols, M frames. A bucket of
// the sampler and the shape that a step is prepared for are the same signature. A size of 0 means
// that the micro-batch has no such dimension.
struct Signature {
  std::int64_t batch = 0;    // B
  std::int64_t text = 0;     // T
  std::int64_t mel = 0;      // M
  std::int64_t samples = 0;  // of a waveform crop, for the vocoder: M - 1 hops

  // clang-tidy mistakes the zero of the comparison for a null pointer.
  auto operator<=>(const Signature&) const = default;  // NOLINT(modernize-use-nullptr)
};

std::string name_of(const Signature& signature);  // "16x96x640", as in logs and metrics

// The lengths of one utterance.
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

}  // namespace myxtts::data
