#pragma once

#include <string>
#include <utility>
#include <vector>

namespace myxtts::step {

// Result of one training step or one validation.
struct StepReport {
  double loss = 0.0;                                       // weighted sum of the parts
  std::vector<std::pair<std::string, double>> parts = {};  // by name, in the order of the objective
  double grad_norm = 0.0;                                  // before clipping; 0 for a validation
  double copy_s = 0.0;          // host time for copying inputs to the device
  std::string not_finite = {};  // "loss" or "gradient" if the update was rejected, else empty
};

}  // namespace myxtts::step
