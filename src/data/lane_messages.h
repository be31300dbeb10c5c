// Formats the start-up messages about the lanes, as the original prints them.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "data/lanes.h"

namespace myxtts::data {

// Sizes of the prefetch buffer, for the messages.
struct BufferSummary {
  std::int64_t batches = 0;      // capacity; for auto: initial capacity
  std::int64_t max_batches = 0;  // maximum, for auto only
  std::int64_t max_bytes = 0;    // maximum; 0: not printed
  std::int64_t room_bytes = 0;   // memory limit, if fewer batches fit than requested
};

// Returns the block that is printed before step 1: the reason of a fallback, then mode, data
// device, model device, buffer size and prefetch target, then the notices.
std::string format_lanes(const LanePlan& plan, const BufferSummary& buffer);

// Returns the line "Multi-GPU Mode: Waiting 2.0s for data pipeline to warm up..."; in buffered mode
// without the seconds, because only the buffer is waited for. Empty without workers.
std::string format_warm_up(const LanePlan& plan);

// Returns the line "Model training starting now (...)" with the duration of the warm-up.
std::string format_training_start(const LanePlan& plan,
                                  double waited_s,
                                  std::int64_t batches_ready);

// Returns a warning if both lanes are on the CPU and slower than buffered mode on the same cores,
// else an empty string. `speed_ratio` is the measured speed of a step on the model lane over that
// on all cores.
std::string format_slow_lanes(const LanePlan& plan, double speed_ratio);

// Formats cores 1 3 4 5 8 as "1,3-5,8".
std::string format_cores(std::span<const int> cores);

}  // namespace myxtts::data
