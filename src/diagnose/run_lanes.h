#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace myxtts::diagnose {

// Reads the activity of a run's threads over time from its trace.
enum class LaneState {
  kBusy,     // the model computes, or a worker makes a batch
  kWaiting,  // the model waits for data
  kHost,     // between steps: reports, checkpoints
};

struct LaneSpan {
  LaneState state = LaneState::kBusy;
  double from_s = 0.0;  // since the first span of the model, or of all lanes without a model
  double to_s = 0.0;
};

// The activity of one thread over time. Between spans the thread was blocked: buffer full, or no
// work.
struct RunLane {
  std::string name;  // "model", "loader 1", ..., "fallback" (the fallback worker)
  std::vector<LaneSpan> spans = {};
};

// Returns the lanes in a trace (base/trace.h) of a training run, the model first. Omits the time
// before the first step, because preparation takes longer than some steps. Returns no lanes if the
// file is missing or not a trace.
std::vector<RunLane> read_lanes(const std::filesystem::path& trace);

}  // namespace myxtts::diagnose
