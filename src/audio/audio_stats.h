// Measures audio level and spectral flatness; checks them against recordings of speech.
#pragma once

#include <optional>
#include <span>
#include <string>

namespace myxtts::audio {

struct AudioStats {
  double peak_dbfs = 0.0;               // minus infinity for silence
  std::optional<double> loudness_lufs;  // absent: too short or too quiet to measure
  std::optional<double> flatness_db;    // absent: too little active audio
  std::optional<double> relative_flatness_db;
  std::optional<double> level_std_db;
};

// Minimum active audio for a flatness measurement: shorter speech may be a single hiss or vowel
// ("shush", "I"). Scales with the speaking rate.
inline constexpr double kMinMeasuredSeconds = 0.75;

// Samples must be finite. The flatness fields stay empty below `min_active_s` of active audio.
AudioStats audio_stats(std::span<const float> samples,
                       int sample_rate,
                       double min_active_s = kMinMeasuredSeconds);

// Limits that recordings of speech keep; see Note [Measured recordings] in audio_stats.cpp.
inline constexpr double kMinFlatnessDb = -46.0;
inline constexpr double kMaxFlatnessDb = -19.0;
// Audio counts as steady noise only beyond both limits. A word repeated fast has a flat relative
// spectrum but a varying level; a long vowel has a constant level.
inline constexpr double kMaxRelativeFlatnessDb = -5.0;
inline constexpr double kMinLevelStdDb = 1.0;
inline constexpr double kMinPeakToLoudness = 7.0;  // dB between loudness and peak
inline constexpr double kMaxPeakToLoudness = 24.0;

// Returns a message that names the first statistic outside the limits of recorded speech, or an
// empty string if all are within them or the audio is too short to measure.
std::string find_speech_fault(const AudioStats& stats);

}  // namespace myxtts::audio
