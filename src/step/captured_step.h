// Training step on a GPU that captures and replays CUDA graphs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "data/batch.h"
#include "data/signature.h"
#include "step/graph_device.h"
#include "step/step_report.h"

namespace myxtts::step {

// Report of a step, which is available one step later.
struct LateReport {
  std::int64_t step = 0;  // as passed to run()
  StepReport report;
};

// Work that runs operator by operator because its CUDA graph capture failed.
struct FailedCapture {
  std::string what;    // "4x96x640", or "update"
  std::string reason;  // message of the device
};

// Training step on a GPU by CUDA graphs: one graph of forward and backward per signature and one
// graph of the optimiser update, each captured once and then replayed.
//
// run() only queues work and never waits for the step it starts. The losses are copied into a
// pinned report slot and read after the next step is queued, so that the device is busy while the
// host reads. Inputs of the next micro-batches, also of batches passed to stage_ahead(), are copied
// while the device computes. A step that is not finite is skipped on the device and reported one
// step later like any other.
class CapturedStep {
 public:
  // Warm-up runs before each capture, so that lazily created objects exist. They do not change
  // weights, moments, EMA weights or generators.
  static constexpr int kWarmUps = 3;

  // Borrows device and work. At most `num_staged` (>= 1) micro-batches are staged on the device;
  // the work has num_input_slots(num_staged) input slots.
  CapturedStep(GraphDevice& device,
               StepWork& work,
               std::vector<data::Signature> plan,
               std::size_t num_staged = 1);

  // One slot more than staged micro-batches, because one is being consumed.
  static constexpr std::size_t num_input_slots(std::size_t num_staged) { return num_staged + 1; }

  // Captures the graph of the signature and, in the first call, that of the update. run() calls it
  // for a new signature.
  void prepare(const data::Signature& signature);

  // Announces the batch that runs after all announced so far. Its inputs are copied to the device
  // as soon as a slot is free. It must live until it was passed to run(), or until
  // discard_staged().
  void stage_ahead(const data::Batch& batch);

  // Drops the batches passed to stage_ahead() that have not run.
  void discard_staged();

  // Queues one step with the first staged batch, if any, and returns the report of the previous
  // step if it has not been returned yet. For a batch outside of the plan throws BugError, which
  // names the dimension, and queues nothing.
  std::optional<LateReport> run(const data::Batch& batch,
                                std::int64_t step,
                                double learning_rate,
                                double diagonal);

  // Waits for the last step and returns its report if it has not been returned yet. Call it at the
  // end of a run and before the weights are read: for a checkpoint, a validation, a sample.
  std::optional<LateReport> flush();

  bool is_captured(const data::Signature& signature) const;

  // Returns the failed captures, each once, in the order of their detection.
  const std::vector<FailedCapture>& failures() const { return failures_; }
  std::int64_t num_skipped() const { return num_skipped_; }  // steps of the reports read so far

 private:
  struct Pending {
    std::int64_t step = 0;
    std::size_t slot = 0;
    double copy_s = 0.0;
  };
  // Absent: runs operator by operator.
  using MaybeGraph = std::optional<GraphDevice::GraphId>;

  MaybeGraph capture(const std::string& what, const GraphDevice::Work& work);
  void replay_or_run(const MaybeGraph& graph, const GraphDevice::Work& work);
  void require_runnable(const data::Batch& batch) const;
  void stage_upcoming();
  void take(const data::Signature& signature);
  void assign_copy_time();
  std::optional<LateReport> read(const std::optional<Pending>& pending);

  GraphDevice& device_;
  StepWork& work_;
  std::vector<data::Signature> plan_;
  std::map<data::Signature, MaybeGraph> prepared_;
  std::optional<MaybeGraph> update_graph_;  // absent: not prepared yet
  const std::size_t num_staged_;
  std::deque<const data::MicroBatch*> upcoming_;  // in run order; the first are staged
  std::size_t staged_ = 0;                        // micro-batches staged so far
  std::size_t taken_ = 0;                         // micro-batches consumed so far
  double copy_s_ = 0.0;                           // not attributed to a report yet
  std::size_t sent_ = 0;                          // reports sent so far
  std::optional<Pending> pending_;                // report sent and not read
  std::vector<FailedCapture> failures_;
  std::int64_t num_skipped_ = 0;
};

}  // namespace myxtts::step
