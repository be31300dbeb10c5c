// Note [Lanes]: a lane is a device with its own threads. `cuda:N` is a GPU and the cores that serve
// it; `cpu:N` is a set of cores. In Multi-GPU mode one lane prepares the batches and the other
// trains, on cores of their own; in Single-GPU buffered mode there is one device, and the loader
// runs ahead of it on what base::share_cores() leaves it. Which of the two runs, and on what, is
// decided here once, by a pure function; lane_words.h says it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/config.h"

namespace xtts::pipeline {

enum class PipelineMode { kMultiDevice, kSingleBuffered };

// "multi_device" or "single_buffered": the field `mode` of summary.json.
std::string_view name_of(PipelineMode mode);

// What the machine has to offer, as whoever looked found it.
struct MachineDevices {
  int num_cuda = 0;
  std::string why_no_cuda = "this build has no CUDA";  // said where num_cuda is 0
  std::vector<int> lost_cuda = {};  // of those, the ones that failed when they were opened
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
  Lane data = {};   // in buffered mode the loader's: always the CPU
  Lane model = {};  // what trains
  bool loader_is_idle_priority =
      false;              // it shares the model's cores and works when the model does not
  int num_workers = 0;    // loader threads; 0: everything inline, no buffer
  int model_threads = 1;  // of the arithmetic
  std::optional<std::int64_t> buffer_batches = {};  // absent: auto (buffer_size.h)
  LaneDevice prefetch_target = {};        // where the next batches wait: the model's GPU, or memory
  std::int64_t staged_batches = 0;        // that wait on that GPU; 0: copied when they are needed
  double start_delay_s = 0.0;             // the model waits this long at least; 0 in buffered mode
  std::string fall_back_reason = {};      // why two lanes were asked for and cannot be; else empty
  std::vector<std::string> notices = {};  // settings that did not take effect as they stand

  bool operator==(const LanePlan&) const = default;
};

// The mode and who has what. Two lanes where both are given and the machine has them; otherwise
// buffered mode. Where two lanes are given and the machine does not have them, it is buffered mode
// with the reason, on the model's GPU if there is one, else on the data lane's, else on
// training.device, else on the CPU. One lane without the other is buffered mode with a notice, as
// in the original; a model's lane is then still the device that trains, if it is there. `config`
// has passed config::validate(); `cores` are those of base::usable_cores().
LanePlan choose_lanes(const config::Config& config,
                      std::span<const int> cores,
                      const MachineDevices& devices);

// The plan after a device of choose_lanes() failed when it was opened: buffered mode with the
// reason. `devices` names the one that failed among its lost_cuda, so that nothing trains there.
LanePlan fall_back(const config::Config& config,
                   std::span<const int> cores,
                   const MachineDevices& devices,
                   std::string reason);

}  // namespace xtts::pipeline
