// One block per row, one thread per symbol; the search itself is in alignment_block.h.

#include "model/alignment_block.h"
#include "model/alignment_cuda.h"

namespace xtts::model {
namespace {

constexpr int kWarp = 32;
constexpr int kMostThreads = 1024;

struct CudaBlock {
  __device__ int thread() const { return static_cast<int>(threadIdx.x); }
  __device__ int size() const { return static_cast<int>(blockDim.x); }
  __device__ void wait() const { __syncthreads(); }
};

__global__ void alignment_kernel(const AlignmentProblem problem) {
  extern __shared__ float best[];  // [2, T + 1]
  const auto row = static_cast<std::int64_t>(blockIdx.x);
  const std::int64_t table = static_cast<std::int64_t>(problem.frames) * problem.symbols;

  AlignmentRow mine;
  mine.scores = problem.scores + row * table;
  mine.best = best;
  mine.moved = problem.moved + row * table;
  mine.durations = problem.durations + row * problem.symbols;
  mine.symbols = problem.symbols;
  mine.frames = problem.frames;
  mine.num_symbols = problem.text_lengths[row];
  mine.num_frames = problem.mel_lengths[row];
  align_row(CudaBlock{}, mine);
}

}  // namespace

cudaError_t launch_alignment(const AlignmentProblem& problem, cudaStream_t stream) {
  if (problem.rows == 0 || problem.symbols == 0) return cudaSuccess;
  const int whole_warps = (problem.symbols + kWarp - 1) / kWarp * kWarp;
  const int threads = whole_warps < kMostThreads ? whole_warps : kMostThreads;
  const std::size_t shared_bytes =
      2 * sizeof(float) * (static_cast<std::size_t>(problem.symbols) + 1);
  alignment_kernel<<<static_cast<unsigned>(problem.rows),
                     static_cast<unsigned>(threads),
                     shared_bytes,
                     stream>>>(problem);
  return cudaGetLastError();
}

}  // namespace xtts::model
