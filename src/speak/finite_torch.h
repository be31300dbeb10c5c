#pragma once

#include <cmath>

#include <torch/types.h>

namespace xtts::speak {

// False if any value is infinite or no number.
inline bool all_finite(const torch::Tensor& values) {
  // The largest is no number where any is not.
  return values.numel() == 0 || std::isfinite(values.abs().max().item<float>());
}

}  // namespace xtts::speak
