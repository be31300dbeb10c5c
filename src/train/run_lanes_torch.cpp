#include "train/run_lanes_torch.h"

#include <string>
#include <utility>

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <fmt/format.h>

#include "audio/mel_spec.h"
#include "base/error.h"
#include "base/threads.h"
#include "pipeline/cuda_library.h"
#include "pipeline/mel_extractor_torch.h"
#include "step/captured_work_torch.h"

namespace xtts::train {
namespace {

bool names_a_gpu(const config::Config& config) {
  const auto is_gpu = [](const std::string& device) { return device.starts_with("cuda"); };
  return is_gpu(config.training.device) || is_gpu(config::data_lane_of(config.data).value_or("")) ||
         is_gpu(config::model_lane_of(config.data).value_or(""));
}

std::shared_ptr<const pipeline::MelExtractor> mels_on(const audio::MelSpec& contract,
                                                      const pipeline::LaneDevice& device) {
  return std::make_shared<const pipeline::TorchMelExtractor>(contract,
                                                             torch::Device(device.name()));
}

// Streams and graphs, some memory and a kernel: a GPU that is lost or full often fails only there.
void try_to_train(const pipeline::LaneDevice& device) {
  constexpr std::int64_t kValues = std::int64_t{1} << 20;
  step::open_graph_device(device.index.value_or(0));
  torch::zeros({kValues}, torch::Device(device.name())).sum().item<float>();
}

bool asks_for_two_lanes(const config::Config& config) {
  return config::data_lane_of(config.data) && config::model_lane_of(config.data);
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
                    const OpenMels& open_mels,
                    const OpenModel& open_model) {
  const audio::MelSpec contract = audio::mel_spec_of(config);
  RunLanes lanes{.plan = pipeline::choose_lanes(config, cores, devices), .mels = nullptr};
  const auto lose = [&](const pipeline::LaneDevice& device, const std::exception& error) {
    devices.lost_cuda.push_back(device.index.value_or(0));
    lanes.mels = nullptr;
    std::string reasons = lanes.plan.fall_back_reason;
    reasons +=
        fmt::format("{}{}: {}", reasons.empty() ? "" : "; ", device.name(), first_line_of(error));
    lanes.plan = pipeline::fall_back(config, cores, devices, std::move(reasons));
  };
  const pipeline::LaneDevice data = lanes.plan.data.device;
  if (data.is_cuda) {
    try {
      lanes.mels = open_mels(contract, data);
    } catch (const std::exception& error) {
      lose(data, error);
    }
  }
  while (lanes.plan.model.device.is_cuda) {
    const pipeline::LaneDevice model = lanes.plan.model.device;
    try {
      open_model(model);
      break;
    } catch (const std::exception& error) {
      if (!asks_for_two_lanes(config)) throw;
      lose(model, error);
    }
  }
  if (!lanes.mels) lanes.mels = pipeline::fast_mel_extractor(contract);
  return lanes;
}

RunLanes find_lanes(const config::Config& config) {
  return open_lanes(config, base::usable_cores(), machine_devices(config), mels_on, try_to_train);
}

void enter_model_lane(const pipeline::LanePlan& plan) {
  if (plan.mode == pipeline::PipelineMode::kMultiDevice) base::run_on(plan.model.cores);
  if (!plan.model.device.is_cuda) at::set_num_threads(plan.model_threads);
}

config::Config placed_on(config::Config config, const pipeline::LanePlan& plan) {
  const pipeline::LaneDevice& device = plan.model.device;
  config.training.device = device.is_cuda ? device.name() : "cpu";
  return config;
}

}  // namespace xtts::train
