#include "train/lanes_speed_torch.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include "base/threads.h"
#include "unit/model/small_model_torch.h"

namespace myxtts::train {
namespace {

constexpr data::Signature kLanesSignature{.batch = 6, .text = 8, .mel = 40};
constexpr step::BatchProperties kLanesProperties{
    .n_mels = model::kChannels, .reference_frames = model::kReferenceFrames, .mel_pad = -11.5F};

config::Config lanes_config() {
  config::Config config;
  config.model = model::small_config();
  config.training.precision = "fp32";
  return config;
}

data::LanePlan two_lanes() {
  const std::vector<int>& cores = base::usable_cores();
  data::LanePlan lanes;
  lanes.mode = data::PipelineMode::kMultiDevice;
  lanes.data.cores = {cores.front()};
  lanes.model.cores = {cores.back()};
  lanes.model_threads = 1;
  return lanes;
}

TEST(LanesSpeed, IsMeasuredWithoutChangingOtherState) {
  const config::Config config = lanes_config();
  RunParts parts(config, model::kNumSymbols);
  const int threads = at::get_num_threads();
  const torch::Tensor generator = at::detail::getDefaultCPUGenerator().get_state();
  const torch::Tensor weights = parts.parameters().values().detach().clone();
  data::LanePlan lanes = two_lanes();
  lanes.model_threads = threads;

  const double speed =
      measure_lanes_speed(parts, config.training, kLanesSignature, kLanesProperties, lanes);

  EXPECT_GT(speed, 0.0);
  EXPECT_EQ(at::get_num_threads(), threads);
  EXPECT_TRUE(torch::equal(at::detail::getDefaultCPUGenerator().get_state(), generator));
  EXPECT_TRUE(torch::equal(parts.parameters().values(), weights));
  EXPECT_EQ(parts.parameters().gradients().abs().max().item<float>(), 0.0F);
}

TEST(LanesSpeed, IsNotMeasuredWithoutTwoCpuLanes) {
  const config::Config config = lanes_config();
  RunParts parts(config, model::kNumSymbols);
  data::LanePlan buffered = two_lanes();
  buffered.mode = data::PipelineMode::kSingleBuffered;
  EXPECT_EQ(
      measure_lanes_speed(parts, config.training, kLanesSignature, kLanesProperties, buffered),
      0.0);

  data::LanePlan on_gpu = two_lanes();
  on_gpu.model.device = {.is_cuda = true, .index = 0};
  EXPECT_EQ(measure_lanes_speed(parts, config.training, kLanesSignature, kLanesProperties, on_gpu),
            0.0);
}

}  // namespace
}  // namespace myxtts::train
