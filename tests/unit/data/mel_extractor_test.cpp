#include "data/mel_extractor.h"

#include <gtest/gtest.h>

#include "audio/fast_mel.h"
#include "support/has.h"
#include "unit/corpus/corpus_folder.h"

namespace myxtts::data {
namespace {

TEST(FastMelExtractor, ComputesTheFastMel) {
  const audio::MelSpec spec{.hop_length = 200, .n_mels = 40};
  const std::vector<float> samples = corpus::hum(0.5);
  const audio::Mel expected = audio::FastMel(spec).log_mel(samples);

  const auto extractor = fast_mel_extractor(spec);
  MelScratch scratch;
  std::vector<float> values(expected.values.size());
  extractor->log_mel(samples, scratch, values);

  EXPECT_EQ(extractor->spec(), spec);
  EXPECT_EQ(values, expected.values);
}

TEST(FastMelExtractor, NameIdentifiesTheRounding) {
  const std::string name = fast_mel_extractor({})->name();

  EXPECT_EQ(name, "fast " + rounding_of_processor());
  EXPECT_TRUE(support::has(name, "fused")) << name;
}

}  // namespace
}  // namespace myxtts::data
