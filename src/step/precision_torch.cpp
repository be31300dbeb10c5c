#include "step/precision_torch.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <exception>
#include <limits>

#include "base/cpu_features.h"
#include "base/error.h"

namespace myxtts::step {

torch::ScalarType type_of(const std::string& precision) {
  invariant(precision == "fp32" || precision == "bf16",
            "the precision is fp32 or bf16 when the step is created");
  return precision == "bf16" ? torch::kBFloat16 : torch::kFloat32;
}

bool cpu_has_bf16() {
  return base::has_bf16(base::cpu_features());
}

namespace {

constexpr std::int64_t kGainRows = 512;  // sizes of a typical matrix product of the model
constexpr std::int64_t kGainInner = 256;
constexpr std::int64_t kGainColumns = 768;
constexpr int kGainRounds = 8;
constexpr double kEmulatedGain = 0.1;  // at most: bf16 is emulated, no need to measure further

double product_seconds(const torch::Tensor& left, const torch::Tensor& right) {
  const auto start = std::chrono::steady_clock::now();
  at::mm(left, right);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

bool bf16_works() {
  const torch::NoGradGuard no_grad;
  try {
    const torch::Tensor x = torch::ones({64, 64}, torch::kBFloat16);
    return at::linear(x, x, x[0]).defined();
  } catch (const std::exception&) {
    return false;
  }
}

// Measures both types alternately and takes the fastest of each, so that other load affects both.
double bf16_gain() {
  const torch::NoGradGuard no_grad;
  const torch::Tensor left = torch::ones({kGainRows, kGainInner});
  const torch::Tensor right = torch::ones({kGainInner, kGainColumns});
  const torch::Tensor left_bf16 = left.to(torch::kBFloat16);
  const torch::Tensor right_bf16 = right.to(torch::kBFloat16);
  product_seconds(left, right);  // warm-up
  product_seconds(left_bf16, right_bf16);
  double fp32_s = std::numeric_limits<double>::infinity();
  double bf16_s = fp32_s;
  for (int i = 0; i < kGainRounds && (i == 0 || fp32_s > kEmulatedGain * bf16_s); ++i) {
    fp32_s = std::min(fp32_s, product_seconds(left, right));
    bf16_s = std::min(bf16_s, product_seconds(left_bf16, right_bf16));
  }
  return fp32_s / bf16_s;
}

}  // namespace myxtts::step
