#include "config/training_checks.h"

#include <functional>
#include <limits>

#include <gtest/gtest.h>

#include "config/validate.h"

namespace myxtts::config {
namespace {

// Returns the validation errors of a configuration with these lanes and one more change.
std::vector<std::string> with_lanes(
    const char* data, const char* model, const std::function<void(Config&)>& change = [](Config&) {
    }) {
  Config config;
  config.data.data_device = data;
  config.data.model_device = model;
  change(config);
  return validation_errors(config);
}

void expect_only(const std::vector<std::string>& found, const std::string& expected) {
  ASSERT_EQ(found.size(), 1U) << expected << (found.empty() ? "" : ": " + found.back());
  EXPECT_NE(found[0].find(expected), std::string::npos) << found[0];
}

TEST(LaneChecks, TwoDifferentDevicesAreValid) {
  EXPECT_TRUE(with_lanes("cpu:0", "cpu:1").empty());
  EXPECT_TRUE(with_lanes("cpu:1", "cpu:0").empty());
  EXPECT_TRUE(with_lanes("cpu:0", "cuda:0").empty());
  EXPECT_TRUE(with_lanes("cuda:0", "cuda:1").empty());
}

TEST(LaneChecks, TheSameDeviceTwiceIsRejected) {
  expect_only(with_lanes("cpu:1", "cpu:1"), "are both cpu:1; expected two different devices");
  expect_only(with_lanes("cuda:0", "cuda:00"), "are both cuda:0");
  Config config;
  config.data.data_gpu = 2;
  config.data.model_gpu = 2;
  expect_only(validation_errors(config), "are both cuda:2");
  config.data.data_gpu.reset();
  config.data.data_device = "cuda:2";
  expect_only(validation_errors(config), "are both cuda:2");
}

TEST(LaneChecks, ASingleLaneIsValid) {
  Config config;
  config.data.data_gpu = 0;
  EXPECT_TRUE(validation_errors(config).empty());
  config.data.data_gpu.reset();
  config.data.model_gpu = 1;
  EXPECT_TRUE(validation_errors(config).empty());
  config.data.num_workers = 0;
  EXPECT_TRUE(validation_errors(config).empty());
}

TEST(LaneChecks, LanesAndInlineLoadingContradictEachOther) {
  expect_only(with_lanes("cpu:0", "cpu:1", [](Config& c) { c.data.num_workers = 0; }),
              "data.num_workers is 0 (inline loading), but two lanes need a worker");
  expect_only(with_lanes("cpu:0", "cpu:1", [](Config& c) { c.data.use_native_loading = false; }),
              "data.use_native_loading is false");
}

TEST(LaneChecks, TheModelLaneMustMatchTheTrainingDevice) {
  const auto device = [](const char* name) {
    return [name](Config& config) { config.training.device = name; };
  };
  EXPECT_TRUE(with_lanes("cpu:0", "cpu:1", device("cpu")).empty());
  EXPECT_TRUE(with_lanes("cuda:1", "cuda:0", device("cuda")).empty());
  EXPECT_TRUE(with_lanes("cuda:0", "cuda:1", device("cuda:1")).empty());
  expect_only(with_lanes("cuda:0", "cuda:1", device("cpu")),
              "training.device is cpu, but the model lane is cuda:1; set training.device to auto");
  expect_only(with_lanes("cpu:0", "cpu:1", device("cuda")), "training.device is cuda, but");
  Config config;
  config.data.model_gpu = 1;
  config.training.device = "cuda:0";
  expect_only(validation_errors(config), "training.device is cuda:0, but the model lane is cuda:1");
}

TEST(LaneChecks, BufferAndDelayErrorsNameTheirRanges) {
  const auto found_with = [](const std::function<void(Config&)>& change) {
    Config config;
    change(config);
    return validation_errors(config);
  };
  const auto buffer = [](int batches) {
    return [batches](Config& config) { config.data.pipeline_buffer_size = batches; };
  };
  const auto delay = [](double seconds) {
    return [seconds](Config& config) { config.data.model_start_delay = seconds; };
  };
  for (const int good : {1, 50, 75, 100, 500, 65536})
    EXPECT_TRUE(found_with(buffer(good)).empty()) << good;
  for (const int bad : {0, -1, 65537, 2000000000})
    expect_only(found_with(buffer(bad)), "expected a value in [1, 65536], or auto");
  for (const double good : {0.0, 2.0, 3.5, 3600.0})
    EXPECT_TRUE(found_with(delay(good)).empty()) << good;
  for (const double bad : {-0.001,
                           -2.0,
                           3600.5,
                           std::numeric_limits<double>::infinity(),
                           std::numeric_limits<double>::quiet_NaN()})
    expect_only(found_with(delay(bad)), "expected a value in [0, 3600]");
}

TEST(SizeChecks, InvalidSizesAreRejected) {
  Config config;
  config.data.cache_limit = "plenty";
  expect_only(validation_errors(config),
              "data.cache_limit is 'plenty'; expected a size such as 800MB");
  config.data.cache_limit = "1.5 GiB";
  EXPECT_TRUE(validation_errors(config).empty());
  config.training.memory_budget = "all";
  expect_only(validation_errors(config),
              "training.memory_budget is 'all'; expected auto, or a size");
  config.training.memory_budget = "6GB";
  EXPECT_TRUE(validation_errors(config).empty());
}

TEST(LaneChecks, AllErrorsAreReportedAtOnce) {
  const std::vector<std::string> found = with_lanes("cpu:0", "cpu:0", [](Config& c) {
    c.data.num_workers = 0;
    c.data.pipeline_buffer_size = 0;
    c.data.model_start_delay = -1;
    c.training.device = "cuda:0";
  });
  EXPECT_EQ(found.size(), 5U);
}

TEST(LaneChecks, AnInvalidLaneIsReportedOnce) {
  expect_only(with_lanes("cpu", "cpu:1"), "data.data_device is 'cpu'; expected a lane");
  expect_only(with_lanes("cuda:0", "gpu:1"), "data.model_device is 'gpu:1'; expected a lane");
  expect_only(with_lanes("cuda:0", "cuda:99999999999999"), "expected a lane such as cpu:0");
}

TEST(RunFolderChecks, EmptyNamesAreRejected) {
  Config config;
  config.training.evaluate_text = "";
  expect_only(validation_errors(config), "training.evaluate_text is empty");
  config.training.evaluate_text.reset();
  config.training.evaluate_judge = "";
  expect_only(validation_errors(config), "training.evaluate_judge is empty");
}

}  // namespace
}  // namespace myxtts::config
