#include "step/train_step_torch.h"

#include <cmath>
#include <vector>

namespace myxtts::step {
namespace {

// Sums the losses of micro-batches.
class Totals {
 public:
  void add(std::span<const LossShare> shares) {
    report_.loss += reported_loss_of(shares).item<double>();
    for (std::size_t i = 0; i < shares.size(); ++i) {
      if (i == report_.parts.size()) report_.parts.emplace_back(shares[i].name, 0.0);
      report_.parts[i].second += shares[i].sum.item<double>() / shares[i].divisor;
    }
  }

  StepReport report() const { return report_; }

 private:
  StepReport report_;
};

}  // namespace

TrainStep::TrainStep(const Objective& objective,
                     FlatOptimizer& optimizer,
                     torch::ScalarType type,
                     PhaseRunner* runner)
    : objective_(objective), optimizer_(optimizer), type_(type), runner_(runner) {}

void TrainStep::in_phase(const Phase& phase, const std::function<void()>& body) const {
  if (runner_ == nullptr) {
    body();
  } else {
    runner_->run(phase, body);
  }
}

StepReport TrainStep::run(data::Batch& batch, double learning_rate, double diagonal) {
  StepReport report = accumulate(batch, diagonal);
  finish(report, learning_rate);
  return report;
}

StepReport TrainStep::accumulate(data::Batch& batch, double diagonal) {
  optimizer_.zero_gradients();
  Totals totals;
  double copy_s = 0.0;
  for (data::MicroBatch& micro_batch : batch.micro_batches) {
    in_phase({.kind = PhaseKind::kTrain, .signature = micro_batch.signature}, [&] {
      const std::vector<LossShare> shares = objective_.losses(
          micro_batch, batch.counts, {.type = type_, .diagonal = diagonal}, copy_s);
      loss_of(shares).backward();
      totals.add(shares);
    });
  }
  StepReport report = totals.report();
  report.copy_s = copy_s;
  return report;
}

void TrainStep::finish(StepReport& report, double learning_rate) {
  in_phase({.kind = PhaseKind::kUpdate, .signature = {}},
           [&] { update_if_finite(report, learning_rate); });
}

void TrainStep::update_if_finite(StepReport& report, double learning_rate) {
  report.grad_norm = optimizer_.gradient_norm();
  if (!std::isfinite(report.loss)) {
    report.not_finite = "loss";
  } else if (!std::isfinite(report.grad_norm)) {
    report.not_finite = "gradient";
  } else {
    optimizer_.clip(report.grad_norm);
    optimizer_.update(learning_rate);
  }
}

StepReport TrainStep::validate(std::span<data::Batch> batches) const {
  const torch::NoGradGuard no_grad;
  Totals totals;
  double copy_s = 0.0;  // not reported
  for (data::Batch& batch : batches) {
    for (data::MicroBatch& micro_batch : batch.micro_batches) {
      in_phase({.kind = PhaseKind::kValidate, .signature = micro_batch.signature}, [&] {
        const std::vector<LossShare> shares = objective_.losses(
            micro_batch, batch.counts, {.type = type_, .diagonal = 0.0, .training = false}, copy_s);
        totals.add(shares);
      });
    }
  }
  return totals.report();
}

}  // namespace myxtts::step
