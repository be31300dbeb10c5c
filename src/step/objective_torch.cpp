#include "step/objective_torch.h"

namespace myxtts::step {
namespace {

torch::Tensor sum_of(std::span<const LossShare> shares, bool with_adversarial) {
  torch::Tensor loss;
  for (const LossShare& one : shares) {
    if (one.is_adversarial && !with_adversarial) continue;
    const torch::Tensor share = one.sum / one.divisor * one.weight;
    loss = loss.defined() ? loss + share : share;
  }
  return loss;
}

}  // namespace

torch::Tensor loss_of(std::span<const LossShare> shares) {
  return sum_of(shares, /*with_adversarial=*/true);
}

torch::Tensor reported_loss_of(std::span<const LossShare> shares) {
  const torch::NoGradGuard no_grad;
  return sum_of(shares, /*with_adversarial=*/false);
}

}  // namespace myxtts::step
