#include "model/frame_mel_spec.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace myxtts::model {
namespace {

TEST(FrameMelSpec, HasTheSizesOfTheModel) {
  config::ModelConfig config;
  config.n_fft = 2048;
  config.win_length = 1200;
  config.hop_length = 300;
  config.n_mels = 100;

  const audio::MelSpec spec = frame_mel_spec(config);

  EXPECT_EQ(spec.n_fft, 2048);
  EXPECT_EQ(spec.win_length, 1200);
  EXPECT_EQ(spec.hop_length, 300);
  EXPECT_EQ(spec.n_mels, 100);
  EXPECT_TRUE(frame_mel_spec({}) == audio::MelSpec{});
}

TEST(FrameMelSpec, RejectsInvalidSizes) {
  config::ModelConfig config;
  config.n_fft = 1000;

  EXPECT_THROW(frame_mel_spec(config), UsageError);
}

}  // namespace
}  // namespace myxtts::model
