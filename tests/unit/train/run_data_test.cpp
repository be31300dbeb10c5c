#include "train/run_data.h"

#include <gtest/gtest.h>

#include "unit/pipeline/small_run.h"

namespace xtts::train {
namespace {

TEST(StreamSettingsOf, AreThoseOfTheConfiguration) {
  config::DataConfig data;
  EXPECT_EQ(stream_settings_of(data, 1000, 1e9).buffer, 50);
  data.pipeline_buffer_size = 7;
  data.num_workers = 3;
  EXPECT_EQ(stream_settings_of(data, 1000, 1e9).buffer, 7);
  EXPECT_EQ(stream_settings_of(data, 1000, 1e9).num_workers, 3);
  data.use_native_loading = false;
  EXPECT_EQ(stream_settings_of(data, 1000, 1e9).num_workers, 0);
}

TEST(StreamSettingsOf, TheBufferIsBoundedInBytesToo) {
  config::DataConfig data;
  EXPECT_EQ(stream_settings_of(data, 1000, 8.0 * 20 * 1000).buffer, 20);
  EXPECT_EQ(stream_settings_of(data, 1000, 10.0).buffer, 1);
}

TEST(RunData, GivesTheUpdatesOfTheLoaderFromWhereItStarts) {
  const pipeline::SmallRun run = pipeline::small_run();
  config::Config config;
  config.data.num_workers = 2;
  RunData data(config, run.features, run.plan, run.settings);
  pipeline::Loader plain(run.features, run.plan, run.settings);
  EXPECT_EQ(data.updates_per_epoch(), plain.updates_in_epoch(0));

  plain.seek({.epoch = 1, .update = 2});
  data.start({.epoch = 1, .update = 2});
  for (int i = 0; i < 30; ++i) {
    std::unique_ptr<pipeline::Update> update = data.next();
    expect_same_update(*update, plain.next());
    data.give_back(std::move(update));
  }
  plain.seek({.epoch = 0, .update = 1});
  data.seek({.epoch = 0, .update = 1});
  expect_same_update(*data.next(), plain.next());
  EXPECT_GE(data.report().num_made, 31);
  EXPECT_TRUE(data.take_news().empty());
}

}  // namespace
}  // namespace xtts::train
