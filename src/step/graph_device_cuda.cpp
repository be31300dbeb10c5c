// Note [One pool]: all graphs allocate from one memory pool. This is safe because graphs never run
// concurrently and no graph reads pool memory of another: gradients, loss sums, inputs and weights
// are allocated outside of the pool before any capture.
#include "step/graph_device_cuda.h"

#include <array>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <ATen/core/CachingHostAllocator.h>
#include <ATen/cuda/CUDAEvent.h>
#include <ATen/cuda/CUDAGeneratorImpl.h>
#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include "base/error.h"

namespace myxtts::step {
namespace {

using at::cuda::CUDAEvent;
using c10::cuda::CUDAStream;
using c10::cuda::CUDAStreamGuard;

// The host sleeps while it waits and leaves the core to the data lane.
constexpr unsigned kBlockingWait = cudaEventDisableTiming | cudaEventBlockingSync;

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

// Restores the state of the default generator on destruction.
class GeneratorGuard {
 public:
  explicit GeneratorGuard(c10::DeviceIndex device)
      : generator_(at::cuda::detail::getDefaultCUDAGenerator(device)) {
    const std::scoped_lock lock(generator_.mutex());
    state_ = generator_.get_state();
  }
  ~GeneratorGuard() {
    const std::scoped_lock lock(generator_.mutex());
    generator_.set_state(state_);
  }
  GeneratorGuard(const GeneratorGuard&) = delete;
  GeneratorGuard& operator=(const GeneratorGuard&) = delete;

 private:
  at::Generator generator_;
  at::Tensor state_;
};

struct InputSlot {
  CUDAEvent staged{kBlockingWait};  // the copy into the slot
  CUDAEvent taken;                  // the copy out of the slot
};

class CudaGraphDevice final : public GraphDevice {
 public:
  explicit CudaGraphDevice(c10::DeviceIndex device)
      : device_(device),
        compute_(c10::cuda::getCurrentCUDAStream(device)),
        side_(c10::cuda::getStreamFromPool(/*isHighPriority=*/false, device)),
        copy_(c10::cuda::getStreamFromPool(/*isHighPriority=*/true, device)),
        pool_(at::cuda::graph_pool_handle()) {}

  ~CudaGraphDevice() override {
    // A graph must not be destroyed while it runs. Device errors are reported elsewhere.
    C10_CUDA_CHECK_WARN(cudaStreamSynchronize(compute_));
    C10_CUDA_CHECK_WARN(cudaStreamSynchronize(copy_));
  }

  void warm_up(const Work& work) override {
    const GeneratorGuard generator(device_);
    follow(side_, compute_);
    {
      const CUDAStreamGuard on_side(side_);
      work();
    }
    follow(compute_, side_);
    side_.synchronize();
  }

  GraphId capture(const Work& work) override {
    const c10::cuda::CUDAGuard on_device(device_);
    follow(side_, compute_);
    side_.synchronize();
    c10::cuda::CUDACachingAllocator::emptyCache();  // frees the memory of warm-ups
    auto graph = std::make_unique<at::cuda::CUDAGraph>();
    const CUDAStreamGuard on_side(side_);
    try {
      graph->capture_begin(pool_, cudaStreamCaptureModeThreadLocal);
      work();
      graph->capture_end();
    } catch (const std::exception& error) {
      abandon(*graph);
      throw CaptureError(first_line(error.what()));
    }
    graphs_.push_back(std::move(graph));
    return graphs_.size() - 1;
  }

  void replay(GraphId graph) override {
    const CUDAStreamGuard on_compute(compute_);
    graphs_.at(graph)->replay();
  }

  void run(const Work& work) override {
    const CUDAStreamGuard on_compute(compute_);
    work();
  }

  void stage(std::size_t slot, const Work& copy) override {
    while (slot >= inputs_.size())
      inputs_.emplace_back();
    InputSlot& input = inputs_.at(slot);
    input.staged.synchronize();  // the host is about to write to the pinned memory of this slot
    input.taken.block(copy_);
    const CUDAStreamGuard on_copy(copy_);
    copy();
    input.staged.record(copy_);
  }

  void take(std::size_t slot, const Work& move) override {
    InputSlot& input = inputs_.at(slot);
    input.staged.block(compute_);
    const CUDAStreamGuard on_compute(compute_);
    move();
    input.taken.record(compute_);
  }

  void send_report(std::size_t slot, const Work& copy) override {
    const CUDAStreamGuard on_compute(compute_);
    copy();
    reports_.at(slot).record(compute_);
  }

  void await_report(std::size_t slot) override { reports_.at(slot).synchronize(); }

 private:
  // Makes future work on `later` wait for the work queued on `earlier` so far.
  static void follow(const CUDAStream& later, const CUDAStream& earlier) {
    CUDAEvent now;
    now.record(earlier);
    now.block(later);
  }

  // Ends a failed capture. capture_end() stops at its first error, and the allocators would keep
  // asking the graph, which is about to be destroyed, whether memory belongs to its pool.
  void abandon(at::cuda::CUDAGraph& graph) const {
    const auto try_to = [](const Work& work) {
      try {
        work();
      } catch (const std::exception&) {
        // Already ended, or not begun; the cause of the failure is known.
      }
    };
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    C10_CUDA_CHECK_WARN(cudaStreamIsCapturing(side_, &status));
    if (status != cudaStreamCaptureStatusNone) try_to([&] { graph.capture_end(); });
    try_to([&] { c10::cuda::CUDACachingAllocator::endAllocateToPool(device_, pool_); });
    try_to([&] { at::getHostAllocator(at::kCUDA)->end_allocate_to_pool(pool_); });
    static_cast<void>(cudaGetLastError());  // clears the error, which is already reported
  }

  c10::DeviceIndex device_;
  CUDAStream compute_;
  CUDAStream side_;
  CUDAStream copy_;
  at::cuda::MempoolId_t pool_;
  std::vector<std::unique_ptr<at::cuda::CUDAGraph>> graphs_;
  std::deque<InputSlot> inputs_;
  std::array<CUDAEvent, kReportSlots> reports_{CUDAEvent{kBlockingWait}, CUDAEvent{kBlockingWait}};
};

}  // namespace
}  // namespace myxtts::step

myxtts::step::GraphDevice* myxtts_cuda_graph_device(int device_index) {
  const int count = c10::cuda::device_count();
  myxtts::require(device_index >= 0 && device_index < count,
                  "CUDA device {} not found: this machine has {}; choose a lower device index",
                  device_index,
                  count);
  return new myxtts::step::CudaGraphDevice(static_cast<c10::DeviceIndex>(device_index));
}
