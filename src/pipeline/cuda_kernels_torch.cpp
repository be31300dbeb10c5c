#include <dlfcn.h>

#include "base/error.h"
#include "pipeline/cuda_kernels.h"

namespace xtts::pipeline {
namespace {

// dlerror() names the first library that is missing, which is all that helps.
std::string last_error() {
  const char* words = dlerror();
  return words == nullptr ? "unknown reason" : words;
}

const CudaKernels& load() {
  // Never closed: what LibTorch has registered cannot be taken back.
  void* library = dlopen("libmyxtts_cuda.so", RTLD_NOW | RTLD_LOCAL);
  require(library != nullptr,
          "CUDA is not available: {}; on a machine with a GPU, build with: make build CUDA=1",
          last_error());
  using Entry = decltype(&myxtts_cuda_kernels);
  const auto entry = reinterpret_cast<Entry>(dlsym(library, "myxtts_cuda_kernels"));
  require(entry != nullptr,
          "libmyxtts_cuda.so is from another build: {}; run: make build CUDA=1",
          last_error());
  return *entry();
}

}  // namespace

const CudaKernels& cuda_kernels() {
  static const CudaKernels& kernels = load();
  return kernels;
}

}  // namespace xtts::pipeline
