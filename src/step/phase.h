#pragma once

#include <compare>
#include <functional>

#include "data/signature.h"

namespace myxtts::step {

// Phases of a step. Each phase makes the same memory requests every time.
enum class PhaseKind {
  kTrain,     // forward and backward of a micro-batch
  kUpdate,    // gradient norm, clipping and optimiser, once per step
  kValidate,  // forward only
};

struct Phase {
  PhaseKind kind = PhaseKind::kTrain;
  data::Signature signature;  // of the micro-batch; all 0 for kUpdate

  // clang-tidy mistakes the zero in the generated comparison for a null pointer.
  auto operator<=>(const Phase&) const = default;  // NOLINT(modernize-use-nullptr)
};

// Runs the phases of a step and decides which memory they use.
class PhaseRunner {
 public:
  PhaseRunner() = default;
  virtual ~PhaseRunner() = default;
  PhaseRunner(const PhaseRunner&) = delete;
  PhaseRunner& operator=(const PhaseRunner&) = delete;

  virtual void run(const Phase& phase, const std::function<void()>& body) = 0;
};

}  // namespace myxtts::step
