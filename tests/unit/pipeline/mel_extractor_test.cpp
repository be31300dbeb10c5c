#include "pipeline/mel_extractor.h"

#include <gtest/gtest.h>

#include "audio/fast_mel.h"
#include "support/has.h"
#include "unit/corpus/corpus_folder.h"

namespace xtts::pipeline {
namespace {

TEST(FastMelMaker, MakesTheFastMel) {
  const audio::MelSpec contract{.hop_length = 200, .n_mels = 40};
  const std::vector<float> samples = corpus::hum(0.5);
  const audio::Mel expected = audio::FastMel(contract).log_mel(samples);

  const auto maker = fast_mel_extractor(contract);
  MelScratch scratch;
  std::vector<float> values(expected.values.size());
  maker->log_mel(samples, scratch, values);

  EXPECT_EQ(maker->contract(), contract);
  EXPECT_EQ(values, expected.values);
}

TEST(FastMelMaker, IsNamedByHowItRounds) {
  const std::string name = fast_mel_extractor({})->name();

  EXPECT_EQ(name, "fast " + rounding_of_processor());
  EXPECT_TRUE(support::has(name, "fused")) << name;
}

}  // namespace
}  // namespace xtts::pipeline
