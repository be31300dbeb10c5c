#include "model/layers_torch.h"

#include <cmath>
#include <utility>

#include "model/depthwise_norm_torch.h"
#include "model/linear_torch.h"

namespace myxtts::model {
namespace {

// Finite, so that a row without valid symbols does not become NaN.
constexpr double kMaskedScore = -1e4;

double init_std(std::int64_t fan_in) {
  return 1.0 / std::sqrt(static_cast<double>(fan_in));
}

// Returns x(l + offset), zero-padded. offset is -1 or 1.
torch::Tensor shifted(const torch::Tensor& x, int offset) {
  const std::int64_t length = x.size(1);
  return offset < 0 ? at::constant_pad_nd(x.narrow(1, 0, length - 1), {0, 0, 1, 0})
                    : at::constant_pad_nd(x.narrow(1, 1, length - 1), {0, 0, 0, 1});
}

}  // namespace

Linear::Linear(ParameterSet& parameters, const std::string& name, std::int64_t in, std::int64_t out)
    : weight(parameters.add(name + ".weight", {out, in}, init_std(in))),
      bias(parameters.add(name + ".bias", {out}, 0.0)),
      bf16_weight(parameters.bf16_copy_of(weight)) {}

Linear::Linear(torch::Tensor weight_tensor,
               torch::Tensor bias_tensor,
               std::shared_ptr<const torch::Tensor> bf16_tensor)
    : weight(std::move(weight_tensor)),
      bias(std::move(bias_tensor)),
      bf16_weight(std::move(bf16_tensor)) {}

Linear Linear::zeros(ParameterSet& parameters,
                     const std::string& name,
                     std::int64_t in,
                     std::int64_t out) {
  const torch::Tensor weight = parameters.add(name + ".weight", {out, in}, 0.0);
  return {weight, parameters.add(name + ".bias", {out}, 0.0), parameters.bf16_copy_of(weight)};
}

const torch::Tensor& Linear::weight_for(const torch::Tensor& x) const {
  return x.scalar_type() == torch::kBFloat16 && bf16_weight->defined() ? *bf16_weight : weight;
}

torch::Tensor Linear::operator()(const torch::Tensor& x) const {
  return at::linear(x, weight_for(x).to(x.scalar_type()), bias.to(x.scalar_type()));
}

torch::Tensor Linear::gelu(const torch::Tensor& x) const {
  return linear_gelu(x, weight_for(x), bias);
}

torch::Tensor Linear::add_to(const torch::Tensor& residual,
                             const torch::Tensor& x,
                             const torch::Tensor& mask) const {
  return linear_residual(residual, x, weight_for(x), bias, mask);
}

LayerNorm::LayerNorm(ParameterSet& parameters, const std::string& name, std::int64_t width)
    : scale(parameters.add_constant(name + ".scale", {width}, 1.0)),
      shift(parameters.add(name + ".shift", {width}, 0.0)) {}

torch::Tensor LayerNorm::operator()(const torch::Tensor& x) const {
  return at::layer_norm(x, {x.size(-1)}, scale.to(x.scalar_type()), shift.to(x.scalar_type()));
}

SpeakerFilm::SpeakerFilm(ParameterSet& parameters,
                         const std::string& name,
                         std::int64_t speaker_width,
                         std::int64_t width)
    : both(Linear::zeros(parameters, name, speaker_width, 2 * width)) {}

torch::Tensor SpeakerFilm::operator()(const torch::Tensor& x, const torch::Tensor& speaker) const {
  const std::vector<torch::Tensor> halves = both(speaker).unsqueeze(1).chunk(2, /*dim=*/-1);
  return at::addcmul(halves[1], x, halves[0] + 1.0);
}

ScaleAndShift SpeakerFilm::fused_with(const LayerNorm& norm, const torch::Tensor& speaker) const {
  const std::vector<torch::Tensor> halves = both(speaker).to(torch::kFloat32).chunk(2, /*dim=*/-1);
  const torch::Tensor factor = halves[0] + 1.0;
  return {.scale = norm.scale * factor, .shift = at::addcmul(halves[1], norm.shift, factor)};
}

Convolution3::Convolution3(ParameterSet& parameters,
                           const std::string& name,
                           std::int64_t in,
                           std::int64_t out)
    : linear(parameters, name, 3 * in, out) {}

torch::Tensor Convolution3::gelu(const torch::Tensor& x) const {
  return linear.gelu(at::cat({shifted(x, -1), x, shifted(x, 1)}, /*dim=*/-1));
}

ConvNextBlock::ConvNextBlock(ParameterSet& parameters,
                             const std::string& name,
                             std::int64_t width,
                             std::int64_t hidden,
                             std::int64_t speaker_width)
    : kernel(parameters.add(name + ".kernel", {width, kKernel}, init_std(kKernel))),
      kernel_bias(parameters.add(name + ".kernel_bias", {width}, 0.0)),
      norm(parameters, name + ".norm", width),
      wide(parameters, name + ".wide", width, hidden),
      narrow(parameters, name + ".narrow", hidden, width) {
  if (speaker_width > 0) film.emplace(parameters, name + ".voice", speaker_width, width);
}

torch::Tensor ConvNextBlock::operator()(const torch::Tensor& x,
                                        const torch::Tensor& mask,
                                        const torch::Tensor& speaker) const {
  const std::int64_t rows = x.size(0);
  const ScaleAndShift affine = film ? film->fused_with(norm, speaker)
                                    : ScaleAndShift{.scale = norm.scale.expand({rows, -1}),
                                                    .shift = norm.shift.expand({rows, -1})};
  const torch::Tensor y = depthwise_norm(x, kernel, kernel_bias, affine.scale, affine.shift);
  return narrow.add_to(x, wide.gelu(y), mask);
}

AttentionBlock::AttentionBlock(ParameterSet& parameters,
                               const std::string& name,
                               std::int64_t width,
                               std::int64_t num_heads,
                               std::int64_t hidden,
                               std::int64_t speaker_width)
    : heads(num_heads),
      attention_norm(parameters, name + ".attention_norm", width),
      query_key_value(parameters, name + ".query_key_value", width, 3 * width),
      attention_out(parameters, name + ".attention_out", width, width),
      ffn_norm(parameters, name + ".ffn_norm", width),
      film(parameters, name + ".voice", speaker_width, width),
      wide(parameters, name + ".wide", width, hidden),
      narrow(parameters, name + ".narrow", hidden, width) {}

torch::Tensor AttentionBlock::attend(const torch::Tensor& x, const torch::Tensor& mask) const {
  const std::int64_t rows = x.size(0);
  const std::int64_t length = x.size(1);
  const std::int64_t head_width = x.size(2) / heads;
  const torch::Tensor all =
      query_key_value(x).view({rows, length, 3, heads, head_width}).permute({2, 0, 3, 1, 4});
  const torch::Tensor query = apply_rotary_embedding(all[0]);  // [B, heads, T, D / heads]
  const torch::Tensor key = apply_rotary_embedding(all[1]);
  const double scale = 1.0 / std::sqrt(static_cast<double>(head_width));
  const torch::Tensor bias = ((1.0 - mask) * kMaskedScore).view({rows, 1, 1, length});
  const torch::Tensor scores = at::matmul(query, key.transpose(-1, -2)) * scale + bias;
  const torch::Tensor attention = at::softmax(scores, -1, torch::kFloat32).to(x.scalar_type());
  return at::matmul(attention, all[2]).permute({0, 2, 1, 3}).reshape({rows, length, x.size(2)});
}

torch::Tensor AttentionBlock::operator()(const torch::Tensor& x,
                                         const torch::Tensor& mask,
                                         const torch::Tensor& speaker) const {
  const torch::Tensor attended = attention_out.add_to(x, attend(attention_norm(x), mask), mask);
  const torch::Tensor y = film(ffn_norm(attended), speaker) * mask;
  return narrow.add_to(attended, wide.gelu(y), mask);
}

torch::Tensor with_neighbours(const torch::Tensor& x, std::int64_t reach) {
  return at::constant_pad_nd(x, {0, 0, reach, reach})
      .unfold(/*dimension=*/1, 2 * reach + 1, /*step=*/1)
      .transpose(2, 3)  // a view: only the padding has copied so far
      .flatten(2)
      .contiguous();
}

torch::Tensor apply_rotary_embedding(const torch::Tensor& x) {
  const std::int64_t length = x.size(2);
  const std::int64_t half = x.size(3) / 2;
  const torch::TensorOptions exact = x.options().dtype(torch::kFloat32);
  const torch::Tensor frequencies =
      at::exp(at::arange(half, exact) * (-std::log(10000.0) / static_cast<double>(half)));
  const torch::Tensor angles = at::arange(length, exact).unsqueeze(1) * frequencies;
  const torch::Tensor cosine = angles.cos().to(x.scalar_type());  // [T, D / 2]
  const torch::Tensor sine = angles.sin().to(x.scalar_type());
  const torch::Tensor first = x.narrow(-1, 0, half);
  const torch::Tensor second = x.narrow(-1, half, half);
  return at::cat({first * cosine - second * sine, first * sine + second * cosine}, -1);
}

torch::Tensor length_mask(const torch::Tensor& lengths,
                          std::int64_t positions,
                          torch::ScalarType type) {
  return (at::arange(positions, lengths.options()).unsqueeze(0) < lengths.unsqueeze(1))
      .unsqueeze(-1)
      .to(type);
}

}  // namespace myxtts::model
