#include "model/heads_torch.h"

namespace xtts::model {

SymbolHead::SymbolHead(ParameterSet& parameters, const std::string& name, std::int64_t width)
    : first_(parameters, name + ".first", width, width),
      first_norm_(parameters, name + ".first_norm", width),
      second_(parameters, name + ".second", width, width),
      second_norm_(parameters, name + ".second_norm", width),
      out_(parameters, name + ".out", width, 1) {}

torch::Tensor SymbolHead::operator()(const torch::Tensor& states, const torch::Tensor& mask) const {
  const torch::Tensor inside = mask.to(states.scalar_type());
  torch::Tensor x = first_norm_(first_.gelu(states * inside)) * inside;
  x = second_norm_(second_.gelu(x));
  return out_(x.to(torch::kFloat32)).squeeze(-1);
}

EnergyHead::EnergyHead(ParameterSet& parameters, std::int64_t width)
    : head_(parameters, "energy", width), embedding_(parameters, "energy.embedding", 1, width) {}

torch::Tensor EnergyHead::predict(const torch::Tensor& states, const torch::Tensor& mask) const {
  return head_(states, mask);
}

torch::Tensor EnergyHead::embed(const torch::Tensor& energies, torch::ScalarType type) const {
  return embedding_(energies.unsqueeze(-1).to(type));
}

}  // namespace xtts::model
