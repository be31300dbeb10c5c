#include "data/lane_messages.h"

#include <gtest/gtest.h>

#include "support/has.h"

namespace myxtts::data {
namespace {

const std::vector<int> kTwoCores = {0, 1};
const std::vector<int> kEightCores = {0, 1, 2, 3, 4, 5, 6, 7};

LanePlan plan_with(const char* data, const char* model, std::span<const int> cores, int num_cuda) {
  config::Config config;
  config.data.data_device = data;
  config.data.model_device = model;
  return choose_lanes(config, cores, {.num_cuda = num_cuda, .no_cuda_reason = "no driver"});
}

TEST(FormatLanes, TwoGpusPrintTheMessagesOfTheOriginal) {
  const LanePlan plan = plan_with("cuda:0", "cuda:1", kEightCores, 2);

  EXPECT_EQ(format_lanes(plan, {.batches = 50}),
            "[pipeline] Intelligent GPU Pipeline: Multi-GPU Mode\n"
            "   - Data Processing GPU: 0 (6 workers, cores 2-7)\n"
            "   - Model Training GPU: 1 (2 threads, cores 0-1)\n"
            "   - Buffer Size: 50\n"
            "   - Smart Prefetching: Enabled\n"
            "   - Prefetching to cuda:1 with buffer_size=50 (the next 2 staged there)\n"
            "[pipeline] Multi-GPU Mode: Model will be placed on cuda:1\n");
  EXPECT_EQ(format_warm_up(plan),
            "[pipeline] Multi-GPU Mode: Waiting 2.0s for data pipeline to warm up...\n");
  EXPECT_EQ(format_training_start(plan, 2.04, 50),
            "[pipeline] Model training starting now (50 batches ready after 2.0 s)\n");
}

TEST(FormatLanes, TwoCpuLanesPrintTheirCores) {
  const LanePlan plan = plan_with("cpu:0", "cpu:1", kTwoCores, 0);

  EXPECT_EQ(format_lanes(plan, {.batches = 50, .max_bytes = 120'000'000}),
            "[pipeline] Intelligent GPU Pipeline: Multi-GPU Mode\n"
            "   - Data Processing Device: cpu:0 (1 worker, core 0)\n"
            "   - Model Training Device: cpu:1 (1 thread, core 1)\n"
            "   - Buffer Size: 50 (at most 120 MB)\n"
            "   - Smart Prefetching: Enabled\n"
            "   - Prefetching to cpu:1 with buffer_size=50\n"
            "[pipeline] Multi-GPU Mode: Model will be placed on cpu:1\n");
}

TEST(FormatLanes, BufferedModeNamesIdlePriorityWorkers) {
  const LanePlan plan = choose_lanes({}, kTwoCores, {});

  EXPECT_EQ(format_lanes(plan, {.batches = 50}),
            "[pipeline] Intelligent GPU Pipeline: Single-GPU Buffered Mode\n"
            "   - Data Processing Device: cpu (2 workers at idle priority on the model's cores)\n"
            "   - Model Training Device: cpu (2 threads, cores 0-1)\n"
            "   - Buffer Size: 50\n"
            "   - Smart Prefetching: Enabled\n"
            "   - Prefetching to cpu with buffer_size=50\n");
  EXPECT_EQ(format_warm_up(plan), "[pipeline] Waiting for data pipeline to warm up...\n");
  EXPECT_EQ(format_training_start(plan, 0.31, 1),
            "[pipeline] Model training starting now (1 batch ready after 0.3 s)\n");
}

TEST(FormatLanes, FallbackReasonPrecedesTheMode) {
  const LanePlan plan = plan_with("cuda:0", "cuda:1", kTwoCores, 0);

  const std::string text = format_lanes(plan, {.batches = 50});

  EXPECT_TRUE(
      text.starts_with("[pipeline] Multi-GPU setup failed: cuda:0 is not available: no driver\n"
                       "[pipeline] Falling back to Single-GPU Buffered Mode\n"
                       "[pipeline] Intelligent GPU Pipeline: Single-GPU Buffered Mode\n"))
      << text;
}

TEST(FormatLanes, AutomaticBufferNamesItsBounds) {
  config::Config config;
  config.data.pipeline_buffer_size.reset();
  const LanePlan plan = choose_lanes(config, kTwoCores, {});

  const std::string text =
      format_lanes(plan, {.batches = 17, .max_batches = 512, .max_bytes = 1'500'000'000});

  EXPECT_NE(text.find("Buffer Size: auto, initially 17 (at most 512 and 1500 MB)\n"),
            std::string::npos)
      << text;
}

TEST(FormatLanes, ReducedBufferIsReported) {
  LanePlan plan;
  plan.num_workers = 1;
  plan.buffer_batches = 65536;
  const BufferSummary lowered{
      .batches = 40136, .max_bytes = 4'300'000'000, .room_bytes = 4'294'967'296};

  EXPECT_TRUE(support::has(
      format_lanes(plan, lowered),
      "[pipeline] --buffer-size: 65536 batches requested, 40136 fit into 4295 MB (a quarter of "
      "the free memory, at most 4 GiB)\n"));
  EXPECT_FALSE(support::has(format_lanes(plan, {.batches = 65536}), "requested"));
  plan.num_workers = 0;
  EXPECT_FALSE(support::has(format_lanes(plan, lowered), "requested")) << "there is no buffer";
}

TEST(FormatLanes, InlineLoadingHasNoBufferAndNoWarmUp) {
  config::Config config;
  config.data.num_workers = 0;
  const LanePlan plan = choose_lanes(config, kTwoCores, {});

  EXPECT_EQ(format_lanes(plan, {.batches = 50}),
            "[pipeline] Intelligent GPU Pipeline: Single-GPU Buffered Mode\n"
            "   - Data Processing Device: cpu (inline, between the steps)\n"
            "   - Model Training Device: cpu (2 threads, cores 0-1)\n"
            "   - Buffer Size: none\n"
            "   - Smart Prefetching: Disabled\n");
  EXPECT_EQ(format_warm_up(plan), "");
  EXPECT_EQ(format_training_start(plan, 0.0, 0), "[pipeline] Model training starting now\n");
}

TEST(FormatLanes, NoticesComeLast) {
  config::Config config;
  config.data.data_gpu = 0;
  const std::string text =
      format_lanes(choose_lanes(config, kTwoCores, {.num_cuda = 1}), {.batches = 50});
  EXPECT_TRUE(
      text.ends_with("\n[pipeline] only the data lane is given (cuda:0): two lanes also need "
                     "--model-device; training on cpu\n"))
      << text;
}

TEST(FormatSlowLanes, WarnsIfCpuLanesAreSlowerThanBufferedMode) {
  const LanePlan lanes = plan_with("cpu:0", "cpu:1", kTwoCores, 0);
  EXPECT_EQ(
      format_slow_lanes(lanes, 0.553),
      "[pipeline] the model lane has 1 of 2 cores: a step is 0.55 x as fast as in buffered mode "
      "on all cores (measured); unless loading takes as long as a step, omit "
      "--data-device and --model-device\n");
  EXPECT_EQ(format_slow_lanes(lanes, 1.0), "");
  EXPECT_EQ(format_slow_lanes(lanes, 0.0), "");  // not measured
  EXPECT_EQ(format_slow_lanes(choose_lanes({}, kTwoCores, {}), 0.5), "");
  EXPECT_EQ(format_slow_lanes(plan_with("cuda:0", "cuda:1", kTwoCores, 2), 0.5), "");
}

TEST(FormatCores, ConsecutiveCoresAreRanges) {
  EXPECT_EQ(format_cores(std::vector<int>{}), "");
  EXPECT_EQ(format_cores(std::vector<int>{3}), "3");
  EXPECT_EQ(format_cores(std::vector<int>{0, 1, 2, 5, 7, 8}), "0-2,5,7-8");
}

}  // namespace
}  // namespace myxtts::data
