#include "train/data_loader.h"

#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "unit/data/small_run.h"

namespace myxtts::train {
namespace {

data::LanePlan lanes_with(int num_workers, std::optional<std::int64_t> buffer) {
  data::LanePlan lanes;
  lanes.num_workers = num_workers;
  lanes.buffer_batches = buffer;
  return lanes;
}

TEST(DataLoader, LogsItsLanesAndTheStartOfTheModel) {
  const data::SmallRun run = data::small_run();
  const data::LanePlan lanes = lanes_with(2, 7);
  DataLoader data(lanes, run.features, run.plan, run.settings);
  std::string log;
  const auto append = [&](const std::string& text) { log += text; };
  data.start({}, append);
  data.warm_up(append);
  EXPECT_NE(log.find("Single-GPU Buffered Mode"), std::string::npos) << log;
  EXPECT_NE(log.find("Buffer Size: 7"), std::string::npos) << log;
  EXPECT_NE(log.find("Model training starting now"), std::string::npos) << log;
  EXPECT_EQ(data.report().depth, 7);
}

// With start_empty() the buffer is filled only after the warm-up.
TEST(DataLoader, StartEmptyPrefetchesOneBatchUntilTheModelStarts) {
  const data::SmallRun run = data::small_run();
  const data::LanePlan lanes = lanes_with(2, 7);
  DataLoader data(lanes, run.features, run.plan, run.settings);
  data.start_empty();
  std::string log;
  data.start({}, [&](const std::string& text) { log += text; });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_LE(data.report().num_batches, 1);
  data.warm_up([&](const std::string& text) { log += text; });

  EXPECT_NE(log.find("Buffer Size: 7"), std::string::npos) << log;
  EXPECT_NE(log.find("(1 batch ready after"), std::string::npos) << log;
  while (data.report().depth < 7)
    std::this_thread::yield();
  EXPECT_EQ(data.report().num_batches, 7);
}

TEST(DataLoader, WithTwoLanesTheModelWaitsForTheStartDelay) {
  const data::SmallRun run = data::small_run();
  data::LanePlan lanes = lanes_with(1, 3);
  lanes.mode = data::PipelineMode::kMultiDevice;
  lanes.start_delay_s = 0.4;
  DataLoader data(lanes, run.features, run.plan, run.settings);
  const auto start = std::chrono::steady_clock::now();
  data.start({}, [](const std::string&) {});
  data.warm_up([](const std::string&) {});
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(400));
}

TEST(DataLoader, WithoutWorkersNothingIsPrefetched) {
  const data::SmallRun run = data::small_run();
  const data::LanePlan lanes = lanes_with(0, 50);
  DataLoader data(lanes, run.features, run.plan, run.settings);
  std::string log;
  data.start({}, [](const std::string&) {});
  data.warm_up([&](const std::string& text) { log += text; });
  EXPECT_EQ(log, "[pipeline] Model training starting now\n");
  data.recycle(data.next());
  EXPECT_EQ(data.report().num_batches, 1);
  EXPECT_LT(data.buffer_bytes(), 1e6);
}

TEST(DataLoader, TakeTimesReturnsTheTimesSinceTheLastCall) {
  const data::SmallRun run = data::small_run();
  const data::LanePlan lanes = lanes_with(1, 4);
  DataLoader data(lanes, run.features, run.plan, run.settings);
  data.start({}, [](const std::string&) {});
  data.warm_up([](const std::string&) {});
  LaneTimes all{.busy_s = data.report().busy_s};
  EXPECT_GT(all.busy_s, 0.0) << "the warm-up belongs to no step";

  for (int i = 0; i < 20; ++i) {
    data.recycle(data.next());
    all += data.take_times();
  }
  while (data.report().depth < 4)
    std::this_thread::yield();
  all += data.take_times();

  EXPECT_NEAR(all.busy_s, data.report().busy_s, 1e-9);
  EXPECT_EQ(data.take_times().busy_s, 0.0);
  while (all.blocked_s == 0.0)
    all += data.take_times();
}

std::string start_log_of(DataLoader& data) {
  std::string log;
  data.start({}, [&](const std::string& text) { log += text; });
  return log;
}

// Returns the largest size of a batch. A buffer of 1 with one worker holds two batches.
double bytes_of_one_batch(const data::SmallRun& run) {
  const data::LanePlan lanes = lanes_with(1, 1);
  return DataLoader(lanes, run.features, run.plan, run.settings).buffer_bytes() / 2.0;
}

TEST(DataLoader, LogsTheLargestSizeOfAnAutomaticBuffer) {
  const data::SmallRun run = data::small_run();
  const double one = bytes_of_one_batch(run);
  const data::LanePlan lanes = lanes_with(1, std::nullopt);
  DataLoader data(lanes, run.features, run.plan, run.settings);

  EXPECT_EQ(data.buffer_bytes(), 513.0 * one) << "512 in the buffer and one being collated";
  const std::string log = start_log_of(data);
  const std::string expected =
      fmt::format("Buffer Size: auto, initially 50 (at most 512 and {:.0f} MB)", 513.0 * one / 1e6);
  EXPECT_NE(log.find(expected), std::string::npos) << log;
}

TEST(DataLoader, AnAutomaticBufferStaysWithinItsLimit) {
  const data::SmallRun run = data::small_run();
  const double one = bytes_of_one_batch(run);
  const data::LanePlan lanes = lanes_with(1, std::nullopt);
  DataLoader data(lanes, run.features, run.plan, run.settings);

  data.limit_buffer_bytes(100.5 * one);
  EXPECT_EQ(data.buffer_bytes(), 100.0 * one);
  data.limit_buffer_bytes(1000.0 * one);
  EXPECT_EQ(data.buffer_bytes(), 100.0 * one) << "the limit never grows";
  data.limit_buffer_bytes(-1.0);
  EXPECT_EQ(data.buffer_bytes(), 2.0 * one) << "one batch is always allowed";
  const std::string log = start_log_of(data);
  EXPECT_NE(log.find("auto, initially 1 (at most 1 and"), std::string::npos) << log;

  const data::LanePlan given = lanes_with(1, 7);
  DataLoader fixed(given, run.features, run.plan, run.settings);
  fixed.limit_buffer_bytes(one);
  EXPECT_EQ(fixed.buffer_bytes(), 8.0 * one) << "a fixed size is not limited here";
}

TEST(DataLoader, ReducesABufferThatDoesNotFitAndLogsIt) {
  const data::SmallRun run = data::small_run();
  const data::LanePlan lanes = lanes_with(1, std::int64_t{1} << 40);
  DataLoader data(lanes, run.features, run.plan, run.settings);
  const auto fit = static_cast<std::int64_t>(data.buffer_bytes() / bytes_of_one_batch(run)) - 1;

  const std::string log = start_log_of(data);

  EXPECT_LE(data.buffer_bytes(), 4.4e9);
  const std::string expected =
      fmt::format("--buffer-size: 1099511627776 batches requested, {} fit into ", fit);
  EXPECT_NE(log.find(expected), std::string::npos) << log;
  const data::LanePlan small = lanes_with(1, 7);
  DataLoader fits(small, run.features, run.plan, run.settings);
  EXPECT_EQ(start_log_of(fits).find("asked for"), std::string::npos);
}

// Observes longer than one adaptation interval.
TEST(DataLoader, ResizesAnAutomaticBufferAndLogsIt) {
  const data::SmallRun run = data::small_run();
  const data::LanePlan lanes = lanes_with(1, std::nullopt);
  DataLoader data(lanes, run.features, run.plan, run.settings);
  data.start({}, [](const std::string&) {});
  std::vector<std::string> lines;
  for (int i = 0; i < 4000 && lines.empty(); ++i) {
    data.recycle(data.next());
    while (data.report().depth < 45)  // of 50: the loader is faster than the model
      std::this_thread::yield();
    lines = data.observe(0.0, 5.0);  // the model never waits
  }
  ASSERT_FALSE(lines.empty());
  EXPECT_NE(lines[0].find("buffer"), std::string::npos) << lines[0];
}

TEST(DataLoader, YieldsTheBatchesOfTheSamplerFromItsPosition) {
  const data::SmallRun run = data::small_run();
  const data::LanePlan lanes = lanes_with(2, 5);
  DataLoader data(lanes, run.features, run.plan, run.settings);
  data::BatchSampler sampler(run.features, run.plan, run.settings);
  EXPECT_EQ(data.steps_per_epoch(), sampler.batches_in_epoch());

  sampler.seek({.epoch = 1, .batch = 2});
  data.start({.epoch = 1, .batch = 2}, [](const std::string&) {});
  for (int i = 0; i < 30; ++i) {
    std::unique_ptr<data::Batch> batch = data.next();
    expect_same_batch(*batch, sampler.next());
    data.recycle(std::move(batch));
  }
  sampler.seek({.epoch = 0, .batch = 1});
  data.seek({.epoch = 0, .batch = 1});
  expect_same_batch(*data.next(), sampler.next());
  EXPECT_GE(data.report().num_batches, 31);
  EXPECT_TRUE(data.observe(0.0, 0.1).empty());
}

}  // namespace
}  // namespace myxtts::train
