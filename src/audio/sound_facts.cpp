// Note [What recordings measure]: 200 sentences of 2 to 20 words by each of the demo voices (slt,
// rms, awb, kal16, fa) and the first 32 clips of LJ Speech have a flatness of -42.7 to -23.4 dB, a
// relative flatness of -22.9 to -6.7 and a peak 10.3 to 22.3 dB above the loudness; 72 of them
// through a mel and Griffin-Lim -39.0 to -27.5, -20.4 to -7.9 and 10.5 to 20.0. The limits stand
// about 2 dB outside of that. White noise has -2.6, -2.6 and 10.0; noise with the mean spectrum of
// a recording -26 to -12, -2.7 to -2.6 and 11.6 to 14.2; a hum -102, -0.5 and 4.2.

#include "audio/sound_facts.h"

#include <fmt/format.h>

#include "audio/fast_loudness.h"
#include "audio/flatness.h"
#include "audio/loudness.h"

namespace xtts::audio {

SoundFacts sound_facts(std::span<const float> samples, int sample_rate, double judged_s) {
  SoundFacts facts;
  LoudnessScratch scratch;
  facts.peak_dbfs = to_dbfs(peak_of(samples));
  facts.loudness_lufs = fast_loudness(samples, sample_rate, scratch);
  const Flatness flatness = spectral_flatness(samples, sample_rate);
  if (flatness.active_s >= judged_s) {
    facts.flatness_db = flatness.spectral_db;
    facts.relative_flatness_db = flatness.relative_db;
  }
  return facts;
}

std::string unlike_recordings(const SoundFacts& facts) {
  if (!facts.flatness_db || !facts.relative_flatness_db || !facts.loudness_lufs) return "";
  if (*facts.flatness_db > kMostFlatnessDb || *facts.flatness_db < kLeastFlatnessDb) {
    return fmt::format("it is {}: its spectral flatness is {:.1f} dB, recordings have {} to {}",
                       *facts.flatness_db > kMostFlatnessDb ? "noise" : "a hum",
                       *facts.flatness_db,
                       kLeastFlatnessDb,
                       kMostFlatnessDb);
  }
  if (*facts.relative_flatness_db > kMostRelativeFlatnessDb) {
    return fmt::format(
        "it is one steady noise: its relative flatness is {:.1f} dB, recordings have {} or less",
        *facts.relative_flatness_db,
        kMostRelativeFlatnessDb);
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
