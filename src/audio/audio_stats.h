// What a sound measures, and whether that is what recordings of speech measure.
#pragma once

#include <optional>
#include <span>
#include <string>

namespace xtts::audio {

struct AudioStats {
  double peak_dbfs = 0.0;               // minus infinity for silence
  std::optional<double> loudness_lufs;  // absent: too short or too quiet to measure
  std::optional<double> flatness_db;    // absent: too little sound to judge
  std::optional<double> relative_flatness_db;
  std::optional<double> level_spread_db;
};

// Less sound than this may be one hiss or one vowel and still be right: "shush", "I". Of speech at
// another speed it is as much longer or shorter.
inline constexpr double kJudgedSeconds = 0.75;

// Samples are finite.
AudioStats audio_stats(std::span<const float> samples,
                       int sample_rate,
                       double judged_s = kJudgedSeconds);

// What recordings of speech have, Note [What recordings measure] in audio_stats.cpp.
inline constexpr double kLeastFlatnessDb = -46.0;
inline constexpr double kMostFlatnessDb = -19.0;
// A sound is steady only if it is beyond both: the spectrum of one word said fast, again and again,
// is that of its mean, but its level moves; a level that hardly moves may be that of a long vowel.
inline constexpr double kMostRelativeFlatnessDb = -5.0;
inline constexpr double kLeastLevelSpreadDb = 1.0;
inline constexpr double kLeastPeakToLoudness = 7.0;  // dB between loudness and peak
inline constexpr double kMostPeakToLoudness = 24.0;

// In words, what of it no recording has ("flatness -3.1 dB, recordings have ..."); empty if all is
// as it is in recordings, or there is too little sound to tell.
std::string unlike_recordings(const AudioStats& facts);

}  // namespace xtts::audio
