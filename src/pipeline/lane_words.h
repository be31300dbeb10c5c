// What is said about the lanes at start-up, in the words of the original.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "pipeline/lanes.h"

namespace xtts::pipeline {

// What a buffer amounts to, where it is known.
struct BufferFacts {
  std::int64_t batches = 0;       // held ready; for auto: to begin with
  std::int64_t most_batches = 0;  // auto alone: never more
  std::int64_t most_bytes = 0;    // never more; 0: not said
  std::int64_t room_bytes = 0;    // where fewer are held than asked for: what they had to fit into
};

// The block before step 1: mode, data device, model device, buffer size, prefetch target, with two
// lanes where the model will be; before it the reason of a fall-back, after it the notices. Lines
// with newlines.
std::string describe_lanes(const LanePlan& plan, const BufferFacts& buffer);

// "Multi-GPU Mode: Waiting 2.0s for data pipeline to warm up...", a line; in buffered mode without
// the seconds, because there only the buffer is waited for. Empty without a worker.
std::string warm_up_line(const LanePlan& plan);

// "Model training starting now (...)", a line, after a warm-up of so long.
std::string starting_line(const LanePlan& plan, double waited_s, std::int64_t batches_ready);

// Says how two lanes on the CPU compare with buffered mode on the same cores; `speed_ratio` is the
// measured speed of a step on the model's lane over that on all cores. Empty unless both lanes are
// on the CPU and they are slower.
std::string slower_lanes_line(const LanePlan& plan, double speed_ratio);

// "1,3-5,8" of 1 3 4 5 8.
std::string core_list(std::span<const int> cores);

}  // namespace xtts::pipeline
