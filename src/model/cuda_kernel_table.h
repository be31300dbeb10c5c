// The kernels of this module in libmyxtts_cuda.so; pipeline/cuda_library.h says why there is such a
// library and loads it. Each kernel has a plain twin that is its specification.
#pragma once

#include <torch/types.h>

namespace xtts::model {

struct CudaKernels {
  // The twin of align() over the rows of a batch, on the current stream; never waits for the
  // device. scores [B, M, T] float32, text_lengths [B] int64, mel_lengths [B] int64, all on one
  // CUDA device; returns durations [B, T] int64. A row whose symbols are none or more than its
  // frames gets zeros.
  torch::Tensor (*align)(const torch::Tensor& scores,
                         const torch::Tensor& text_lengths,
                         const torch::Tensor& mel_lengths);
};

}  // namespace xtts::model

// What libmyxtts_cuda.so exports.
extern "C" const xtts::model::CudaKernels* myxtts_cuda_model_kernels();
