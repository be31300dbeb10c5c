#pragma once

#include <span>

namespace xtts::audio {

// The band that flatness is measured in: what speech fills and every voice of 16 kHz has.
inline constexpr double kFlatnessLowHz = 100.0;
inline constexpr double kFlatnessHighHz = 7500.0;

// Over the active frames, 0 without any. Flatness by lower quartiles: half of a good sentence may
// hiss ("it is half past six"), but no speech is without vowels.
struct Flatness {
  double spectral_db = 0.0;
  double relative_db = 0.0;      // of each frame divided by the mean of all
  double level_spread_db = 0.0;  // standard deviation of the levels of the active frames
  double active_s = 0.0;         // seconds of sound that the frames are
};

// How noise-like a sound is, between 0 dB (every frequency as strong as the others) and minus
// infinity (a tone): the geometric over the arithmetic mean of the power spectrum in the band. Of
// frames of about 46 ms with a Hann window, half of that apart; active are those at most 30 dB
// below the loudest. White noise has -2.6 dB, no short piece of it being quite even; speech has -21
// to -44. Noise of another colour is less flat, but not relative to its own mean: a steady sound of
// any colour has a relative flatness of -2.6 dB or more, speech of -7 to -23. One word again and
// again is as steady in that sense when it is said fast, but its level moves: by 1.5 dB or more,
// that of noise by 0.3.
//
// Below 15 kHz the band ends at half of the rate. Silence, a sound shorter than a frame and one
// below 1 kHz have no active frames. Samples are finite.
Flatness spectral_flatness(std::span<const float> samples, int sample_rate);

}  // namespace xtts::audio
