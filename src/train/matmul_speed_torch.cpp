#include "train/matmul_speed_torch.h"

#include <chrono>
#include <cstdint>

#include <ATen/ATen.h>

namespace myxtts::train {
namespace {

constexpr std::int64_t kMatrixSize = 512;
constexpr double kMeasureSeconds = 0.05;

}  // namespace

// The mean and not the fastest product counts, because steps also share the cores with other work.
double measure_matmul_speed() {
  using Clock = std::chrono::steady_clock;
  const at::Tensor left = at::ones({kMatrixSize, kMatrixSize});
  const at::Tensor right = at::ones({kMatrixSize, kMatrixSize});
  at::Tensor product = at::mm(left, right);  // warms up threads and memory
  const auto start = Clock::now();
  std::chrono::duration<double> elapsed{0.0};
  double count = 0.0;
  while (elapsed.count() < kMeasureSeconds) {
    at::mm_out(product, left, right);
    ++count;
    elapsed = Clock::now() - start;
  }
  return count * static_cast<double>(kMatrixSize * kMatrixSize * kMatrixSize) / elapsed.count();
}

}  // namespace myxtts::train
