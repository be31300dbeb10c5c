#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace xtts::diagnose {

enum class LaneState {
  kBusy,     // the model computes, a worker makes an update
  kWaiting,  // the model waits for data
  kHost,     // between steps: reports, saves
};

struct LaneSpan {
  LaneState state = LaneState::kBusy;
  double from_s = 0.0;  // since the model began, or since the first span where there is no model
  double to_s = 0.0;
};

// What one thread of a run did over time. Where it has no span it was blocked: no room in the
// buffer, or nothing to do.
struct RunLane {
  std::string name;  // "model", "loader 1", ...; "rescue": makes what the model waits for
  std::vector<LaneSpan> spans = {};
};

// The lanes that a trace (base/trace.h) of a training shows, the model first. What was before its
// first step is left out: preparing takes longer than some steps. A file that is not there, or is
// no trace, gives none.
std::vector<RunLane> read_lanes(const std::filesystem::path& trace);

}  // namespace xtts::diagnose
