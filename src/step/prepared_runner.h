#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "step/phase.h"
#include "step/step_memory.h"

namespace xtts::step {

// A replay that was not as it was recorded.
struct Deviation {
  Phase phase;
  std::string what;  // "request 12 4096 -> 8192 bytes"
};

// Records every phase once, then runs it out of the arena, with nothing from the heap. Phases that
// were not recorded run on the heap: whoever calls knows which shapes it allows.
class PreparedRunner final : public PhaseRunner {
 public:
  // Borrows the memory.
  explicit PreparedRunner(StepMemory& memory) : memory_(memory) {}

  // Records until freeze(), replays after it.
  void run(const Phase& phase, const std::function<void()>& body) override;

  // Packs what was recorded into one arena that is as large as the largest phase.
  void freeze();

  bool knows(const Phase& phase) const { return plans_.contains(phase); }
  std::size_t arena_bytes() const;
  std::size_t bytes_of(const Phase& phase) const;  // of a known one

  std::vector<Deviation> take_deviations();                     // since they were last taken
  std::size_t heap_requests() const { return heap_requests_; }  // of all replays

 private:
  StepMemory& memory_;
  bool frozen_ = false;
  std::map<Phase, ArenaPlan> plans_;
  std::vector<Deviation> deviations_;
  std::size_t heap_requests_ = 0;
};

}  // namespace xtts::step
