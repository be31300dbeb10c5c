// Links the CUDA library into a program, and on a machine with a GPU compares each kernel with its
// plain twin on the CPU. Its verdict is its exit code.

#include <cstdio>
#include <exception>

#include <torch/cuda.h>
#include <torch/types.h>

#include "pipeline/cuda_kernels.h"
#include "pipeline/mel_torch.h"

namespace {

constexpr double kLargestDifference = 1e-4;  // log mel; both are float32 sums of some dozen terms

bool log_mel_agrees() {
  torch::manual_seed(5);
  const xtts::audio::MelContract contract;
  const xtts::pipeline::TorchMel plain(contract);
  const torch::Tensor spectrum = torch::randn({1000, contract.n_fft / 2 + 1}, torch::kComplexFloat);
  const torch::Tensor expected =
      xtts::pipeline::plain_log_mel(spectrum, plain.filters(), contract.mel_floor);

  const torch::Device device(torch::kCUDA);
  const xtts::pipeline::SparseFilters filters{plain.sparse_filters().first_bins.to(device),
                                              plain.sparse_filters().weights.to(device)};
  const torch::Tensor found =
      myxtts_cuda_kernels()->log_mel(spectrum.to(device), filters, contract.mel_floor).cpu();

  const double largest = (found - expected).abs().max().item<double>();
  std::printf(
      "log_mel: largest difference to its twin %.2e (at most %.0e)\n", largest, kLargestDifference);
  return largest <= kLargestDifference;
}

}  // namespace

int main() try {
  if (myxtts_cuda_kernels()->log_mel == nullptr) return 1;
  if (!torch::cuda::is_available()) {
    std::printf("no CUDA device here: compiled and linked, run untried\n");
    return 0;
  }
  return log_mel_agrees() ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
