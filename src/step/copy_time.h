#pragma once

#include <chrono>

#include "base/trace.h"

namespace myxtts::step {

// Measures copying of a batch to the model's device: adds its lifetime to `seconds` and traces it
// as a span `copy`.
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

}  // namespace myxtts::step
