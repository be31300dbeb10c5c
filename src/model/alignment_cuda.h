// Launches the CUDA kernel of monotonic alignment search.
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

namespace myxtts::model {

// Inputs and outputs of the CUDA alignment kernel. All pointers are to memory of the current
// device. B rows, M frames, T symbols.
struct AlignmentProblem {
  const float* scores = nullptr;               // [B, M, T]
  const std::int64_t* text_lengths = nullptr;  // [B]
  const std::int64_t* mel_lengths = nullptr;   // [B]
  std::uint8_t* moved = nullptr;               // [B, M, T], scratch
  std::int64_t* durations = nullptr;           // [B, T], overwritten
  int rows = 0;
  int frames = 0;
  int symbols = 0;
};

// Number of symbols for which two rows of the table fit into the shared memory of a block.
inline constexpr int kMaxAlignedSymbols = 6000;

// Queues the search of all rows on `stream`, one block per row, and returns the launch status. Does
// not synchronise or allocate, so it can be captured into a CUDA graph.
cudaError_t launch_alignment(const AlignmentProblem& problem, cudaStream_t stream);

}  // namespace myxtts::model
