// Interfaces of a captured step: the GPU with its streams and graphs, and the computation on it.
// Fakes of both test the order of capture, replay, late reports and fallback without a GPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>

#include "data/batch.h"
#include "step/step_report.h"

namespace myxtts::step {

inline constexpr std::size_t kReportSlots = 2;  // one is filled while the other is read

// A CUDA graph capture failed. what() is the reason in one line.
class CaptureError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Streams, graphs and events of one device. A Work queues kernels and copies on the current stream
// and returns without waiting for them.
//
// There are three streams. run() and replay() queue on the *compute* stream, in order. Warm-ups and
// captures use a *side* stream, because the default stream cannot be captured. Inputs are copied on
// a *copy* stream, in parallel to the computation. Only one thread may call it. await_report(),
// warm_up() and capture() wait for the device, stage() for the last copy into its slot.
class GraphDevice {
 public:
  using Work = std::function<void()>;
  using GraphId = std::size_t;

  GraphDevice() = default;
  GraphDevice(const GraphDevice&) = delete;
  GraphDevice& operator=(const GraphDevice&) = delete;
  virtual ~GraphDevice() = default;

  // Runs the work on the side stream after all queued work and waits for its end. Restores the
  // random generators.
  virtual void warm_up(const Work& work) = 0;

  // Captures the work without running it: on the side stream, in thread-local mode (other threads
  // may allocate and pin memory meanwhile), with memory from the pool that all graphs share. Throws
  // CaptureError without side effects.
  virtual GraphId capture(const Work& work) = 0;

  virtual void replay(GraphId graph) = 0;
  virtual void run(const Work& work) = 0;  // operator by operator

  // Queues a copy into the input slot on the copy stream, after its last content was consumed or
  // discarded. Slots are numbered from 0 and created on first use.
  virtual void stage(std::size_t slot, const Work& copy) = 0;
  // Queues the copy out of the slot on the compute stream, after the staged copy has finished.
  virtual void take(std::size_t slot, const Work& move) = 0;

  // Queues a copy of the report into the pinned report slot.
  virtual void send_report(std::size_t slot, const Work& copy) = 0;
  // Waits until the report is in the slot.
  virtual void await_report(std::size_t slot) = 0;
};

// Numbers of a step that are written to the device first: a graph would capture them as constants.
struct StepScalars {
  double learning_rate = 0.0;
  double diagonal = 0.0;  // weight of the alignment's diagonal prior
  data::BatchCounts counts = {};
};

// Computation of a step in static memory: each signature has inputs at a fixed address, and all
// share weights, gradients, moments, EMA weights and loss sums. Every method except make_inputs()
// and read_report() is called as Work of a GraphDevice.
class StepWork {
 public:
  StepWork() = default;
  StepWork(const StepWork&) = delete;
  StepWork& operator=(const StepWork&) = delete;
  virtual ~StepWork() = default;

  virtual void make_inputs(const data::Signature& signature) = 0;  // called once; empty rows
  virtual void fill_slot(std::size_t slot, const data::MicroBatch& batch) = 0;
  virtual void consume_slot(std::size_t slot, const data::Signature& signature) = 0;

  virtual void write_scalars(const StepScalars& scalars) = 0;
  virtual void clear() = 0;  // gradients and loss sums
  // Adds the gradients and losses of the signature's inputs.
  virtual void forward_backward(const data::Signature& signature) = 0;
  virtual void set_gradients_to_nan() = 0;
  // Clipping, finite check, optimiser and EMA. Losses or gradients that are not finite change no
  // state.
  virtual void update() = 0;

  virtual void copy_report(std::size_t slot) = 0;
  virtual StepReport read_report(std::size_t slot) = 0;  // after await_report()
};

}  // namespace myxtts::step
