#include "step/precision_torch.h"

#include <exception>

#include "base/cpu_features.h"
#include "base/error.h"

namespace xtts::step {

torch::ScalarType type_of(const std::string& precision) {
  invariant(precision == "fp32" || precision == "bf16", "precision is decided before the step");
  return precision == "bf16" ? torch::kBFloat16 : torch::kFloat32;
}

bool cpu_has_bf16() {
  return base::has_bf16(base::cpu_features());
}

bool bf16_works() {
  const torch::NoGradGuard no_grad;
  try {
    const torch::Tensor x = torch::ones({64, 64}, torch::kBFloat16);
    return at::linear(x, x, x[0]).defined();
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace xtts::step
