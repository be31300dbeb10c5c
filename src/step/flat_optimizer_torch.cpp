#include "step/flat_optimizer_torch.h"

#include <algorithm>

namespace myxtts::step {
namespace {

// Selects the overload of LibTorch with the learning rate as a number.
using FusedUpdate = void (*)(at::TensorList parameters,
                             at::TensorList gradients,
                             at::TensorList first_moments,
                             at::TensorList second_moments,
                             at::TensorList largest_second_moments,
                             at::TensorList counts,
                             double learning_rate,
                             double beta1,
                             double beta2,
                             double weight_decay,
                             double eps,
                             bool amsgrad,
                             bool maximize,
                             const std::optional<at::Tensor>& gradient_scale,
                             const std::optional<at::Tensor>& found_inf);

// Smaller decay in the first updates, so that the EMA forgets the random initialisation quickly.
double decay_at(double decay, double updates) {
  return std::min(decay, (1.0 + updates) / (10.0 + updates));
}

}  // namespace

FlatOptimizer::FlatOptimizer(model::ParameterSet& parameters,
                             const config::TrainingConfig& training)
    : first_moment(torch::zeros_like(parameters.values())),
      second_moment(torch::zeros_like(parameters.values())),
      count(torch::zeros({}, parameters.values().options())),
      parameters_(parameters),
      training_(training) {
  restart_ema();
}

void FlatOptimizer::restart_ema() {
  if (training_.ema_decay > 0.0) ema = parameters_.values().clone();
}

double FlatOptimizer::gradient_norm() const {
  return parameters_.gradients().norm().item<double>();
}

void FlatOptimizer::clip(double norm) {
  const double limit = training_.gradient_clip_norm;
  if (norm > limit) parameters_.gradients().mul_(limit / norm);
}

void FlatOptimizer::update(double learning_rate) {
  const torch::NoGradGuard no_grad;
  FusedUpdate fused = at::_fused_adamw_;
  if (training_.optimizer == "adam") fused = at::_fused_adam_;
  fused({parameters_.values()},
        {parameters_.gradients()},
        {first_moment},
        {second_moment},
        {},
        {count.add_(1.0)},
        learning_rate,
        training_.beta1,
        training_.beta2,
        training_.weight_decay,
        training_.eps,
        /*amsgrad=*/false,
        /*maximize=*/false,
        std::nullopt,
        std::nullopt);
  if (!ema.defined()) return;
  const double decay = decay_at(training_.ema_decay, count.item<double>());
  ema.lerp_(parameters_.values(), 1.0 - decay);
}

void FlatOptimizer::zero_gradients() {
  parameters_.gradients().zero_();
}

std::int64_t FlatOptimizer::num_updates() const {
  return static_cast<std::int64_t>(count.item<double>());
}

EmaWeights::EmaWeights(model::ParameterSet& parameters, const FlatOptimizer& optimizer)
    : parameters_(parameters) {
  if (!optimizer.ema.defined()) return;
  const torch::NoGradGuard no_grad;
  trained_ = parameters.values().clone();
  parameters.values().copy_(optimizer.ema);
}

EmaWeights::~EmaWeights() {
  if (!trained_.defined()) return;
  const torch::NoGradGuard no_grad;
  parameters_.values().copy_(trained_);
}

}  // namespace myxtts::step
