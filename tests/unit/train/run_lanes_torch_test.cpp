#include "train/run_lanes_torch.h"

#include <algorithm>
#include <stdexcept>

#include <gtest/gtest.h>

#include "support/has.h"

namespace xtts::train {
namespace {

using support::has;

const std::vector<int> kCores = {0, 1, 2, 3};
const pipeline::MachineDevices kTwoGpus = {.num_cuda = 2};

class NamedMaker final : public pipeline::MelExtractor {
 public:
  explicit NamedMaker(std::string name) : name_(std::move(name)) {}
  const audio::MelSpec& contract() const override { return contract_; }
  void log_mel(std::span<const float>, pipeline::MelScratch&, std::span<float>) const override {}
  const std::string& name() const override { return name_; }

 private:
  audio::MelSpec contract_;
  std::string name_;
};

std::shared_ptr<const pipeline::MelExtractor> named_maker(const audio::MelSpec&,
                                                          const pipeline::LaneDevice& device) {
  return std::make_shared<const NamedMaker>("on " + device.name());
}

std::shared_ptr<const pipeline::MelExtractor> lost_maker(const audio::MelSpec&,
                                                         const pipeline::LaneDevice&) {
  throw std::runtime_error("CUDA error: out of memory\nand a page of where");
}

void opens(const pipeline::LaneDevice&) {}

// The GPUs of these numbers fail.
OpenModel fails_on(const std::vector<int>& lost) {
  return [lost](const pipeline::LaneDevice& device) {
    if (std::ranges::find(lost, device.index) != lost.end())
      throw std::runtime_error("CUDA error: device is lost\nand a page of where");
  };
}

config::Config on_gpus(int data, int model) {
  config::Config config;
  config.data.data_gpu = data;
  config.data.model_gpu = model;
  return config;
}

TEST(OpenLanes, ADataLaneOnAGpuMakesItsMelsThere) {
  const RunLanes lanes = open_lanes(on_gpus(1, 0), kCores, kTwoGpus, named_maker, opens);

  EXPECT_EQ(lanes.plan.mode, pipeline::PipelineMode::kMultiDevice);
  EXPECT_EQ(lanes.mels->name(), "on cuda:1");
}

TEST(OpenLanes, EveryOtherDataLaneHasTheFastMel) {
  config::Config on_cores;
  on_cores.data.data_device = "cpu:0";
  on_cores.data.model_device = "cuda:0";
  config::Config single;
  single.training.device = "cuda:0";
  for (const config::Config& config : {config::Config{}, on_cores, single}) {
    const RunLanes lanes = open_lanes(config, kCores, kTwoGpus, lost_maker, opens);
    EXPECT_TRUE(has(lanes.mels->name(), "fast")) << lanes.mels->name();
    EXPECT_EQ(lanes.plan.fall_back_reason, "");
  }
}

TEST(OpenLanes, AGpuThatFailsWhenItIsOpenedIsTheReasonOfAFallBack) {
  const RunLanes lanes = open_lanes(on_gpus(1, 0), kCores, kTwoGpus, lost_maker, opens);

  EXPECT_EQ(lanes.plan.mode, pipeline::PipelineMode::kSingleBuffered);
  EXPECT_EQ(lanes.plan.fall_back_reason, "cuda:1: CUDA error: out of memory");
  EXPECT_EQ(lanes.plan.model.device.name(), "cuda:0");
  EXPECT_TRUE(has(lanes.mels->name(), "fast")) << lanes.mels->name();
}

TEST(OpenLanes, TheModelsGpuThatFailsLeavesTheTrainingToTheOther) {
  const RunLanes lanes = open_lanes(on_gpus(0, 1), kCores, kTwoGpus, named_maker, fails_on({1}));

  EXPECT_EQ(lanes.plan.mode, pipeline::PipelineMode::kSingleBuffered);
  EXPECT_EQ(lanes.plan.fall_back_reason, "cuda:1: CUDA error: device is lost");
  EXPECT_EQ(lanes.plan.model.device.name(), "cuda:0");
  EXPECT_TRUE(has(lanes.mels->name(), "fast")) << "it trains there: " << lanes.mels->name();
}

TEST(OpenLanes, WithoutAnyGpuThatOpensTheCpuTrains) {
  for (const auto& open_mels : {OpenMels(named_maker), OpenMels(lost_maker)}) {
    for (const char* device : {"auto", "cuda:1"}) {
      config::Config config = on_gpus(0, 1);
      config.training.device = device;
      const RunLanes lanes = open_lanes(config, kCores, kTwoGpus, open_mels, fails_on({0, 1}));

      EXPECT_EQ(lanes.plan.mode, pipeline::PipelineMode::kSingleBuffered);
      EXPECT_EQ(lanes.plan.model.device.name(), "cpu") << device;
      EXPECT_TRUE(has(lanes.plan.fall_back_reason, "cuda:0: CUDA error"));
      EXPECT_TRUE(has(lanes.plan.fall_back_reason, "cuda:1: CUDA error"));
      EXPECT_EQ(placed_on(config, lanes.plan).training.device, "cpu");
    }
  }
}

TEST(OpenLanes, AModelOnTheCpuOpensNoGpu) {
  config::Config config;
  config.data.data_device = "cuda:0";
  config.data.model_device = "cpu:0";

  const RunLanes lanes = open_lanes(config, kCores, kTwoGpus, named_maker, fails_on({0, 1}));

  EXPECT_EQ(lanes.plan.mode, pipeline::PipelineMode::kMultiDevice);
  EXPECT_EQ(lanes.mels->name(), "on cuda:0");
}

// Who asks for one device means that one.
TEST(OpenLanes, TheOnlyDeviceThatFailsIsAnError) {
  config::Config config;
  config.training.device = "cuda:1";

  EXPECT_THROW(open_lanes(config, kCores, kTwoGpus, named_maker, fails_on({1})),
               std::runtime_error);
  EXPECT_EQ(
      open_lanes(config, kCores, kTwoGpus, named_maker, fails_on({0})).plan.model.device.name(),
      "cuda:1");
}

TEST(PlacedOn, ARunIsWhereItsModelsLaneIs) {
  config::Config config = on_gpus(0, 1);
  const RunLanes lanes = open_lanes(config, kCores, kTwoGpus, named_maker, opens);

  EXPECT_EQ(placed_on(config, lanes.plan).training.device, "cuda:1");
  EXPECT_EQ(placed_on({}, {}).training.device, "cpu");
}

// The library of kernels is not in this program's search path, with or without a GPU.
TEST(MachineDevices, WithoutItsLibraryThereIsNoGpuAndTheReasonIsSaid) {
  const pipeline::MachineDevices devices = machine_devices(on_gpus(0, 1));

  EXPECT_EQ(devices.num_cuda, 0);
  EXPECT_TRUE(has(devices.why_no_cuda, "make build CUDA=1")) << devices.why_no_cuda;
}

}  // namespace
}  // namespace xtts::train
