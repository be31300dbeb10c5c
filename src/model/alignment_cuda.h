#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

namespace xtts::model {

// Where the kernel reads and writes; all pointers are to memory of the current device.
// B rows, M frames, T symbols.
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

// The most symbols that a block's shared memory holds two lines of the table for.
inline constexpr int kMostAlignedSymbols = 6000;

// Queues the search of every row as one kernel on `stream`, one block each, and returns at once.
// Nothing waits for the device and nothing is allocated: it can be captured. Returns what the
// launch returned.
cudaError_t launch_alignment(const AlignmentProblem& problem, cudaStream_t stream);

}  // namespace xtts::model
