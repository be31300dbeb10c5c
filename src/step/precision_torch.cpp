#include "step/precision_torch.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <exception>
#include <limits>

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

namespace {

constexpr std::int64_t kGainRows = 512;  // of a product as those of the model
constexpr std::int64_t kGainInner = 256;
constexpr std::int64_t kGainColumns = 768;
constexpr int kGainRounds = 8;
constexpr double kHopeless = 0.1;  // emulated: nothing more is to be learned

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

// In turns, and the fastest of each: what else the machine does meets both.
double bf16_gain() {
  const torch::NoGradGuard no_grad;
  const torch::Tensor left = torch::ones({kGainRows, kGainInner});
  const torch::Tensor right = torch::ones({kGainInner, kGainColumns});
  const torch::Tensor left_half = left.to(torch::kBFloat16);
  const torch::Tensor right_half = right.to(torch::kBFloat16);
  product_seconds(left, right);  // threads, memory and code are there from now on
  product_seconds(left_half, right_half);
  double whole_s = std::numeric_limits<double>::infinity();
  double half_s = whole_s;
  for (int i = 0; i < kGainRounds && (i == 0 || whole_s > kHopeless * half_s); ++i) {
    whole_s = std::min(whole_s, product_seconds(left, right));
    half_s = std::min(half_s, product_seconds(left_half, right_half));
  }
  return whole_s / half_s;
}

}  // namespace xtts::step
