#pragma once

#include <functional>
#include <memory>
#include <span>

#include "config/config.h"
#include "data/lanes.h"
#include "data/mel_extractor.h"

namespace myxtts::train {

// Chooses and opens the data lane and the model lane of a run.
struct RunLanes {
  data::LanePlan plan;
  std::shared_ptr<const data::MelExtractor> mels;  // of the data lane; never null
};

// Returns the GPUs that LibTorch can use, or the reason why there is none. Loads CUDA only if the
// configuration names a GPU. Call it before any other use of CUDA by LibTorch.
data::MachineDevices machine_devices(const config::Config& config);

// Opens a mel extractor on a GPU. Throws if the GPU fails.
using OpenMels = std::function<std::shared_ptr<const data::MelExtractor>(
    const audio::MelSpec& mel_spec, const data::LaneDevice& device)>;

// Tests a GPU for training. Throws if the GPU fails.
using OpenModel = std::function<void(const data::LaneDevice& device)>;

// Chooses the lanes and opens their devices. The mel extractor of a data lane on a GPU comes from
// `open_mels`, else it is FastMel. If two lanes were requested, a GPU that fails to open leads to a
// fallback, until the model device opens or is the CPU. If one device was requested, exceptions of
// `open_model` propagate.
RunLanes open_lanes(const config::Config& config,
                    std::span<const int> cores,
                    data::MachineDevices devices,
                    const OpenMels& open_mels,
                    const OpenModel& open_model);

// Chooses and opens the lanes of a run on this machine.
RunLanes find_lanes(const config::Config& config);

// Limits LibTorch's threads to the cores of the model lane. With two lanes, also pins the calling
// thread and all threads that it starts to these cores. Call it before the first parallel region.
void enter_model_lane(const data::LanePlan& plan);

// Returns the configuration with the actual model device, which differs after a fallback.
config::Config with_model_device(config::Config config, const data::LanePlan& plan);

}  // namespace myxtts::train
