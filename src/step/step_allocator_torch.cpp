#include "step/step_allocator_torch.h"

#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>
#include <c10/core/impl/alloc_cpu.h>
#include <c10/util/Exception.h>

namespace myxtts::step {
namespace {

void* from_heap(std::size_t bytes) {
  try {
    return c10::alloc_cpu(bytes);
  } catch (const c10::Error&) {
    return nullptr;
  }
}

// Never destroyed: static tensors may release memory after main.
StepMemory& memory() {
  static StepMemory& memory = *new StepMemory({.allocate = from_heap, .release = c10::free_cpu});
  return memory;
}

void release(void* pointer) {
  memory().release(pointer);
}

// The context is the data pointer itself, as LibTorch's oneDNN integration asserts.
class TensorAllocator final : public c10::Allocator {
 public:
  c10::DataPtr allocate(std::size_t bytes) override {
    void* pointer = memory().allocate(bytes);
    return {pointer, pointer, &release, c10::Device(c10::kCPU)};
  }

  c10::DeleterFnPtr raw_deleter() const override { return &release; }

  void copy_data(void* to, const void* from, std::size_t bytes) const override {
    default_copy_data(to, from, bytes);
  }
};

}  // namespace

StepMemory& tensor_memory() {
  static const bool installed = [] {
    c10::SetCPUAllocator(new TensorAllocator, /*priority=*/1);
    return true;
  }();
  static_cast<void>(installed);
  return memory();
}

}  // namespace myxtts::step
