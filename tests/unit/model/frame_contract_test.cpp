#include "model/frame_contract.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace xtts::model {
namespace {

TEST(FrameContract, HasTheSizesOfTheModel) {
  config::ModelConfig config;
  config.n_fft = 2048;
  config.win_length = 1200;
  config.hop_length = 300;
  config.n_mels = 100;

  const audio::MelContract contract = frame_contract(config);

  EXPECT_EQ(contract.n_fft, 2048);
  EXPECT_EQ(contract.win_length, 1200);
  EXPECT_EQ(contract.hop_length, 300);
  EXPECT_EQ(contract.n_mels, 100);
  EXPECT_TRUE(frame_contract({}) == audio::MelContract{});
}

TEST(FrameContract, SizesThatMakeNoMelAreRefused) {
  config::ModelConfig config;
  config.n_fft = 1000;

  EXPECT_THROW(frame_contract(config), UsageError);
}

}  // namespace
}  // namespace xtts::model
