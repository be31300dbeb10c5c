// Loads the CUDA kernels from libmyxtts_cuda.so at run time. The library links LibTorch's CUDA
// libraries, which a machine without a GPU does not have, so it is loaded when a CUDA device is
// requested. Each kernel has a reference implementation.
#pragma once

#include <string>

#include <torch/types.h>

#include "data/mel_torch.h"

namespace myxtts::data {

struct MelKernels {
  // Computes reference_log_mel() in one pass over the spectrum, on the current stream.
  // spectrum [M, F] complex64 on a CUDA device, filters on the same; returns [M, C] float32
  torch::Tensor (*log_mel)(const torch::Tensor& spectrum,
                           const SparseFilters& filters,
                           double floor);

  // Returns a name such as "NVIDIA A100-SXM4-40GB 8.0". Throws if the device fails.
  std::string (*device_name)(int device_index);
};

// Loads the library once, from the program's library folder or the search path. Throws UserError
// that names the missing library and the build command. Thread-safe.
const MelKernels& mel_kernels();

// Returns the address of an exported symbol of the library, for other modules. Throws UserError.
void* cuda_symbol(const char* name);

}  // namespace myxtts::data

// Exported by libmyxtts_cuda.so.
extern "C" const myxtts::data::MelKernels* myxtts_cuda_mel_kernels();
