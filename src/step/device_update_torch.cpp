#include "step/device_update_torch.h"

namespace myxtts::step {
namespace {

// Selects the overload of LibTorch with the learning rate as a tensor.
using FusedTensorUpdate = void (*)(at::TensorList parameters,
                                   at::TensorList gradients,
                                   at::TensorList first_moments,
                                   at::TensorList second_moments,
                                   at::TensorList largest_second_moments,
                                   at::TensorList counts,
                                   const at::Tensor& learning_rate,
                                   double beta1,
                                   double beta2,
                                   double weight_decay,
                                   double eps,
                                   bool amsgrad,
                                   bool maximize,
                                   const std::optional<at::Tensor>& gradient_scale,
                                   const std::optional<at::Tensor>& found_inf);

// Returns the weight of the current weights in the EMA: 1 - decay with a smaller decay in the first
// updates, and 0 after a rejected update. In float64, because 1 - 0.999 has few digits in float32.
torch::Tensor ema_share(const torch::Tensor& count, double decay, const torch::Tensor& accepted) {
  const torch::Tensor updates = count.to(torch::kFloat64);
  const torch::Tensor share = 1.0 - ((updates + 1.0) / (updates + 10.0)).clamp_max(decay);
  return (share * accepted).to(torch::kFloat32);
}

}  // namespace

DeviceUpdate::DeviceUpdate(model::ParameterSet& parameters,
                           FlatOptimizer& optimizer,
                           const config::TrainingConfig& training)
    : parameters_(parameters), optimizer_(optimizer), training_(training) {}

DeviceUpdate::Result DeviceUpdate::run(const torch::Tensor& learning_rate,
                                       const torch::Tensor& loss) {
  const torch::NoGradGuard no_grad;
  torch::Tensor& gradients = parameters_.gradients();
  Result result;
  result.grad_norm = gradients.norm();
  const torch::Tensor accepted =
      at::logical_and(result.grad_norm.isfinite(), loss.isfinite()).to(torch::kFloat32);
  result.rejected = 1.0 - accepted;
  gradients.mul_((training_.gradient_clip_norm / result.grad_norm).clamp_max(1.0));

  optimizer_.count.add_(accepted);
  FusedTensorUpdate fused = at::_fused_adamw_;
  if (training_.optimizer == "adam") fused = at::_fused_adam_;
  fused({parameters_.values()},
        {gradients},
        {optimizer_.first_moment},
        {optimizer_.second_moment},
        {},
        {optimizer_.count},
        learning_rate,
        training_.beta1,
        training_.beta2,
        training_.weight_decay,
        training_.eps,
        /*amsgrad=*/false,
        /*maximize=*/false,
        std::nullopt,
        result.rejected);
  if (optimizer_.ema.defined()) {
    optimizer_.ema.lerp_(parameters_.values(),
                         ema_share(optimizer_.count, training_.ema_decay, accepted));
  }
  return result;
}

}  // namespace myxtts::step
