// Runs the phases of a prepared step: records their memory requests, then replays them.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "step/phase.h"
#include "step/step_memory.h"

namespace myxtts::step {

// A replay that deviated from its recording.
struct Deviation {
  Phase phase;
  std::string what;  // "request 12 4096 -> 8192 bytes"
};

// Records the memory requests of every phase once, then replays the phase in the arena without heap
// allocations. Phases that were not recorded run on the heap; the caller decides which shapes to
// allow.
class PreparedRunner final : public PhaseRunner {
 public:
  // Borrows the memory.
  explicit PreparedRunner(StepMemory& memory) : memory_(memory) {}

  // Records until freeze(), replays after it.
  void run(const Phase& phase, const std::function<void()>& body) override;

  // Reserves one arena with the size of the largest recorded phase. Later runs are replays.
  void freeze();

  bool knows(const Phase& phase) const { return plans_.contains(phase); }
  std::size_t arena_bytes() const;
  std::size_t bytes_of(const Phase& phase) const;  // arena bytes of a known phase

  std::vector<Deviation> take_deviations();                     // since the last call
  std::size_t heap_requests() const { return heap_requests_; }  // of all replays

 private:
  StepMemory& memory_;
  bool frozen_ = false;
  std::map<Phase, ArenaPlan> plans_;
  std::vector<Deviation> deviations_;
  std::size_t heap_requests_ = 0;
};

}  // namespace myxtts::step
