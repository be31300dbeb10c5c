#pragma once

#include <compare>
#include <functional>

#include "pipeline/signature.h"

namespace xtts::step {

// The parts of a step that each ask for the same memory every time.
enum class PhaseKind {
  kTrain,     // forward and backward of a micro-batch
  kUpdate,    // norm, clipping and optimiser, once per update
  kValidate,  // forward alone
};

struct Phase {
  PhaseKind kind = PhaseKind::kTrain;
  pipeline::Signature signature;  // of the batch; all 0 for kUpdate

  // clang-tidy takes the zero that it is compared with for a null pointer.
  auto operator<=>(const Phase&) const = default;  // NOLINT(modernize-use-nullptr)
};

// Runs the phases of a step in memory of its choice.
class PhaseRunner {
 public:
  PhaseRunner() = default;
  virtual ~PhaseRunner() = default;
  PhaseRunner(const PhaseRunner&) = delete;
  PhaseRunner& operator=(const PhaseRunner&) = delete;

  virtual void run(const Phase& phase, const std::function<void()>& body) = 0;
};

}  // namespace xtts::step
