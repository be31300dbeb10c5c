#include "train/run_lanes_torch.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/detail/CUDAHooksInterface.h>

#include "base/threads.h"

namespace xtts::train {

pipeline::MachineDevices machine_devices() {
  pipeline::MachineDevices devices;
  if (!at::hasCUDA()) return devices;
  devices.num_cuda = static_cast<unsigned char>(at::detail::getCUDAHooks().deviceCount());
  devices.why_no_cuda = "this machine has no GPU that CUDA can use";
  return devices;
}

pipeline::LanePlan take_lanes(const config::Config& config) {
  pipeline::LanePlan lanes =
      pipeline::choose_lanes(config, base::usable_cores(), machine_devices());
  if (lanes.mode == pipeline::PipelineMode::kMultiDevice) base::run_on(lanes.model.cores);
  if (!lanes.model.device.is_cuda) at::set_num_threads(lanes.model_threads);
  return lanes;
}

}  // namespace xtts::train
