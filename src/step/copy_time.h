#pragma once

#include <chrono>

#include "base/trace.h"

namespace xtts::step {

// The time from here to the end of the block went into bringing a batch to the model: it is added
// to `seconds` and is a span `copy` of a trace.
class CopyTime {
 public:
  explicit CopyTime(double& seconds) : seconds_(seconds) {}
  ~CopyTime() {
    seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  CopyTime(const CopyTime&) = delete;
  CopyTime& operator=(const CopyTime&) = delete;

 private:
  double& seconds_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  const base::Span span_{"copy"};
};

}  // namespace xtts::step
