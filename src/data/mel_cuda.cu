// One block per frame. Its threads first write the frame's magnitudes to shared memory, because a
// bin belongs to two filters, and then compute the channels. The spectrum is read once and only the
// mel is written; the reference implementation also writes and reads the magnitudes as a tensor.

#include "data/mel_cuda.h"

namespace myxtts::data {
namespace {

constexpr int kThreads = 128;

__global__ void log_mel_kernel(const LogMelProblem problem) {
  extern __shared__ float magnitudes[];  // [F]
  const auto frame = static_cast<std::int64_t>(blockIdx.x);

  const float2* bins = problem.spectrum + frame * problem.num_bins;
  for (int f = static_cast<int>(threadIdx.x); f < problem.num_bins; f += kThreads) {
    magnitudes[f] = sqrtf(bins[f].x * bins[f].x + bins[f].y * bins[f].y);
  }
  __syncthreads();

  for (int c = static_cast<int>(threadIdx.x); c < problem.num_mels; c += kThreads) {
    const float* weights = problem.weights + static_cast<std::int64_t>(c) * problem.widest;
    const int first = problem.first_bins[c];
    const int width = min(problem.widest, problem.num_bins - first);
    float sum = 0.0F;
    for (int w = 0; w < width; ++w)
      sum += weights[w] * magnitudes[first + w];
    problem.log_mel[frame * problem.num_mels + c] = logf(fmaxf(sum, problem.floor));
  }
}

}  // namespace

cudaError_t launch_log_mel(const LogMelProblem& problem, cudaStream_t stream) {
  if (problem.num_frames == 0) return cudaSuccess;
  const auto blocks = static_cast<unsigned>(problem.num_frames);
  const std::size_t shared_bytes = sizeof(float) * static_cast<std::size_t>(problem.num_bins);
  log_mel_kernel<<<blocks, kThreads, shared_bytes, stream>>>(problem);
  return cudaGetLastError();
}

}  // namespace myxtts::data
