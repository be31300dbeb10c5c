#include "train/product_speed_torch.h"

#include <chrono>
#include <cstdint>

#include <ATen/ATen.h>

namespace xtts::train {
namespace {

constexpr std::int64_t kProductSide = 512;
constexpr double kMeasuredForS = 0.05;

}  // namespace

// All products together and not the fastest: steps, too, take turns with what else is running.
double measure_product_speed() {
  using Clock = std::chrono::steady_clock;
  const at::Tensor left = at::ones({kProductSide, kProductSide});
  const at::Tensor right = at::ones({kProductSide, kProductSide});
  at::Tensor product = at::mm(left, right);  // its threads and its memory are there from now on
  const auto start = Clock::now();
  std::chrono::duration<double> taken{0.0};
  double count = 0.0;
  while (taken.count() < kMeasuredForS) {
    at::mm_out(product, left, right);
    ++count;
    taken = Clock::now() - start;
  }
  return count * static_cast<double>(kProductSide * kProductSide * kProductSide) / taken.count();
}

}  // namespace xtts::train
