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
#include "data/cuda_library.h"
#include "data/mel_extractor_torch.h"
#include "step/captured_work_torch.h"

namespace myxtts::train {
namespace {

bool names_a_gpu(const config::Config& config) {
  const auto is_gpu = [](const std::string& device) { return device.starts_with("cuda"); };
  return is_gpu(config.training.device) || is_gpu(config::data_lane_of(config.data).value_or("")) ||
         is_gpu(config::model_lane_of(config.data).value_or(""));
}

std::shared_ptr<const data::MelExtractor> mels_on(const audio::MelSpec& mel_spec,
                                                  const data::LaneDevice& device) {
  return std::make_shared<const data::TorchMelExtractor>(mel_spec, torch::Device(device.name()));
}

// Opens streams and graphs, allocates memory and runs a kernel: a lost or full GPU may fail only
// there.
void try_to_train(const data::LaneDevice& device) {
  constexpr std::int64_t kValues = std::int64_t{1} << 20;
  step::open_graph_device(device.index.value_or(0));
  torch::zeros({kValues}, torch::Device(device.name())).sum().item<float>();
}

bool asks_for_two_lanes(const config::Config& config) {
  return config::data_lane_of(config.data) && config::model_lane_of(config.data);
}

std::string first_line_of(const std::exception& error) {
  const std::string message = error.what();
  return message.substr(0, message.find('\n'));
}

}  // namespace

data::MachineDevices machine_devices(const config::Config& config) {
  data::MachineDevices devices;
  if (!names_a_gpu(config)) return devices;
  try {
    // LibTorch looks for CUDA only once, so this library must be loaded before that.
    data::mel_kernels();
  } catch (const UserError& error) {
    devices.no_cuda_reason = error.what();
    return devices;
  }
  devices.no_cuda_reason = "CUDA finds no usable GPU on this machine";
  if (at::hasCUDA()) {
    devices.num_cuda = static_cast<unsigned char>(at::detail::getCUDAHooks().deviceCount());
  }
  return devices;
}

RunLanes open_lanes(const config::Config& config,
                    std::span<const int> cores,
                    data::MachineDevices devices,
                    const OpenMels& open_mels,
                    const OpenModel& open_model) {
  const audio::MelSpec mel_spec = audio::mel_spec_of(config);
  RunLanes lanes{.plan = data::choose_lanes(config, cores, devices), .mels = nullptr};
  const auto fall_back_from = [&](const data::LaneDevice& device, const std::exception& error) {
    devices.failed_cuda.push_back(device.index.value_or(0));
    lanes.mels = nullptr;
    std::string reasons = lanes.plan.fallback_reason;
    reasons +=
        fmt::format("{}{}: {}", reasons.empty() ? "" : "; ", device.name(), first_line_of(error));
    lanes.plan = data::fall_back(config, cores, devices, std::move(reasons));
  };
  const data::LaneDevice data = lanes.plan.data.device;
  if (data.is_cuda) {
    try {
      lanes.mels = open_mels(mel_spec, data);
    } catch (const std::exception& error) {
      fall_back_from(data, error);
    }
  }
  while (lanes.plan.model.device.is_cuda) {
    const data::LaneDevice model = lanes.plan.model.device;
    try {
      open_model(model);
      break;
    } catch (const std::exception& error) {
      if (!asks_for_two_lanes(config)) throw;
      fall_back_from(model, error);
    }
  }
  if (!lanes.mels) lanes.mels = data::fast_mel_extractor(mel_spec);
  return lanes;
}

RunLanes find_lanes(const config::Config& config) {
  return open_lanes(config, base::usable_cores(), machine_devices(config), mels_on, try_to_train);
}

void enter_model_lane(const data::LanePlan& plan) {
  if (plan.mode == data::PipelineMode::kMultiDevice) base::pin_to_cores(plan.model.cores);
  if (!plan.model.device.is_cuda) at::set_num_threads(plan.model_threads);
}

config::Config with_model_device(config::Config config, const data::LanePlan& plan) {
  const data::LaneDevice& device = plan.model.device;
  config.training.device = device.is_cuda ? device.name() : "cpu";
  return config;
}

}  // namespace myxtts::train
