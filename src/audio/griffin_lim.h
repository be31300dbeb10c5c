#pragma once

#include <cstdint>
#include <vector>

#include "audio/mel.h"
#include "audio/mel_spec.h"

namespace myxtts::audio {

inline constexpr int kGriffinLimIterations = 32;

// Inverts log-mel frames to (num_frames - 1) * hop_length samples with fast Griffin-Lim, without a
// trained vocoder.
//
// The initial phases come from `seed`: same arguments, same samples. Thread-safe. Throws UserError
// if the mel does not fit the spec, base::Interrupted soon after a signal.
std::vector<float> griffin_lim(const Mel& mel,
                               const MelSpec& spec,
                               int num_iterations,
                               std::uint64_t seed);

}  // namespace myxtts::audio
