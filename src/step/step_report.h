#pragma once

#include <string>
#include <utility>
#include <vector>

namespace xtts::step {

// What one update or one validation came to.
struct StepReport {
  double loss = 0.0;                                       // weighted sum of the parts
  std::vector<std::pair<std::string, double>> parts = {};  // by name, in the order of the objective
  double grad_norm = 0.0;                                  // before clipping; 0 for a validation
  double copy_s = 0.0;          // of the host, bringing the batches to the model
  std::string not_finite = {};  // "loss" or "gradient": the update was refused; empty: it was made
};

}  // namespace xtts::step
