#include "step/train_step_torch.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "step/copy_time.h"

namespace xtts::step {
namespace {

// Adds up what micro-batches report.
class Totals {
 public:
  void add(const model::LossSums& sums,
           const pipeline::UpdateCounts& counts,
           std::int64_t n_mels,
           const torch::Tensor& loss) {
    loss_ += loss.item<double>();
    for (std::size_t i = 0; i < kNumLossParts; ++i) {
      const LossPart& part = loss_parts()[i];
      const torch::Tensor& sum = sums.*part.sum;
      if (!sum.defined()) continue;
      names_[i] = part.name;
      values_[i] += sum.item<double>() / divisor_of(part, counts, n_mels);
    }
  }

  StepReport report() const {
    StepReport report{.loss = loss_};
    for (std::size_t i = 0; i < names_.size(); ++i)
      if (names_[i] != nullptr) report.parts.push_back({names_[i], values_[i]});
    return report;
  }

 private:
  double loss_ = 0.0;
  std::array<const char*, kNumLossParts> names_{};
  std::array<double, kNumLossParts> values_{};
};

}  // namespace

TrainStep::TrainStep(model::AcousticModel& model,
                     FlatOptimizer& optimizer,
                     const config::TrainingConfig& training,
                     torch::ScalarType type,
                     PhaseRunner* runner)
    : model_(model),
      optimizer_(optimizer),
      weights_(loss_weights_of(training)),
      type_(type),
      runner_(runner) {}

void TrainStep::in_phase(const Phase& phase, const std::function<void()>& body) const {
  if (runner_ == nullptr) {
    body();
  } else {
    runner_->run(phase, body);
  }
}

// To where the model is: on the CPU the batch's memory is wrapped, nothing is copied.
model::Inputs TrainStep::bring(pipeline::Batch& batch, double& copy_s) const {
  const CopyTime time(copy_s);
  return model::moved_to(model::inputs_of(batch), model_.parameters().values().device());
}

StepReport TrainStep::run(pipeline::Update& update, double learning_rate, double diagonal) {
  StepReport report = accumulate(update, diagonal);
  finish(report, learning_rate);
  return report;
}

StepReport TrainStep::accumulate(pipeline::Update& update, double diagonal) {
  optimizer_.zero_gradients();
  Totals totals;
  double copy_s = 0.0;
  for (pipeline::Batch& batch : update.micro_batches) {
    in_phase({.kind = PhaseKind::kTrain, .signature = batch.signature}, [&] {
      const model::ForwardResult result =
          model_.forward(bring(batch, copy_s), {.type = type_, .diagonal = diagonal});
      const torch::Tensor loss = loss_of(result.sums, update.counts, batch.n_mels, weights_);
      loss.backward();
      totals.add(result.sums, update.counts, batch.n_mels, loss);
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

StepReport TrainStep::validate(std::span<pipeline::Update> updates) const {
  const torch::NoGradGuard no_grad;
  Totals totals;
  for (pipeline::Update& update : updates) {
    for (pipeline::Batch& batch : update.micro_batches) {
      in_phase({.kind = PhaseKind::kValidate, .signature = batch.signature}, [&] {
        const model::ForwardResult result = model_.forward(
            model::inputs_of(batch), {.type = type_, .diagonal = 0.0, .training = false});
        totals.add(result.sums,
                   update.counts,
                   batch.n_mels,
                   loss_of(result.sums, update.counts, batch.n_mels, weights_));
      });
    }
  }
  return totals.report();
}

}  // namespace xtts::step
