// Launches one block per row with one thread per symbol. alignment_block.h has the algorithm.

#include "model/alignment_block.h"
#include "model/alignment_cuda.h"

namespace myxtts::model {
namespace {

constexpr int kWarp = 32;
constexpr int kMaxThreads = 1024;

struct CudaBlock {
  __device__ int thread() const { return static_cast<int>(threadIdx.x); }
  __device__ int size() const { return static_cast<int>(blockDim.x); }
  __device__ void wait() const { __syncthreads(); }
};

__global__ void alignment_kernel(const AlignmentProblem problem) {
  extern __shared__ float best[];  // [2, T + 1]
  const auto row = static_cast<std::int64_t>(blockIdx.x);
  const std::int64_t table = static_cast<std::int64_t>(problem.frames) * problem.symbols;

  AlignmentRow current;
  current.scores = problem.scores + row * table;
  current.best = best;
  current.moved = problem.moved + row * table;
  current.durations = problem.durations + row * problem.symbols;
  current.symbols = problem.symbols;
  current.frames = problem.frames;
  current.num_symbols = problem.text_lengths[row];
  current.num_frames = problem.mel_lengths[row];
  align_row(CudaBlock{}, current);
}

}  // namespace

cudaError_t launch_alignment(const AlignmentProblem& problem, cudaStream_t stream) {
  if (problem.rows == 0 || problem.symbols == 0) return cudaSuccess;
  const int whole_warps = (problem.symbols + kWarp - 1) / kWarp * kWarp;
  const int threads = whole_warps < kMaxThreads ? whole_warps : kMaxThreads;
  const std::size_t shared_bytes =
      2 * sizeof(float) * (static_cast<std::size_t>(problem.symbols) + 1);
  alignment_kernel<<<static_cast<unsigned>(problem.rows),
                     static_cast<unsigned>(threads),
                     shared_bytes,
                     stream>>>(problem);
  return cudaGetLastError();
}

}  // namespace myxtts::model
