#pragma once

#include <functional>
#include <memory>
#include <span>

#include "config/config.h"
#include "pipeline/lanes.h"
#include "pipeline/mel_extractor.h"

namespace xtts::train {

struct RunLanes {
  pipeline::LanePlan plan;
  std::shared_ptr<const pipeline::MelExtractor> mels;  // of the data lane; never null
};

// The GPUs that LibTorch sees here, or why it sees none. CUDA is brought into the process only if
// the configuration names a GPU; ask before anything else asks LibTorch for one.
pipeline::MachineDevices machine_devices(const config::Config& config);

// Makes mels on a GPU. Throws if that does not work.
using OpenMels = std::function<std::shared_ptr<const pipeline::MelExtractor>(
    const audio::MelSpec& contract, const pipeline::LaneDevice& device)>;

// Tries a GPU that is to train. Throws if that does not work.
using OpenModel = std::function<void(const pipeline::LaneDevice& device)>;

// choose_lanes(), and who makes the mels of its data lane: on a GPU what `open_mels` gives, else
// FastMel. Where two lanes were asked for, a GPU that fails when it is opened is a reason to fall
// back, until what trains opens or is the CPU; where one device was, what `open_model` throws is
// thrown.
RunLanes open_lanes(const config::Config& config,
                    std::span<const int> cores,
                    pipeline::MachineDevices devices,
                    const OpenMels& open_mels,
                    const OpenModel& open_model);

// The lanes that a run has on this machine.
RunLanes find_lanes(const config::Config& config);

// Arithmetic has no more threads from now on than the model's lane has cores, and with two lanes
// the calling thread and all that it starts stay on them. Call it before the first arithmetic.
void enter_model_lane(const pipeline::LanePlan& plan);

// The configuration with the device that trains: after a fall-back another than it asks for.
config::Config placed_on(config::Config config, const pipeline::LanePlan& plan);

}  // namespace xtts::train
