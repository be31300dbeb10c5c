#include "audio/griffin_lim.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include <gtest/gtest.h>

#include "audio/decode.h"
#include "base/error.h"
#include "base/files.h"
#include "base/interrupt.h"
#include "unit/audio/signals.h"

namespace myxtts::audio {
namespace {

std::vector<float> spoken_word() {
  const std::filesystem::path path =
      std::filesystem::path(MYXTTS_SOURCE_DIR) / "tests" / "golden" / "mel" / "word.wav";
  return decode(base::read_file_or_throw(path, 1 << 20), 60.0).clip.samples;
}

double mean_difference(const Mel& a, const Mel& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.values.size(); ++i)
    sum += std::abs(a.values[i] - b.values[i]);
  return sum / static_cast<double>(a.values.size());
}

TEST(GriffinLim, ResynthesisedSpeechHasASimilarMel) {
  const ReferenceMel extractor({});
  const Mel mel = extractor.log_mel(spoken_word());

  const std::vector<float> samples = griffin_lim(mel, {}, kGriffinLimIterations, 1);

  const Mel again = extractor.log_mel(samples);
  ASSERT_EQ(again.num_frames, mel.num_frames);
  EXPECT_LT(mean_difference(mel, again), 0.13);  // measured 0.109; with random phases 0.69
}

TEST(GriffinLim, MoreIterationsReduceTheError) {
  const ReferenceMel extractor({});
  const Mel mel = extractor.log_mel(spoken_word());
  auto difference_after = [&](int iterations) {
    return mean_difference(mel, extractor.log_mel(griffin_lim(mel, {}, iterations, 1)));
  };

  EXPECT_LT(difference_after(32), 0.3 * difference_after(0));
}

TEST(GriffinLim, AToneKeepsItsFrequency) {
  const Mel mel = ReferenceMel({}).log_mel(sine(440.0, 22050, 0.5));

  const std::vector<float> samples = griffin_lim(mel, {}, kGriffinLimIterations, 1);

  int crossings = 0;
  for (std::size_t i = 2001; i < 9000; ++i)
    crossings += samples[i - 1] < 0.0F && samples[i] >= 0.0F;
  EXPECT_NEAR(crossings * 22050.0 / 6999.0, 440.0, 25.0);
}

TEST(GriffinLim, TheSeedDeterminesTheSamples) {
  const Mel mel = ReferenceMel({}).log_mel(noise(2000, 4));

  EXPECT_EQ(griffin_lim(mel, {}, 2, 7), griffin_lim(mel, {}, 2, 7));
  EXPECT_NE(griffin_lim(mel, {}, 2, 7), griffin_lim(mel, {}, 2, 8));
}

TEST(GriffinLim, SilenceStaysSilent) {
  const Mel mel = ReferenceMel({}).log_mel(std::vector<float>(4096, 0.0F));

  for (const float sample : griffin_lim(mel, {}, 4, 1))
    ASSERT_LT(std::abs(sample), 1e-4);
}

TEST(GriffinLim, ReturnsOneHopPerFrameExceptTheFirst) {
  const ReferenceMel extractor({});

  EXPECT_EQ(griffin_lim(extractor.log_mel(noise(1024, 1)), {}, 1, 1).size(), 1024U);
  EXPECT_TRUE(griffin_lim(extractor.log_mel({}), {}, 1, 1).empty());
}

// Runs in a child process, because a received signal stays pending.
TEST(GriffinLimDeathTest, StopsAfterASignal) {
  const Mel mel = ReferenceMel({}).log_mel(noise(2000, 4));
  const auto invert_after_a_signal = [&] {
    base::catch_interrupts();
    std::raise(SIGINT);
    try {
      griffin_lim(mel, {}, 1, 1);
    } catch (const base::Interrupted& stop) {
      std::_Exit(stop.signal());
    }
    std::_Exit(0);
  };

  EXPECT_EXIT(invert_after_a_signal(), testing::ExitedWithCode(SIGINT), "");
}

TEST(GriffinLim, RejectsAMelThatDoesNotFitTheSpec) {
  MelSpec other;
  other.n_mels = 100;

  EXPECT_THROW(griffin_lim(ReferenceMel({}).log_mel({}), other, 1, 1), UserError);
}

}  // namespace
}  // namespace myxtts::audio
