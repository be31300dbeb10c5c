// The log-mel CUDA kernel.
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

namespace myxtts::data {

// Arguments of the kernel. All pointers are to memory of the current device.
// M frames, F bins, C channels, W the widest filter in bins.
struct LogMelProblem {
  const float2* spectrum = nullptr;          // [M, F] complex, contiguous
  const std::int32_t* first_bins = nullptr;  // [C]
  const float* weights = nullptr;            // [C, W]
  float* log_mel = nullptr;                  // [M, C], overwritten
  int num_frames = 0;
  int num_bins = 0;
  int num_mels = 0;
  int widest = 0;
  float floor = 0.0F;
};

// Launches magnitudes, filters, floor and logarithm as one kernel on `stream`. Does not wait.
// Returns the launch error.
cudaError_t launch_log_mel(const LogMelProblem& problem, cudaStream_t stream);

}  // namespace myxtts::data
