#pragma once

#include <functional>
#include <memory>
#include <span>

#include "config/config.h"
#include "pipeline/lanes.h"
#include "pipeline/mel_maker.h"

namespace xtts::train {

struct RunLanes {
  pipeline::LanePlan plan;
  std::shared_ptr<const pipeline::MelMaker> mels;  // of the data lane; never null
};

// The GPUs that LibTorch sees here, or why it sees none. CUDA is brought into the process only if
// the configuration names a GPU; ask before anything else asks LibTorch for one.
pipeline::MachineDevices machine_devices(const config::Config& config);

// Makes mels on a GPU. Throws if that does not work.
using OpenMels = std::function<std::shared_ptr<const pipeline::MelMaker>(
    const audio::MelContract& contract, const pipeline::LaneDevice& device)>;

// choose_lanes(), and who makes the mels of its data lane: on a GPU what `open` gives, else
// FastMel. A GPU that fails when it is opened is a reason to fall back.
RunLanes open_lanes(const config::Config& config,
                    std::span<const int> cores,
                    pipeline::MachineDevices devices,
                    const OpenMels& open);

// The lanes of a run. Arithmetic has no more threads from now on than the model's lane has cores,
// and with two lanes the calling thread and all that it starts stay on them. Call it before the
// first arithmetic.
RunLanes take_lanes(const config::Config& config);

}  // namespace xtts::train
