// Order of one training step on the streams of the device (docs/en/cuda.md explains it):
//
//   copy     [inputs of micro-batch 1] [inputs of 2] ...
//   compute  [scalars, clear] [take 1] [graph] [take 2] [graph] ... [update graph] [report]
//   host     queues all of this, then reads the report of the previous step
//
// The inputs of later batches follow on the copy stream as soon as input slots are free.
#include "step/captured_step.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "step/copy_time.h"
#include "step/retrace_monitor.h"

namespace myxtts::step {
CapturedStep::CapturedStep(GraphDevice& device,
                           StepWork& work,
                           std::vector<data::Signature> plan,
                           std::size_t num_staged)
    : device_(device), work_(work), plan_(std::move(plan)), num_staged_(num_staged) {
  invariant(!plan_.empty(), "a captured step has a plan");
  invariant(num_staged_ >= 1, "at least one micro-batch can be staged");
}

CapturedStep::MaybeGraph CapturedStep::capture(const std::string& what,
                                               const GraphDevice::Work& work) {
  for (int i = 0; i < kWarmUps; ++i)
    device_.warm_up(work);
  try {
    return device_.capture(work);
  } catch (const CaptureError& error) {
    failures_.push_back({.what = what, .reason = error.what()});
    return std::nullopt;
  }
}

void CapturedStep::prepare(const data::Signature& signature) {
  require_in_plan(plan_, signature);
  if (!update_graph_) {
    // The update rejects gradients that are not finite, so warm-ups with NaN change no state.
    device_.run([&] { work_.set_gradients_to_nan(); });
    update_graph_ = capture("update", [&] { work_.update(); });
  }
  if (prepared_.contains(signature)) return;
  work_.make_inputs(signature);
  // Warm-ups add to gradients and loss sums, which every step clears first.
  prepared_[signature] =
      capture(data::name_of(signature), [&, signature] { work_.forward_backward(signature); });
}

void CapturedStep::replay_or_run(const MaybeGraph& graph, const GraphDevice::Work& work) {
  if (graph) {
    device_.replay(*graph);
  } else {
    device_.run(work);
  }
}

void CapturedStep::require_runnable(const data::Batch& batch) const {
  invariant(!batch.micro_batches.empty(), "a batch has a micro-batch");
  const data::Signature& signature = batch.micro_batches.front().signature;
  for (const data::MicroBatch& micro_batch : batch.micro_batches) {
    require_in_plan(plan_, micro_batch.signature);
    invariant(micro_batch.signature == signature,
              "the micro-batches of a batch have the same signature");
  }
}

void CapturedStep::stage_upcoming() {
  while (staged_ - taken_ < std::min(num_staged_, upcoming_.size())) {
    const CopyTime time(copy_s_);
    const data::MicroBatch& micro_batch = *upcoming_[staged_ - taken_];
    const std::size_t slot = staged_++ % num_input_slots(num_staged_);
    device_.stage(slot, [&] { work_.fill_slot(slot, micro_batch); });
  }
}

void CapturedStep::take(const data::Signature& signature) {
  const std::size_t slot = taken_++ % num_input_slots(num_staged_);
  device_.take(slot, [&] { work_.consume_slot(slot, signature); });
  upcoming_.pop_front();
}

// Attributes the copy time so far to the pending report.
void CapturedStep::assign_copy_time() {
  if (pending_) pending_->copy_s = std::exchange(copy_s_, 0.0);
}

void CapturedStep::stage_ahead(const data::Batch& batch) {
  require_runnable(batch);
  for (const data::MicroBatch& micro_batch : batch.micro_batches)
    upcoming_.push_back(&micro_batch);
  stage_upcoming();
}

void CapturedStep::discard_staged() {
  upcoming_.clear();
  taken_ = staged_;
}

std::optional<LateReport> CapturedStep::run(const data::Batch& batch,
                                            std::int64_t step,
                                            double learning_rate,
                                            double diagonal) {
  require_runnable(batch);
  invariant(upcoming_.empty() || upcoming_.front() == &batch.micro_batches.front(),
            "batches run in the order in which they are staged");
  const data::Signature signature = batch.micro_batches.front().signature;
  prepare(signature);

  assign_copy_time();
  if (upcoming_.empty()) {
    stage_ahead(batch);
  } else {
    stage_upcoming();
  }
  const StepScalars scalars{
      .learning_rate = learning_rate, .diagonal = diagonal, .counts = batch.counts};
  device_.run([&] {
    work_.write_scalars(scalars);
    work_.clear();
  });
  for (std::size_t i = 0; i < batch.micro_batches.size(); ++i) {
    take(signature);
    replay_or_run(prepared_.at(signature), [&] { work_.forward_backward(signature); });
    stage_upcoming();
  }
  replay_or_run(*update_graph_, [&] { work_.update(); });

  const std::size_t slot = sent_++ % kReportSlots;
  device_.send_report(slot, [&] { work_.copy_report(slot); });
  return read(std::exchange(pending_, Pending{.step = step, .slot = slot, .copy_s = 0.0}));
}

std::optional<LateReport> CapturedStep::flush() {
  assign_copy_time();
  return read(std::exchange(pending_, std::nullopt));
}

std::optional<LateReport> CapturedStep::read(const std::optional<Pending>& pending) {
  if (!pending) return std::nullopt;
  device_.await_report(pending->slot);
  LateReport late{.step = pending->step, .report = work_.read_report(pending->slot)};
  late.report.copy_s = pending->copy_s;
  if (!late.report.not_finite.empty()) ++num_skipped_;
  return late;
}

bool CapturedStep::is_captured(const data::Signature& signature) const {
  const auto found = prepared_.find(signature);
  return found != prepared_.end() && found->second.has_value();
}

}  // namespace myxtts::step
