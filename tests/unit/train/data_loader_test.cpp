#include "train/data_loader.h"

#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "unit/pipeline/small_run.h"

namespace xtts::train {
namespace {

pipeline::LanePlan lanes_with(int num_workers, std::optional<std::int64_t> buffer) {
  pipeline::LanePlan lanes;
  lanes.num_workers = num_workers;
  lanes.buffer_batches = buffer;
  return lanes;
}

TEST(DataLoader, SaysItsLanesAndThatItIsReady) {
  const pipeline::SmallRun run = pipeline::small_run();
  const pipeline::LanePlan lanes = lanes_with(2, 7);
  DataLoader data(lanes, run.features, run.plan, run.settings);
  std::string said;
  const auto say = [&](const std::string& text) { said += text; };
  data.start({}, say);
  data.warm_up(say);
  EXPECT_NE(said.find("Single-GPU Buffered Mode"), std::string::npos) << said;
  EXPECT_NE(said.find("Buffer Size: 7"), std::string::npos) << said;
  EXPECT_NE(said.find("Model training starting now"), std::string::npos) << said;
  EXPECT_EQ(data.report().depth, 7);
}

// The buffer of a short run is not filled while its steps are prepared, and then it is.
TEST(DataLoader, BeginsWithOneUpdateWhereItIsToBeginEmpty) {
  const pipeline::SmallRun run = pipeline::small_run();
  const pipeline::LanePlan lanes = lanes_with(2, 7);
  DataLoader data(lanes, run.features, run.plan, run.settings);
  data.begin_empty();
  std::string said;
  data.start({}, [&](const std::string& text) { said += text; });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_LE(data.report().num_made, 1);
  data.warm_up([&](const std::string& text) { said += text; });

  EXPECT_NE(said.find("Buffer Size: 7"), std::string::npos) << said;
  EXPECT_NE(said.find("(1 batch ready after"), std::string::npos) << said;
  while (data.report().depth < 7)
    std::this_thread::yield();
  EXPECT_EQ(data.report().num_made, 7);
}

TEST(DataLoader, WithTwoLanesTheModelWaitsAsLongAsAsked) {
  const pipeline::SmallRun run = pipeline::small_run();
  pipeline::LanePlan lanes = lanes_with(1, 3);
  lanes.mode = pipeline::PipelineMode::kMultiDevice;
  lanes.start_delay_s = 0.4;
  DataLoader data(lanes, run.features, run.plan, run.settings);
  const auto start = std::chrono::steady_clock::now();
  data.start({}, [](const std::string&) {});
  data.warm_up([](const std::string&) {});
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(400));
}

TEST(DataLoader, WithoutWorkersNothingIsMadeAhead) {
  const pipeline::SmallRun run = pipeline::small_run();
  const pipeline::LanePlan lanes = lanes_with(0, 50);
  DataLoader data(lanes, run.features, run.plan, run.settings);
  std::string said;
  data.start({}, [](const std::string&) {});
  data.warm_up([&](const std::string& text) { said += text; });
  EXPECT_EQ(said, "[pipeline] Model training starting now\n");
  data.give_back(data.next());
  EXPECT_EQ(data.report().num_made, 1);
  EXPECT_LT(data.buffer_bytes(), 1e6);
}

TEST(DataLoader, TimesOfTheLaneAreThoseSinceTheyWereTaken) {
  const pipeline::SmallRun run = pipeline::small_run();
  const pipeline::LanePlan lanes = lanes_with(1, 4);
  DataLoader data(lanes, run.features, run.plan, run.settings);
  data.start({}, [](const std::string&) {});
  data.warm_up([](const std::string&) {});
  LaneTimes all{.busy_s = data.report().busy_s};
  EXPECT_GT(all.busy_s, 0.0) << "the warm-up is nobody's step";

  for (int i = 0; i < 20; ++i) {
    data.give_back(data.next());
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

std::string words_of(DataLoader& data) {
  std::string said;
  data.start({}, [&](const std::string& text) { said += text; });
  return said;
}

// What one update takes at most: with one worker's buffer of 1 there may be one more.
double bytes_of_an_update(const pipeline::SmallRun& run) {
  const pipeline::LanePlan lanes = lanes_with(1, 1);
  return DataLoader(lanes, run.features, run.plan, run.settings).buffer_bytes() / 2.0;
}

TEST(DataLoader, WhatIsSaidOfAnAutomaticBufferHoldsForAllThatItMayBecome) {
  const pipeline::SmallRun run = pipeline::small_run();
  const double one = bytes_of_an_update(run);
  const pipeline::LanePlan lanes = lanes_with(1, std::nullopt);
  DataLoader data(lanes, run.features, run.plan, run.settings);

  EXPECT_EQ(data.buffer_bytes(), 513.0 * one) << "512 in the buffer and one on its way";
  const std::string said = words_of(data);
  const std::string expected = fmt::format(
      "Buffer Size: auto, 50 to begin with (at most 512 and {:.0f} MB)", 513.0 * one / 1e6);
  EXPECT_NE(said.find(expected), std::string::npos) << said;
}

TEST(DataLoader, AnAutomaticBufferKeepsWithinWhatTheBudgetLeaves) {
  const pipeline::SmallRun run = pipeline::small_run();
  const double one = bytes_of_an_update(run);
  const pipeline::LanePlan lanes = lanes_with(1, std::nullopt);
  DataLoader data(lanes, run.features, run.plan, run.settings);

  data.fit_into(100.5 * one);
  EXPECT_EQ(data.buffer_bytes(), 100.0 * one);
  data.fit_into(1000.0 * one);
  EXPECT_EQ(data.buffer_bytes(), 100.0 * one) << "it never gets more again";
  data.fit_into(-1.0);
  EXPECT_EQ(data.buffer_bytes(), 2.0 * one) << "an update is always allowed";
  const std::string said = words_of(data);
  EXPECT_NE(said.find("auto, 1 to begin with (at most 1 and"), std::string::npos) << said;

  const pipeline::LanePlan given = lanes_with(1, 7);
  DataLoader fixed(given, run.features, run.plan, run.settings);
  fixed.fit_into(one);
  EXPECT_EQ(fixed.buffer_bytes(), 8.0 * one) << "what was asked for is refused elsewhere";
}

TEST(DataLoader, ABufferThatDoesNotFitIsSmallerAndThatIsSaid) {
  const pipeline::SmallRun run = pipeline::small_run();
  const pipeline::LanePlan lanes = lanes_with(1, std::int64_t{1} << 40);
  DataLoader data(lanes, run.features, run.plan, run.settings);
  const auto fit = static_cast<std::int64_t>(data.buffer_bytes() / bytes_of_an_update(run)) - 1;

  const std::string said = words_of(data);

  EXPECT_LE(data.buffer_bytes(), 4.4e9);
  const std::string expected =
      fmt::format("--buffer-size: 1099511627776 asked for, {} fit into ", fit);
  EXPECT_NE(said.find(expected), std::string::npos) << said;
  const pipeline::LanePlan small = lanes_with(1, 7);
  DataLoader fits(small, run.features, run.plan, run.settings);
  EXPECT_EQ(words_of(fits).find("asked for"), std::string::npos);
}

// Watched for longer than it takes to judge it.
TEST(DataLoader, AnAutomaticBufferChangesAndSaysSo) {
  const pipeline::SmallRun run = pipeline::small_run();
  const pipeline::LanePlan lanes = lanes_with(1, std::nullopt);
  DataLoader data(lanes, run.features, run.plan, run.settings);
  data.start({}, [](const std::string&) {});
  std::vector<std::string> lines;
  for (int i = 0; i < 4000 && lines.empty(); ++i) {
    data.give_back(data.next());
    while (data.report().depth < 45)  // of 50: the loader is as fast as the model is slow
      std::this_thread::yield();
    lines = data.observe(0.0, 5.0);  // the model never waits
  }
  ASSERT_FALSE(lines.empty());
  EXPECT_NE(lines[0].find("buffer"), std::string::npos) << lines[0];
}

TEST(DataLoader, GivesTheUpdatesOfTheLoaderFromWhereItStarts) {
  const pipeline::SmallRun run = pipeline::small_run();
  const pipeline::LanePlan lanes = lanes_with(2, 5);
  DataLoader data(lanes, run.features, run.plan, run.settings);
  pipeline::BatchSampler plain(run.features, run.plan, run.settings);
  EXPECT_EQ(data.updates_per_epoch(), plain.batches_in_epoch());

  plain.seek({.epoch = 1, .update = 2});
  data.start({.epoch = 1, .update = 2}, [](const std::string&) {});
  for (int i = 0; i < 30; ++i) {
    std::unique_ptr<pipeline::Batch> update = data.next();
    expect_same_update(*update, plain.next());
    data.give_back(std::move(update));
  }
  plain.seek({.epoch = 0, .update = 1});
  data.seek({.epoch = 0, .update = 1});
  expect_same_update(*data.next(), plain.next());
  EXPECT_GE(data.report().num_made, 31);
  EXPECT_TRUE(data.observe(0.0, 0.1).empty());
}

}  // namespace
}  // namespace xtts::train
