// Assigns devices, cores and threads to the data lane and the model lane.
//
// Note [Lanes]: a lane is a device with its own threads. `cuda:N` is a GPU and the cores that serve
// it; `cpu:N` is a set of cores. In Multi-GPU mode the data lane prepares batches and the model
// lane trains, on disjoint cores. In Single-GPU buffered mode there is one device, and the loader
// prefetches on the cores that base::share_cores() gives it. A pure function decides once which
// mode runs on which devices; lane_messages.h formats the decision.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/config.h"

namespace myxtts::data {

enum class PipelineMode { kMultiDevice, kSingleBuffered };

// "multi_device" or "single_buffered": the field `mode` of summary.json.
std::string_view name_of(PipelineMode mode);

// GPUs of the machine, as the caller found them.
struct MachineDevices {
  int num_cuda = 0;
  std::string no_cuda_reason = "this build has no CUDA";  // printed if num_cuda is 0
  std::vector<int> failed_cuda = {};  // devices that failed when they were opened
};

struct LaneDevice {
  bool is_cuda = false;
  std::optional<int> index = {};  // absent: the CPU as a whole

  std::string name() const;  // "cuda:1", "cpu:0" or "cpu"

  bool operator==(const LaneDevice&) const = default;
};

struct Lane {
  LaneDevice device = {};
  std::vector<int> cores = {};  // ascending, at least one

  bool operator==(const Lane&) const = default;
};

struct LanePlan {
  PipelineMode mode = PipelineMode::kSingleBuffered;
  Lane data = {};                        // in buffered mode always the CPU
  Lane model = {};                       // the device that trains
  bool loader_is_idle_priority = false;  // the loader shares the model's cores, at idle priority
  int num_workers = 0;                   // loader threads; 0: everything inline, no buffer
  int model_threads = 1;                 // compute threads of the model
  std::optional<std::int64_t> buffer_batches = {};  // absent: auto (buffer_size.h)
  LaneDevice prefetch_target = {};        // where the next batches are kept: the model's GPU or RAM
  std::int64_t staged_batches = 0;        // batches copied to that GPU ahead; 0: copied when needed
  double start_delay_s = 0.0;             // minimum start delay of the model; 0 in buffered mode
  std::string fallback_reason = {};       // why two requested lanes are not possible; else empty
  std::vector<std::string> notices = {};  // settings that did not take full effect

  bool operator==(const LanePlan&) const = default;
};

// Chooses mode, devices, cores and threads. Two lanes if both are given and available, otherwise
// buffered mode. If given lanes are not available, buffered mode runs, with the reason, on the
// model lane's GPU, else on the data lane's, else on training.device, else on the CPU. A single
// given lane means buffered mode with a notice, as in the original; a given model lane still trains
// if it is available. `config` has passed config::validate(); `cores` come from
// base::usable_cores().
LanePlan choose_lanes(const config::Config& config,
                      std::span<const int> cores,
                      const MachineDevices& devices);

// Returns the plan after a device of choose_lanes() failed to open: buffered mode with the reason.
// `devices.failed_cuda` contains the failed device, so that it is not used.
LanePlan fall_back(const config::Config& config,
                   std::span<const int> cores,
                   const MachineDevices& devices,
                   std::string reason);

}  // namespace myxtts::data
