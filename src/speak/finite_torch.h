#pragma once

#include <cmath>

#include <torch/types.h>

namespace xtts::speak {

// False if any value is infinite or no number.
inline bool all_finite(const torch::Tensor& values) {
  // max() is NaN if any value is.
  return values.numel() == 0 || std::isfinite(values.abs().max().item<float>());
}

}  // namespace xtts::speak
