#include "model/heads_torch.h"

namespace myxtts::model {

double max_frames(std::int64_t num_symbols, double speed) {
  return (kMaxMeanFramesPerSymbol * static_cast<double>(num_symbols) + kExtraFrames) / speed;
}

// Divides and rounds the end positions of symbols instead of their durations, so that rounding
// errors do not add up and twice the speed gives half the frames. Each end is at least one frame
// after the previous one; later long symbols compensate for short ones.
torch::Tensor inference_durations(const torch::Tensor& log_durations, double speed) {
  const torch::Tensor frames = log_durations.to(torch::kFloat64)
                                   .exp()
                                   .nan_to_num(1.0)
                                   .round()
                                   .clamp(1.0, kMaxFramesPerSymbol);
  const torch::Tensor total = frames.sum(-1, /*keepdim=*/true);
  const std::int64_t num_symbols = frames.size(-1);
  const torch::Tensor share = (max_frames(num_symbols, 1.0) / total).clamp_max(1.0) / speed;
  const torch::Tensor rounded_ends = (frames.cumsum(-1) * share).round();
  const torch::Tensor earliest =
      torch::arange(1, num_symbols + 1, frames.options()).expand_as(rounded_ends);
  const torch::Tensor ends =
      earliest + std::get<0>((rounded_ends - earliest).cummax(-1)).clamp_min(0.0);
  const torch::Tensor starts = torch::constant_pad_nd(ends.narrow(-1, 0, num_symbols - 1), {1, 0});
  return (ends - starts).to(torch::kInt64);
}

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

}  // namespace myxtts::model
