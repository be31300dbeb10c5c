#include "train/run_lanes_torch.h"

#include <string>
#include <utility>

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <fmt/format.h>

#include "audio/mel_contract.h"
#include "base/error.h"
#include "base/threads.h"
#include "pipeline/cuda_kernels.h"
#include "pipeline/mel_maker_torch.h"

namespace xtts::train {
namespace {

bool names_a_gpu(const config::Config& config) {
  const auto is_gpu = [](const std::string& device) { return device.starts_with("cuda"); };
  return is_gpu(config.training.device) || is_gpu(config::data_lane_of(config.data).value_or("")) ||
         is_gpu(config::model_lane_of(config.data).value_or(""));
}

std::shared_ptr<const pipeline::MelMaker> mels_on(const audio::MelContract& contract,
                                                  const pipeline::LaneDevice& device) {
  return std::make_shared<const pipeline::TorchMelMaker>(contract, torch::Device(device.name()));
}

std::string first_line_of(const std::exception& error) {
  const std::string words = error.what();
  return words.substr(0, words.find('\n'));
}

}  // namespace

pipeline::MachineDevices machine_devices(const config::Config& config) {
  pipeline::MachineDevices devices;
  if (!names_a_gpu(config)) return devices;
  try {
    // LibTorch looks for CUDA once: had it looked before this library is there, it would never
    // find any.
    pipeline::cuda_kernels();
  } catch (const UserError& error) {
    devices.why_no_cuda = error.what();
    return devices;
  }
  devices.why_no_cuda = "this machine has no GPU that CUDA can use";
  if (at::hasCUDA()) {
    devices.num_cuda = static_cast<unsigned char>(at::detail::getCUDAHooks().deviceCount());
  }
  return devices;
}

RunLanes open_lanes(const config::Config& config,
                    std::span<const int> cores,
                    pipeline::MachineDevices devices,
                    const OpenMels& open) {
  const audio::MelContract contract = audio::mel_contract_of(config);
  RunLanes lanes{.plan = pipeline::choose_lanes(config, cores, devices), .mels = nullptr};
  const pipeline::LaneDevice data = lanes.plan.data.device;
  if (data.is_cuda) {
    try {
      lanes.mels = open(contract, data);
    } catch (const std::exception& error) {
      devices.lost_cuda.push_back(data.index.value_or(0));
      lanes.plan = pipeline::fall_back(
          config, cores, devices, fmt::format("{}: {}", data.name(), first_line_of(error)));
    }
  }
  if (!lanes.mels) lanes.mels = pipeline::fast_mel_maker(contract);
  return lanes;
}

RunLanes take_lanes(const config::Config& config) {
  RunLanes lanes = open_lanes(config, base::usable_cores(), machine_devices(config), mels_on);
  const pipeline::LanePlan& plan = lanes.plan;
  if (plan.mode == pipeline::PipelineMode::kMultiDevice) base::run_on(plan.model.cores);
  if (!plan.model.device.is_cuda) at::set_num_threads(plan.model_threads);
  return lanes;
}

}  // namespace xtts::train
