// What a captured step needs of a GPU, and what it computes there: two seams, so that the order of
// capture, replay, late reading and fall-back (captured_step.h) is tested without a GPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>

#include "pipeline/batch.h"
#include "step/step_report.h"

namespace xtts::step {

inline constexpr std::size_t kReportSlots = 2;  // one is filled while the one before it is read

// The device did not capture; what() is its reason, one line.
class CaptureFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Streams, graphs and events of one device. Work that is given to it queues kernels and copies on
// the current stream and returns without waiting for them.
//
// There are three streams. What is run and replayed is queued on the *compute* stream, in order.
// Warm-ups and captures use a *side* stream, since the default stream cannot be captured. Inputs
// arrive on a *copy* stream, beside the computing. One thread calls it; only await_report(),
// warm_up() and capture() wait for the device, and stage() for the last copy into its slot.
class GraphDevice {
 public:
  using Work = std::function<void()>;
  using GraphId = std::size_t;

  GraphDevice() = default;
  GraphDevice(const GraphDevice&) = delete;
  GraphDevice& operator=(const GraphDevice&) = delete;
  virtual ~GraphDevice() = default;

  // Runs the work on the side stream, after all that was queued, and waits for its end. Random
  // generators are then as they were before.
  virtual void warm_up(const Work& work) = 0;

  // Records the work without running it: on the side stream, in thread-local mode (other threads
  // may allocate and pin memory meanwhile), its memory from the one pool that all graphs share.
  // Throws CaptureFailed and leaves everything as it was.
  virtual GraphId capture(const Work& work) = 0;

  virtual void replay(GraphId graph) = 0;
  virtual void run(const Work& work) = 0;  // operator by operator

  // Queues a copy into the input slot on the copy stream, once what was in it has been taken or is
  // no longer wanted. Slots are numbered from 0; there are as many as are used.
  virtual void stage(std::size_t slot, const Work& copy) = 0;
  // Queues the way out of the slot on the compute stream, once what was staged has arrived.
  virtual void take(std::size_t slot, const Work& move) = 0;

  // Queues a copy into the pinned report slot.
  virtual void send_report(std::size_t slot, const Work& copy) = 0;
  // Waits until it has arrived.
  virtual void await_report(std::size_t slot) = 0;
};

// The numbers of an update that are written to the device before it: in a graph they would be
// frozen.
struct UpdateNumbers {
  double learning_rate = 0.0;
  double diagonal = 0.0;  // weight of the diagonal prior of the alignment
  pipeline::BatchCounts counts = {};
};

// The mathematics of a step over static memory: each signature has inputs at a fixed place, all
// share weights, gradients, moments, averages, sums of losses. Every method but make_inputs() and
// read_report() is called as work of a GraphDevice.
class StepWork {
 public:
  StepWork() = default;
  StepWork(const StepWork&) = delete;
  StepWork& operator=(const StepWork&) = delete;
  virtual ~StepWork() = default;

  virtual void make_inputs(const pipeline::Signature& signature) = 0;  // once, all rows empty
  virtual void fill_slot(std::size_t slot, const pipeline::MicroBatch& batch) = 0;
  virtual void empty_slot(std::size_t slot, const pipeline::Signature& signature) = 0;

  virtual void write_numbers(const UpdateNumbers& numbers) = 0;
  virtual void clear() = 0;  // gradients and sums of losses
  // Adds gradients and losses of the signature's inputs.
  virtual void forward_backward(const pipeline::Signature& signature) = 0;
  virtual void spoil_gradients() = 0;  // to what no update accepts: not a number
  // Clipping, finite check, optimiser, average. Losses or gradients that are not finite change
  // nothing.
  virtual void update() = 0;

  virtual void copy_report(std::size_t slot) = 0;
  virtual StepReport read_report(std::size_t slot) = 0;  // after it has arrived
};

}  // namespace xtts::step
