// The order of one update, on the device's three streams (docs/en/cuda.md says why):
//
//   copy     [inputs of micro-batch 1] [inputs of 2] ...
//   compute  [numbers, clear] [take 1] [graph] [take 2] [graph] ... [graph of the update] [report]
//   host     queues all this, then reads the report of the update before
//
// The inputs of later updates follow those of this one on the copy stream, as far as there is room.
#include "step/captured_step.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "step/copy_time.h"
#include "step/retrace_monitor.h"

namespace xtts::step {
CapturedStep::CapturedStep(GraphDevice& device,
                           StepWork& work,
                           std::vector<pipeline::Signature> plan,
                           std::size_t num_staged)
    : device_(device), work_(work), plan_(std::move(plan)), num_staged_(num_staged) {
  invariant(!plan_.empty(), "a captured step has a plan");
  invariant(num_staged_ >= 1, "a batch is on the device before it is computed with");
}

CapturedStep::MaybeGraph CapturedStep::capture(const std::string& what,
                                               const GraphDevice::Work& work) {
  for (int i = 0; i < kWarmUps; ++i)
    device_.warm_up(work);
  try {
    return device_.capture(work);
  } catch (const CaptureFailed& error) {
    failures_.push_back({.what = what, .reason = error.what()});
    return std::nullopt;
  }
}

void CapturedStep::prepare(const pipeline::Signature& signature) {
  require_in_plan(plan_, signature);
  if (!update_graph_) {
    // An update of a gradient that is not finite changes nothing, so this is what it warms up on.
    device_.run([&] { work_.spoil_gradients(); });
    update_graph_ = capture("update", [&] { work_.update(); });
  }
  if (prepared_.contains(signature)) return;
  work_.make_inputs(signature);
  // It adds to gradients and losses, which every update clears before it begins.
  prepared_[signature] =
      capture(pipeline::name_of(signature), [&, signature] { work_.forward_backward(signature); });
}

void CapturedStep::go(const MaybeGraph& graph, const GraphDevice::Work& work) {
  if (graph) {
    device_.replay(*graph);
  } else {
    device_.run(work);
  }
}

void CapturedStep::require_runnable(const pipeline::Batch& update) const {
  invariant(!update.micro_batches.empty(), "an update has a batch");
  const pipeline::Signature& signature = update.micro_batches.front().signature;
  for (const pipeline::MicroBatch& batch : update.micro_batches) {
    require_in_plan(plan_, batch.signature);
    invariant(batch.signature == signature, "the micro-batches of an update have one signature");
  }
}

void CapturedStep::stage_what_fits() {
  while (staged_ - taken_ < std::min(num_staged_, upcoming_.size())) {
    const CopyTime time(copy_s_);
    const pipeline::MicroBatch& batch = *upcoming_[staged_ - taken_];
    const std::size_t slot = staged_++ % num_input_slots(num_staged_);
    device_.stage(slot, [&] { work_.fill_slot(slot, batch); });
  }
}

void CapturedStep::take(const pipeline::Signature& signature) {
  const std::size_t slot = taken_++ % num_input_slots(num_staged_);
  device_.take(slot, [&] { work_.empty_slot(slot, signature); });
  upcoming_.pop_front();
}

// What is copied from now on is for another update's account.
void CapturedStep::end_copying() {
  if (pending_) pending_->copy_s = std::exchange(copy_s_, 0.0);
}

void CapturedStep::stage_ahead(const pipeline::Batch& update) {
  require_runnable(update);
  for (const pipeline::MicroBatch& batch : update.micro_batches)
    upcoming_.push_back(&batch);
  stage_what_fits();
}

void CapturedStep::forget_ahead() {
  upcoming_.clear();
  taken_ = staged_;
}

std::optional<LateReport> CapturedStep::run(const pipeline::Batch& update,
                                            std::int64_t step,
                                            double learning_rate,
                                            double diagonal) {
  require_runnable(update);
  invariant(upcoming_.empty() || upcoming_.front() == &update.micro_batches.front(),
            "updates are run in the order in which they are staged ahead");
  const pipeline::Signature signature = update.micro_batches.front().signature;
  prepare(signature);

  end_copying();
  if (upcoming_.empty()) {
    stage_ahead(update);
  } else {
    stage_what_fits();
  }
  const UpdateNumbers numbers{
      .learning_rate = learning_rate, .diagonal = diagonal, .counts = update.counts};
  device_.run([&] {
    work_.write_numbers(numbers);
    work_.clear();
  });
  for (std::size_t i = 0; i < update.micro_batches.size(); ++i) {
    take(signature);
    go(prepared_.at(signature), [&] { work_.forward_backward(signature); });
    stage_what_fits();
  }
  go(*update_graph_, [&] { work_.update(); });

  const std::size_t slot = sent_++ % kReportSlots;
  device_.send_report(slot, [&] { work_.copy_report(slot); });
  return read(std::exchange(pending_, Pending{.step = step, .slot = slot, .copy_s = 0.0}));
}

std::optional<LateReport> CapturedStep::flush() {
  end_copying();
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

bool CapturedStep::is_captured(const pipeline::Signature& signature) const {
  const auto found = prepared_.find(signature);
  return found != prepared_.end() && found->second.has_value();
}

}  // namespace xtts::step
