// Note [What recordings measure]: 200 sentences of 2 to 20 words by each of the demo voices (slt,
// rms, awb, kal16, fa), the first 32 clips of LJ Speech, and the odd texts of
// tests/cli/everyday_test.py by flite's voices at half, full and double speed have a flatness of
// -44.3 to -20.8 dB, a peak 9.2 to 22.3 dB above the loudness and a level that moves by 1.5 dB or
// more. The limits stand about 2 dB outside of that, that of the level between recordings and
// noise. Their relative flatness is -22.9 to -6.7, but -4.0 for one word said fast again and
// again, and -2.4 for that through a mel and Griffin-Lim: by itself it does not tell speech from
// noise. White noise has a flatness of -2.6, a relative one of -2.6, a peak 10.0 above the loudness
// and a level that moves by 0.3; noise with the mean spectrum of a recording -26 to -12, -2.7 to
// -2.6, 11.6 to 14.2 and 0.3; a hum -102, -0.5, 4.2 and 0.

#include "audio/audio_stats.h"

#include <fmt/format.h>

#include "audio/fast_loudness.h"
#include "audio/flatness.h"
#include "audio/loudness.h"

namespace xtts::audio {

AudioStats audio_stats(std::span<const float> samples, int sample_rate, double judged_s) {
  AudioStats facts;
  LoudnessScratch scratch;
  facts.peak_dbfs = to_dbfs(peak_of(samples));
  facts.loudness_lufs = fast_loudness(samples, sample_rate, scratch);
  const Flatness flatness = spectral_flatness(samples, sample_rate);
  if (flatness.active_s >= judged_s) {
    facts.flatness_db = flatness.spectral_db;
    facts.relative_flatness_db = flatness.relative_db;
    facts.level_spread_db = flatness.level_spread_db;
  }
  return facts;
}

std::string unlike_recordings(const AudioStats& facts) {
  if (!facts.flatness_db || !facts.loudness_lufs) return "";
  if (*facts.flatness_db > kMostFlatnessDb || *facts.flatness_db < kLeastFlatnessDb) {
    return fmt::format("it is {}: its spectral flatness is {:.1f} dB, recordings have {} to {}",
                       *facts.flatness_db > kMostFlatnessDb ? "noise" : "a hum",
                       *facts.flatness_db,
                       kLeastFlatnessDb,
                       kMostFlatnessDb);
  }
  if (facts.relative_flatness_db.value_or(0.0) > kMostRelativeFlatnessDb &&
      facts.level_spread_db.value_or(0.0) < kLeastLevelSpreadDb) {
    return fmt::format(
        "it is one steady noise: its relative flatness is {:.1f} dB and its level moves by {:.1f} "
        "dB, "
        "recordings have {} or less, or {} or more",
        facts.relative_flatness_db.value_or(0.0),
        facts.level_spread_db.value_or(0.0),
        kMostRelativeFlatnessDb,
        kLeastLevelSpreadDb);
  }
  const double above = facts.peak_dbfs - *facts.loudness_lufs;
  if (above < kLeastPeakToLoudness || above > kMostPeakToLoudness) {
    return fmt::format("its peak is {:.1f} dB above its loudness, recordings have {} to {}",
                       above,
                       kLeastPeakToLoudness,
                       kMostPeakToLoudness);
  }
  return "";
}

}  // namespace xtts::audio
