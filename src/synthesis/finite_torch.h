#pragma once

#include <cmath>

#include <torch/types.h>

namespace myxtts::synthesis {

// Returns false if any value is infinite or NaN.
inline bool all_finite(const torch::Tensor& values) {
  // max() is NaN if any value is.
  return values.numel() == 0 || std::isfinite(values.abs().max().item<float>());
}

}  // namespace myxtts::synthesis
