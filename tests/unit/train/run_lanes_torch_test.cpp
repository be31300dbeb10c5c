#include "train/run_lanes_torch.h"

#include <algorithm>
#include <stdexcept>

#include <gtest/gtest.h>

#include "support/has.h"

namespace myxtts::train {
namespace {

using support::has;

const std::vector<int> kCores = {0, 1, 2, 3};
const data::MachineDevices kTwoGpus = {.num_cuda = 2};

class NamedExtractor final : public data::MelExtractor {
 public:
  explicit NamedExtractor(std::string name) : name_(std::move(name)) {}
  const audio::MelSpec& spec() const override { return spec_; }
  void log_mel(std::span<const float>, data::MelScratch&, std::span<float>) const override {}
  const std::string& name() const override { return name_; }

 private:
  audio::MelSpec spec_;
  std::string name_;
};

std::shared_ptr<const data::MelExtractor> open_named_extractor(const audio::MelSpec&,
                                                               const data::LaneDevice& device) {
  return std::make_shared<const NamedExtractor>("on " + device.name());
}

std::shared_ptr<const data::MelExtractor> failing_extractor(const audio::MelSpec&,
                                                            const data::LaneDevice&) {
  throw std::runtime_error("CUDA error: out of memory\nand a stack trace");
}

void open_successfully(const data::LaneDevice&) {}

// Opening these GPUs fails.
OpenModel fails_on(const std::vector<int>& failing) {
  return [failing](const data::LaneDevice& device) {
    if (std::ranges::find(failing, device.index) != failing.end())
      throw std::runtime_error("CUDA error: device is lost\nand a stack trace");
  };
}

config::Config on_gpus(int data, int model) {
  config::Config config;
  config.data.data_gpu = data;
  config.data.model_gpu = model;
  return config;
}

TEST(OpenLanes, DataLaneOnAGpuExtractsMelsThere) {
  const RunLanes lanes =
      open_lanes(on_gpus(1, 0), kCores, kTwoGpus, open_named_extractor, open_successfully);

  EXPECT_EQ(lanes.plan.mode, data::PipelineMode::kMultiDevice);
  EXPECT_EQ(lanes.mels->name(), "on cuda:1");
}

TEST(OpenLanes, OtherDataLanesUseFastMel) {
  config::Config on_cores;
  on_cores.data.data_device = "cpu:0";
  on_cores.data.model_device = "cuda:0";
  config::Config single;
  single.training.device = "cuda:0";
  for (const config::Config& config : {config::Config{}, on_cores, single}) {
    const RunLanes lanes =
        open_lanes(config, kCores, kTwoGpus, failing_extractor, open_successfully);
    EXPECT_TRUE(has(lanes.mels->name(), "fast")) << lanes.mels->name();
    EXPECT_EQ(lanes.plan.fallback_reason, "");
  }
}

TEST(OpenLanes, FallsBackIfTheDataGpuFailsToOpen) {
  const RunLanes lanes =
      open_lanes(on_gpus(1, 0), kCores, kTwoGpus, failing_extractor, open_successfully);

  EXPECT_EQ(lanes.plan.mode, data::PipelineMode::kSingleBuffered);
  EXPECT_EQ(lanes.plan.fallback_reason, "cuda:1: CUDA error: out of memory");
  EXPECT_EQ(lanes.plan.model.device.name(), "cuda:0");
  EXPECT_TRUE(has(lanes.mels->name(), "fast")) << lanes.mels->name();
}

TEST(OpenLanes, TrainsOnTheOtherGpuIfTheModelGpuFails) {
  const RunLanes lanes =
      open_lanes(on_gpus(0, 1), kCores, kTwoGpus, open_named_extractor, fails_on({1}));

  EXPECT_EQ(lanes.plan.mode, data::PipelineMode::kSingleBuffered);
  EXPECT_EQ(lanes.plan.fallback_reason, "cuda:1: CUDA error: device is lost");
  EXPECT_EQ(lanes.plan.model.device.name(), "cuda:0");
  EXPECT_TRUE(has(lanes.mels->name(), "fast")) << "that GPU trains: " << lanes.mels->name();
}

TEST(OpenLanes, TrainsOnTheCpuIfNoGpuOpens) {
  for (const auto& open_mels : {OpenMels(open_named_extractor), OpenMels(failing_extractor)}) {
    for (const char* device : {"auto", "cuda:1"}) {
      config::Config config = on_gpus(0, 1);
      config.training.device = device;
      const RunLanes lanes = open_lanes(config, kCores, kTwoGpus, open_mels, fails_on({0, 1}));

      EXPECT_EQ(lanes.plan.mode, data::PipelineMode::kSingleBuffered);
      EXPECT_EQ(lanes.plan.model.device.name(), "cpu") << device;
      EXPECT_TRUE(has(lanes.plan.fallback_reason, "cuda:0: CUDA error"));
      EXPECT_TRUE(has(lanes.plan.fallback_reason, "cuda:1: CUDA error"));
      EXPECT_EQ(with_model_device(config, lanes.plan).training.device, "cpu");
    }
  }
}

TEST(OpenLanes, DoesNotOpenAGpuForAModelOnTheCpu) {
  config::Config config;
  config.data.data_device = "cuda:0";
  config.data.model_device = "cpu:0";

  const RunLanes lanes =
      open_lanes(config, kCores, kTwoGpus, open_named_extractor, fails_on({0, 1}));

  EXPECT_EQ(lanes.plan.mode, data::PipelineMode::kMultiDevice);
  EXPECT_EQ(lanes.mels->name(), "on cuda:0");
}

// A single requested device has no fallback.
TEST(OpenLanes, ThrowsIfTheOnlyRequestedDeviceFails) {
  config::Config config;
  config.training.device = "cuda:1";

  EXPECT_THROW(open_lanes(config, kCores, kTwoGpus, open_named_extractor, fails_on({1})),
               std::runtime_error);
  EXPECT_EQ(open_lanes(config, kCores, kTwoGpus, open_named_extractor, fails_on({0}))
                .plan.model.device.name(),
            "cuda:1");
}

TEST(WithModelDevice, SetsTheDeviceOfTheModelLane) {
  config::Config config = on_gpus(0, 1);
  const RunLanes lanes =
      open_lanes(config, kCores, kTwoGpus, open_named_extractor, open_successfully);

  EXPECT_EQ(with_model_device(config, lanes.plan).training.device, "cuda:1");
  EXPECT_EQ(with_model_device({}, {}).training.device, "cpu");
}

// The CUDA kernel library is not in the search path of this test program.
TEST(MachineDevices, ReportsTheReasonIfTheCudaLibraryIsMissing) {
  const data::MachineDevices devices = machine_devices(on_gpus(0, 1));

  EXPECT_EQ(devices.num_cuda, 0);
  EXPECT_TRUE(has(devices.no_cuda_reason, "make build CUDA=1")) << devices.no_cuda_reason;
}

}  // namespace
}  // namespace myxtts::train
