#include "step/objective_torch.h"

namespace xtts::step {

torch::Tensor loss_of(std::span<const LossShare> shares) {
  torch::Tensor loss;
  for (const LossShare& one : shares) {
    const torch::Tensor share = one.sum / one.divisor * one.weight;
    loss = loss.defined() ? loss + share : share;
  }
  return loss;
}

}  // namespace xtts::step
