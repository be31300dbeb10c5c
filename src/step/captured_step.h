#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/batch.h"
#include "pipeline/signature.h"
#include "step/graph_device.h"
#include "step/step_report.h"

namespace xtts::step {

// What an update came to, known one update later.
struct LateReport {
  std::int64_t step = 0;  // as it was given to run()
  StepReport report;
};

// One thing that is run operator by operator because the device did not capture it.
struct CaptureFailure {
  std::string what;    // "4x96x640", or "update"
  std::string reason;  // of the device
};

// The step of a GPU: one graph of forward and backward per signature, one graph of the update for
// all, each captured once and replayed from then on.
//
// run() only queues: the host never waits for the update it has just started. Its losses are copied
// into a pinned slot and read when the next update is queued, so that the device has work while the
// host reads, and the next inputs are copied beside the computing: those of the micro-batch that
// follows, or as many as stage_ahead() is told of. An update that is not finite is skipped on the
// device and known one update later like any other result.
class CapturedStep {
 public:
  // Runs before each capture, so that everything that is made on first use exists. They change no
  // weights, moments, averages or generators.
  static constexpr int kWarmUps = 3;

  // Borrows device and work. At most `num_staged` micro-batches wait on the device, at least one;
  // the work has num_input_slots(num_staged) input slots.
  CapturedStep(GraphDevice& device,
               StepWork& work,
               std::vector<pipeline::Signature> plan,
               std::size_t num_staged = 1);

  // One more than wait: that one is being moved out while the others are there.
  static constexpr std::size_t num_input_slots(std::size_t num_staged) { return num_staged + 1; }

  // Makes the signature and, the first time, the update ready. run() does it on first use.
  void prepare(const pipeline::Signature& signature);

  // The update that is to be run after all that are known so far. Its inputs are copied to the
  // device as soon as there is room. It must live until run() has had it, or until forget_ahead().
  void stage_ahead(const pipeline::Batch& update);

  // What stage_ahead() was told of will not be run.
  void forget_ahead();

  // Queues one update, the first of those that were staged ahead if there are any, and returns the
  // report of the one before it, if that was not read yet. Throws BugError that names the dimension
  // for a batch outside of the plan; nothing is queued then.
  std::optional<LateReport> run(const pipeline::Batch& update,
                                std::int64_t step,
                                double learning_rate,
                                double diagonal);

  // Waits for the last update and returns its report, if that was not read yet. Call it at the end
  // of a run and before anything that looks at the weights: a save, a validation, a sample.
  std::optional<LateReport> flush();

  bool is_captured(const pipeline::Signature& signature) const;

  // What fell back, each once, in the order it was found.
  const std::vector<CaptureFailure>& failures() const { return failures_; }
  std::int64_t num_skipped() const { return num_skipped_; }  // of the updates that were read

 private:
  struct Pending {
    std::int64_t step = 0;
    std::size_t slot = 0;
    double copy_s = 0.0;
  };
  // Absent: run operator by operator.
  using MaybeGraph = std::optional<GraphDevice::GraphId>;

  MaybeGraph capture(const std::string& what, const GraphDevice::Work& work);
  void go(const MaybeGraph& graph, const GraphDevice::Work& work);
  void require_runnable(const pipeline::Batch& update) const;
  void stage_what_fits();
  void take(const pipeline::Signature& signature);
  void end_copying();
  std::optional<LateReport> read(const std::optional<Pending>& pending);

  GraphDevice& device_;
  StepWork& work_;
  std::vector<pipeline::Signature> plan_;
  std::map<pipeline::Signature, MaybeGraph> prepared_;
  std::optional<MaybeGraph> update_graph_;  // absent: not prepared yet
  const std::size_t num_staged_;
  std::deque<const pipeline::MicroBatch*>
      upcoming_;                    // in the order they are run; the first are staged
  std::size_t staged_ = 0;          // inputs so far
  std::size_t taken_ = 0;           // of them
  double copy_s_ = 0.0;             // for the update that was queued last
  std::size_t sent_ = 0;            // reports so far
  std::optional<Pending> pending_;  // sent and not read
  std::vector<CaptureFailure> failures_;
  std::int64_t num_skipped_ = 0;
};

}  // namespace xtts::step
