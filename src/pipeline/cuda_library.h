// The CUDA kernels live in a library of their own, libmyxtts_cuda.so, which names LibTorch's CUDA
// libraries and with them gigabytes that a machine without a GPU does not have. It is loaded when
// a CUDA device is asked for. Each kernel has a plain twin that is its specification.
#pragma once

#include <string>

#include <torch/types.h>

#include "pipeline/mel_torch.h"

namespace xtts::pipeline {

struct CudaKernels {
  // The twin of reference_log_mel(), one pass over the spectrum on the current stream.
  // spectrum [M, F] complex64 on a CUDA device, filters on the same; returns [M, C] float32
  torch::Tensor (*log_mel)(const torch::Tensor& spectrum,
                           const SparseFilters& filters,
                           double floor);

  // What GPU it is, such as "NVIDIA A100-SXM4-40GB 8.0". Throws what LibTorch throws if it is lost.
  std::string (*device_name)(int device_index);
};

// Loads the library once, from the folder of ours or along its search path. Throws UserError that
// says what is missing and how to get it. Thread-safe.
const CudaKernels& cuda_kernels();

// The same for what other modules have in the library: the address of what it exports as `name`.
void* cuda_symbol(const char* name);

}  // namespace xtts::pipeline

// What libmyxtts_cuda.so exports.
extern "C" const xtts::pipeline::CudaKernels* myxtts_cuda_kernels();
