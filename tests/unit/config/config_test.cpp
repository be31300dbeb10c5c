#include "config/config.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace myxtts::config {
namespace {

TEST(Config, MixedPrecisionOverridesPrecision) {
  Config config;
  EXPECT_EQ(precision_of(config), "auto");

  config.training.precision = "bf16";
  EXPECT_EQ(precision_of(config), "bf16");

  config.training.precision = "auto";
  config.data.mixed_precision = false;
  EXPECT_EQ(precision_of(config), "fp32");
  config.data.mixed_precision = true;
  EXPECT_EQ(precision_of(config), "bf16");
}

TEST(Config, VocoderTrainingHasItsOwnLearningRateAndScheduler) {
  Config config;
  config.training.vocoder_learning_rate = 3e-4;
  config.training.evaluate_every = 10;

  const Config vocoder = for_vocoder(config);

  EXPECT_EQ(vocoder.training.learning_rate, 3e-4);
  EXPECT_EQ(vocoder.training.scheduler, "linear");
  EXPECT_EQ(vocoder.training.evaluate_every, 0);
  EXPECT_EQ(config.training.scheduler, "cosine");
}

TEST(Config, InvalidVocoderSettingsAreRejected) {
  Config short_crops;
  short_crops.model.vocoder_crop_frames = 7;
  Config above_peak;
  above_peak.training.vocoder_learning_rate = 1e-3;
  above_peak.training.min_learning_rate =
      1.5e-3;  // valid for the acoustic model, whose peak is 2e-3

  EXPECT_THROW(for_vocoder(short_crops), UsageError);
  EXPECT_THROW(for_vocoder(above_peak), UsageError);
}

}  // namespace
}  // namespace myxtts::config
