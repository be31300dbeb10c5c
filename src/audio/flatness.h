// Measures the spectral flatness and level variation of audio.
#pragma once

#include <span>

namespace myxtts::audio {

// Frequency band of the flatness measurement: covered by speech and present at 16 kHz.
inline constexpr double kFlatnessLowHz = 100.0;
inline constexpr double kFlatnessHighHz = 7500.0;

// Spectral flatness and level statistics over the active frames; 0 without active frames. Flatness
// is a lower quartile: half of a sentence may be fricatives ("it is half past six"), but all speech
// has vowels.
struct Flatness {
  double spectral_db = 0.0;
  double relative_db = 0.0;   // of each frame divided by the mean spectrum
  double level_std_db = 0.0;  // standard deviation of the active frames' levels
  double active_s = 0.0;      // duration of the active frames
};

// Measures how noise-like audio is, from 0 dB (equal power at all frequencies) to minus infinity (a
// tone): geometric over arithmetic mean of the power spectrum in the band. Frames are about 46 ms
// long with a Hann window and 50 % overlap; active frames are at most 30 dB below the loudest.
// White noise has -2.6 dB (short frames of it are not quite flat), speech -21 to -44 dB. Coloured
// noise is less flat, but not relative to its mean spectrum: steady noise of any colour has a
// relative flatness of -2.6 dB or more, speech -7 to -23 dB. A word repeated fast is as steady in
// that sense, but its level std is 1.5 dB or more, against 0.3 dB for noise.
//
// Below a sample rate of 15 kHz the band ends at half the rate. Silence, audio shorter than a frame
// and sample rates below 1 kHz give no active frames. Samples must be finite.
Flatness spectral_flatness(std::span<const float> samples, int sample_rate);

}  // namespace myxtts::audio
