#include "data/lanes.h"

#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "support/has.h"

namespace myxtts::data {
namespace {

using support::has;

std::vector<int> first_cores(int count) {
  std::vector<int> cores(static_cast<std::size_t>(count));
  std::iota(cores.begin(), cores.end(), 0);
  return cores;
}

config::Config with_lanes(const char* data, const char* model) {
  config::Config config;
  config.data.data_device = data;
  config.data.model_device = model;
  return config;
}

const MachineDevices kNoGpu = {.num_cuda = 0, .no_cuda_reason = "no driver"};

TEST(ChooseLanes, BufferedModeIsTheDefault) {
  const LanePlan plan = choose_lanes({}, first_cores(8), kNoGpu);

  EXPECT_EQ(plan.mode, PipelineMode::kSingleBuffered);
  EXPECT_EQ(name_of(plan.mode), "single_buffered");
  EXPECT_EQ(plan.model.device.name(), "cpu");
  EXPECT_EQ(plan.data.cores, (std::vector<int>{3, 7}));
  EXPECT_EQ(plan.model.cores, (std::vector<int>{0, 1, 2, 4, 5, 6}));
  EXPECT_FALSE(plan.loader_is_idle_priority);
  EXPECT_EQ(plan.num_workers, 2);
  EXPECT_EQ(plan.model_threads, 6);
  EXPECT_EQ(plan.buffer_batches, 50);
  EXPECT_EQ(plan.staged_batches, 0);
  EXPECT_EQ(plan.start_delay_s, 0.0);
  EXPECT_TRUE(plan.fallback_reason.empty());
  EXPECT_TRUE(plan.notices.empty());
}

TEST(ChooseLanes, OnFewCoresTheLoaderRunsAtIdlePriority) {
  for (const int count : {1, 2, 3}) {
    const LanePlan plan = choose_lanes({}, first_cores(count), kNoGpu);
    EXPECT_TRUE(plan.loader_is_idle_priority) << count;
    EXPECT_EQ(plan.model.cores, first_cores(count));
    EXPECT_EQ(plan.data.cores, first_cores(count));
    EXPECT_EQ(plan.model_threads, count);
    EXPECT_EQ(plan.num_workers, count);
  }
}

TEST(ChooseLanes, EachLaneGetsOneOfTwoCores) {
  const LanePlan plan = choose_lanes(with_lanes("cpu:0", "cpu:1"), first_cores(2), kNoGpu);

  EXPECT_EQ(plan.mode, PipelineMode::kMultiDevice);
  EXPECT_EQ(name_of(plan.mode), "multi_device");
  EXPECT_EQ(plan.data.device.name(), "cpu:0");
  EXPECT_EQ(plan.model.device.name(), "cpu:1");
  EXPECT_EQ(plan.data.cores, (std::vector<int>{0}));
  EXPECT_EQ(plan.model.cores, (std::vector<int>{1}));
  EXPECT_EQ(plan.num_workers, 1);
  EXPECT_EQ(plan.model_threads, 1);
  EXPECT_EQ(plan.start_delay_s, 2.0);
  EXPECT_FALSE(plan.loader_is_idle_priority);
}

TEST(ChooseLanes, LowerLaneIndexGetsTheLowerCores) {
  const std::vector<int> cores = {2, 5, 8, 9, 10};
  const LanePlan data_last = choose_lanes(with_lanes("cpu:1", "cpu:0"), cores, kNoGpu);
  EXPECT_EQ(data_last.data.cores, (std::vector<int>{10}));
  EXPECT_EQ(data_last.model.cores, (std::vector<int>{2, 5, 8, 9}));
  const LanePlan data_first = choose_lanes(with_lanes("cpu:3", "cpu:7"), cores, kNoGpu);
  EXPECT_EQ(data_first.data.cores, (std::vector<int>{2}));
  EXPECT_EQ(data_first.model.cores, (std::vector<int>{5, 8, 9, 10}));
}

TEST(ChooseLanes, DataLaneGetsAQuarterOfTheCoresAndAtLeastOne) {
  const std::vector<std::pair<int, std::size_t>> expected = {
      {2, 1}, {3, 1}, {4, 1}, {7, 1}, {8, 2}, {12, 3}, {64, 16}};
  for (const auto& [count, quarter] : expected) {
    const LanePlan plan = choose_lanes(with_lanes("cpu:0", "cpu:1"), first_cores(count), kNoGpu);
    EXPECT_EQ(plan.data.cores.size(), quarter) << count;
    EXPECT_EQ(plan.num_workers, static_cast<int>(quarter)) << count;
    EXPECT_EQ(plan.model_threads, count - static_cast<int>(quarter)) << count;
  }
}

TEST(ChooseLanes, CoresOfTwoLanesAreDisjointAndAllUsed) {
  const MachineDevices two_gpus{.num_cuda = 2};
  for (int count = 2; count <= 33; ++count) {
    for (const char* data : {"cpu:0", "cpu:5", "cuda:0"}) {
      for (const char* model : {"cpu:1", "cuda:1"}) {
        const std::vector<int> cores = first_cores(count);
        const LanePlan plan = choose_lanes(with_lanes(data, model), cores, two_gpus);
        ASSERT_EQ(plan.mode, PipelineMode::kMultiDevice);
        std::set<int> all(plan.data.cores.begin(), plan.data.cores.end());
        all.insert(plan.model.cores.begin(), plan.model.cores.end());
        EXPECT_EQ(all.size(), cores.size());
        EXPECT_EQ(plan.data.cores.size() + plan.model.cores.size(), cores.size());
        EXPECT_GE(std::min(plan.data.cores.size(), plan.model.cores.size()), 1U);
      }
    }
  }
}

TEST(ChooseLanes, MostCoresLoadIfAGpuTrains) {
  const LanePlan plan =
      choose_lanes(with_lanes("cpu:0", "cuda:0"), first_cores(8), {.num_cuda = 1});

  EXPECT_EQ(plan.mode, PipelineMode::kMultiDevice);
  EXPECT_EQ(plan.model.cores.size(), 2U);
  EXPECT_EQ(plan.data.cores.size(), 6U);
  EXPECT_EQ(plan.num_workers, 6);
}

TEST(ChooseLanes, TwoGpusAreTwoLanesAndBatchesAreStagedOnTheModelGpu) {
  config::Config config;
  config.data.data_gpu = 0;
  config.data.model_gpu = 1;
  config.data.pipeline_buffer_size = 75;
  config.data.model_start_delay = 3.5;
  config.data.prefetch_buffer_size = 3;

  const LanePlan plan = choose_lanes(config, first_cores(4), {.num_cuda = 2});
  EXPECT_EQ(plan.mode, PipelineMode::kMultiDevice);
  EXPECT_EQ(plan.data.device.name(), "cuda:0");
  EXPECT_EQ(plan.model.device.name(), "cuda:1");
  EXPECT_EQ(plan.buffer_batches, 75);
  EXPECT_EQ(plan.start_delay_s, 3.5);
  EXPECT_EQ(plan.prefetch_target.name(), "cuda:1");
  EXPECT_EQ(plan.staged_batches, 3);

  config.data.prefetch_to_gpu = false;
  const LanePlan unstaged = choose_lanes(config, first_cores(4), {.num_cuda = 2});
  EXPECT_EQ(unstaged.prefetch_target.name(), "cpu");
  EXPECT_EQ(unstaged.staged_batches, 0);
}

TEST(ChooseLanes, WithoutGpusItFallsBackToTheCpuWithAReason) {
  config::Config config;
  config.data.data_gpu = 0;
  config.data.model_gpu = 1;

  const LanePlan plan = choose_lanes(config, first_cores(2), kNoGpu);

  EXPECT_EQ(plan.mode, PipelineMode::kSingleBuffered);
  EXPECT_EQ(plan.fallback_reason, "cuda:0 is not available: no driver");
  EXPECT_EQ(plan.model.device.name(), "cpu");
  EXPECT_TRUE(plan.loader_is_idle_priority);
  EXPECT_EQ(plan.start_delay_s, 0.0);
}

TEST(ChooseLanes, WithOneOfTwoGpusItTrainsOnThatOne) {
  config::Config config;
  config.data.data_gpu = 0;
  config.data.model_gpu = 1;
  const LanePlan plan = choose_lanes(config, first_cores(4), {.num_cuda = 1});
  EXPECT_EQ(plan.mode, PipelineMode::kSingleBuffered);
  EXPECT_EQ(plan.fallback_reason, "cuda:1 is not available: this machine has one GPU, cuda:0");
  EXPECT_EQ(plan.model.device.name(), "cuda:0");

  config.data.data_gpu = 9;
  const LanePlan other = choose_lanes(config, first_cores(4), {.num_cuda = 2});
  EXPECT_EQ(other.fallback_reason,
            "cuda:9 is not available: this machine has 2 GPUs, cuda:0 to cuda:1");
  EXPECT_EQ(other.model.device.name(), "cuda:1");
}

TEST(ChooseLanes, OneCoreIsTooFewForTwoLanes) {
  const LanePlan plan = choose_lanes(with_lanes("cpu:0", "cpu:1"), first_cores(1), kNoGpu);
  EXPECT_EQ(plan.mode, PipelineMode::kSingleBuffered);
  EXPECT_EQ(plan.fallback_reason, "two lanes need two cores, and this process may use one");
  EXPECT_EQ(plan.model.device.name(), "cpu");
}

TEST(ChooseLanes, FailedDeviceIsNotUsed) {
  config::Config config;
  config.data.data_gpu = 0;
  config.data.model_gpu = 1;
  const MachineDevices failed{.num_cuda = 2, .failed_cuda = {1}};

  const LanePlan plan = fall_back(config, first_cores(4), failed, "cuda:1: out of memory");
  EXPECT_EQ(plan.mode, PipelineMode::kSingleBuffered);
  EXPECT_EQ(plan.fallback_reason, "cuda:1: out of memory");
  EXPECT_EQ(plan.model.device.name(), "cuda:0");

  EXPECT_EQ(choose_lanes(config, first_cores(4), failed).fallback_reason, "cuda:1 failed to open");
}

TEST(ChooseLanes, SingleLaneIsBufferedModeWithANotice) {
  config::Config config;
  config.data.model_gpu = 1;
  const LanePlan on_gpu = choose_lanes(config, first_cores(4), {.num_cuda = 2});
  EXPECT_EQ(on_gpu.mode, PipelineMode::kSingleBuffered);
  EXPECT_EQ(on_gpu.model.device.name(), "cuda:1");
  ASSERT_EQ(on_gpu.notices.size(), 1U);
  EXPECT_EQ(on_gpu.notices[0],
            "only the model lane is given (cuda:1): two lanes also need --data-device; "
            "training on cuda:1");
  EXPECT_TRUE(on_gpu.fallback_reason.empty());

  const LanePlan without = choose_lanes(config, first_cores(4), kNoGpu);
  EXPECT_EQ(without.model.device.name(), "cpu");
  ASSERT_EQ(without.notices.size(), 1U);
  EXPECT_TRUE(
      has(without.notices[0], "training on cpu, because cuda:1 is not available: no driver"));

  config.data.model_gpu.reset();
  config.data.data_gpu = 0;
  const LanePlan data_alone = choose_lanes(config, first_cores(4), {.num_cuda = 2});
  EXPECT_EQ(data_alone.model.device.name(), "cpu");
  ASSERT_EQ(data_alone.notices.size(), 1U);
  EXPECT_TRUE(has(data_alone.notices[0],
                  "only the data lane is given (cuda:0): two lanes also need "
                  "--model-device"));
}

TEST(ChooseLanes, TrainingDeviceIsUsedWithoutLanes) {
  config::Config config;
  config.training.device = "cuda";
  EXPECT_EQ(choose_lanes(config, first_cores(4), {.num_cuda = 1}).model.device.name(), "cuda:0");
  config.training.device = "cuda:3";
  const LanePlan plan = choose_lanes(config, first_cores(4), {.num_cuda = 4});
  EXPECT_EQ(plan.model.device.name(), "cuda:3");
  EXPECT_EQ(plan.staged_batches, 2);
  config.training.device = "auto";
  EXPECT_EQ(choose_lanes(config, first_cores(4), {.num_cuda = 4}).model.device.name(), "cpu");
}

TEST(ChooseLanes, GivenWorkersAndThreadsAreUsed) {
  config::Config config;
  config.data.num_workers = 16;
  config.training.threads = 3;
  const LanePlan plan = choose_lanes(config, first_cores(2), kNoGpu);
  EXPECT_EQ(plan.num_workers, 16);
  EXPECT_EQ(plan.model_threads, 3);

  config.data.num_workers = 0;
  EXPECT_EQ(choose_lanes(config, first_cores(2), kNoGpu).num_workers, 0);
  config.data.num_workers = 4;
  config.data.use_native_loading = false;
  EXPECT_EQ(choose_lanes(config, first_cores(2), kNoGpu).num_workers, 0);
}

TEST(ChooseLanes, ThreadsAreLimitedToTheCoresOfALaneWithANotice) {
  config::Config config = with_lanes("cpu:0", "cpu:1");
  config.training.threads = 2;
  const LanePlan plan = choose_lanes(config, first_cores(2), kNoGpu);
  EXPECT_EQ(plan.model_threads, 1);
  ASSERT_EQ(plan.notices.size(), 1U);
  EXPECT_EQ(plan.notices[0],
            "training.threads is 2, but the model lane has 1 core; using 1 thread");
}

TEST(ChooseLanes, AutomaticBufferSizeIsUnset) {
  config::Config config;
  config.data.pipeline_buffer_size.reset();
  EXPECT_EQ(choose_lanes(config, first_cores(2), kNoGpu).buffer_batches, std::nullopt);
}

// `--device cuda:1` beside `--data-gpu 0 --model-gpu 1` names the model lane a second time.
TEST(ChooseLanes, TrainingDeviceThatIsAnUnavailableLaneIsNotUsed) {
  config::Config config = with_lanes("cuda:0", "cuda:1");
  config.training.device = "cuda:1";

  EXPECT_EQ(choose_lanes(config, first_cores(4), kNoGpu).model.device.name(), "cpu");
  EXPECT_EQ(choose_lanes(config, first_cores(4), {.num_cuda = 1}).model.device.name(), "cuda:0");
  EXPECT_EQ(choose_lanes(config, first_cores(4), {.num_cuda = 2}).model.device.name(), "cuda:1");
}

}  // namespace
}  // namespace myxtts::data
