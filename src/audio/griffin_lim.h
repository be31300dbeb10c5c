#pragma once

#include <cstdint>
#include <vector>

#include "audio/mel.h"
#include "audio/mel_spec.h"

namespace xtts::audio {

inline constexpr int kGriffinLimIterations = 32;

// Log-mel frames back to samples at the contract's rate, (num_frames - 1) * hop_length of them,
// by fast Griffin-Lim: what a mel sounds like without a trained vocoder.
//
// The starting phases come from `seed`: same arguments, same samples. Thread-safe. Throws
// UserError if the mel does not fit the contract, base::Interrupted soon after a signal.
std::vector<float> griffin_lim(const Mel& mel,
                               const MelSpec& contract,
                               int num_iterations,
                               std::uint64_t seed);

}  // namespace xtts::audio
