// Note [Measured recordings]: 200 sentences of 2 to 20 words by each of the demo voices (slt,
// rms, awb, kal16, fa), the first 32 clips of LJ Speech, and the odd texts of
// tests/cli/everyday_test.py by flite's voices at half, full and double speed have a flatness of
// -44.3 to -20.8 dB, a peak 9.2 to 22.3 dB above the loudness and a level std of 1.5 dB or more.
// The limits lie about 2 dB outside these ranges; the level limit lies between recordings and
// noise. The relative flatness is -22.9 to -6.7 dB, but -4.0 dB for one word repeated fast, and
// -2.4 dB for the same word through a mel and Griffin-Lim, so it does not separate speech from
// noise by itself. In the order flatness, relative flatness, peak above loudness, level std (dB):
// white noise -2.6, -2.6, 10.0, 0.3; noise with the mean spectrum of a recording -26 to -12, -2.7
// to -2.6, 11.6 to 14.2, 0.3; a hum -102, -0.5, 4.2, 0.

#include "audio/audio_stats.h"

#include <fmt/format.h>

#include "audio/fast_loudness.h"
#include "audio/flatness.h"
#include "audio/loudness.h"

namespace myxtts::audio {

AudioStats audio_stats(std::span<const float> samples, int sample_rate, double min_active_s) {
  AudioStats stats;
  LoudnessScratch scratch;
  stats.peak_dbfs = to_dbfs(peak_of(samples));
  stats.loudness_lufs = fast_loudness(samples, sample_rate, scratch);
  const Flatness flatness = spectral_flatness(samples, sample_rate);
  if (flatness.active_s >= min_active_s) {
    stats.flatness_db = flatness.spectral_db;
    stats.relative_flatness_db = flatness.relative_db;
    stats.level_std_db = flatness.level_std_db;
  }
  return stats;
}

std::string find_speech_fault(const AudioStats& stats) {
  if (!stats.flatness_db || !stats.loudness_lufs) return "";
  if (*stats.flatness_db > kMaxFlatnessDb || *stats.flatness_db < kMinFlatnessDb) {
    return fmt::format("{}: spectral flatness {:.1f} dB, expected {} to {} as in recorded speech",
                       *stats.flatness_db > kMaxFlatnessDb ? "noise" : "hum",
                       *stats.flatness_db,
                       kMinFlatnessDb,
                       kMaxFlatnessDb);
  }
  if (stats.relative_flatness_db.value_or(0.0) > kMaxRelativeFlatnessDb &&
      stats.level_std_db.value_or(0.0) < kMinLevelStdDb) {
    return fmt::format(
        "steady noise: relative flatness {:.1f} dB and level std {:.1f} dB, expected at most {} or "
        "at "
        "least {} as in recorded speech",
        stats.relative_flatness_db.value_or(0.0),
        stats.level_std_db.value_or(0.0),
        kMaxRelativeFlatnessDb,
        kMinLevelStdDb);
  }
  const double above = stats.peak_dbfs - *stats.loudness_lufs;
  if (above < kMinPeakToLoudness || above > kMaxPeakToLoudness) {
    return fmt::format("peak {:.1f} dB above loudness, expected {} to {} as in recorded speech",
                       above,
                       kMinPeakToLoudness,
                       kMaxPeakToLoudness);
  }
  return "";
}

}  // namespace myxtts::audio
