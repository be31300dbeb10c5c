#include <dlfcn.h>

#include "base/error.h"
#include "data/cuda_library.h"

namespace myxtts::data {
namespace {

// dlerror() names the first missing library.
std::string last_error() {
  const char* message = dlerror();
  return message == nullptr ? "unknown reason" : message;
}

void* load() {
  // Never closed: LibTorch's registrations cannot be undone.
  void* library = dlopen("libmyxtts_cuda.so", RTLD_NOW | RTLD_LOCAL);
  require(library != nullptr,
          "CUDA is not available: {}; on a machine with a GPU, build with: make build CUDA=1",
          last_error());
  return library;
}

}  // namespace

void* cuda_symbol(const char* name) {
  static void* const library = load();
  void* symbol = dlsym(library, name);
  require(symbol != nullptr,
          "libmyxtts_cuda.so is from another build: {}; run: make build CUDA=1",
          last_error());
  return symbol;
}

const MelKernels& mel_kernels() {
  using Entry = decltype(&myxtts_cuda_mel_kernels);
  static const MelKernels& kernels =
      *reinterpret_cast<Entry>(cuda_symbol("myxtts_cuda_mel_kernels"))();
  return kernels;
}

}  // namespace myxtts::data
