#include "model/mel_discriminator_torch.h"

#include <array>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "model/waveform_discriminators_torch.h"

namespace xtts::model {
namespace {

constexpr std::size_t kStridedLayers = 3;                           // each halves time and channels
constexpr double kElementsPerPosition = 1U << 2U * kStridedLayers;  // of the mel
constexpr double kCriticLeak = 0.2;
constexpr double kTiny = 1e-6;  // of a row without frames

struct LayerSizes {
  std::int64_t in, out, time, channels;
};

std::array<LayerSizes, kStridedLayers + 1> sizes_of(std::int64_t width) {
  return {{{1, width, 3, 5},
           {width, 2 * width, 3, 3},
           {2 * width, 4 * width, 3, 3},
           {4 * width, 1, 3, 3}}};
}

// Of a layer with stride 2: position p is valid if position 2 p before it is. [B, 1, P, 1]
torch::Tensor halved(const torch::Tensor& mask) {
  return mask.slice(/*dim=*/2, /*start=*/0, /*end=*/std::nullopt, /*step=*/2);
}

torch::Tensor row_sums(const torch::Tensor& values) {
  return values.flatten(1).sum(1);
}

}  // namespace

MelDiscriminator::MelDiscriminator(ParameterSet& parameters, const config::ModelConfig& config) {
  for (const LayerSizes& layer : sizes_of(config.mel_discriminator_channels)) {
    const std::string name =
        fmt::format("{}critic.{}", WaveformDiscriminators::kPrefix, kernels_.size());
    const auto fan_in = static_cast<double>(layer.in * layer.time * layer.channels);
    kernels_.push_back(parameters.add(name + ".kernel",
                                      {layer.out, layer.in, layer.time, layer.channels},
                                      std::sqrt(2.0 / fan_in)));
    biases_.push_back(parameters.add(name + ".bias", {layer.out}, 0.0));
  }
}

std::vector<torch::Tensor> MelDiscriminator::layers_of(const torch::Tensor& mel,
                                                       const std::vector<torch::Tensor>& masks,
                                                       bool learns) const {
  std::vector<torch::Tensor> layers;
  torch::Tensor x = mel;
  for (std::size_t i = 0; i < kernels_.size(); ++i) {
    const torch::Tensor kernel = learns ? kernels_[i] : kernels_[i].detach();
    const torch::Tensor bias = learns ? biases_[i] : biases_[i].detach();
    const bool is_last = i + 1 == kernels_.size();
    x = at::conv2d(x,
                   kernel.to(x.scalar_type()),
                   bias.to(x.scalar_type()),
                   /*stride=*/is_last ? 1 : 2,
                   /*padding=*/at::IntArrayRef({kernel.size(2) / 2, kernel.size(3) / 2}));
    if (!is_last) x = at::leaky_relu(x, kCriticLeak) * masks[i];
    layers.push_back(x);
  }
  return layers;
}

AdversarialSums MelDiscriminator::contest(const torch::Tensor& recorded,
                                          const torch::Tensor& decoded,
                                          const torch::Tensor& mask,
                                          torch::ScalarType type) const {
  const torch::Tensor whole = mask.unsqueeze(1);  // [B, 1, K, 1]
  std::vector<torch::Tensor> masks = {halved(whole).to(type)};
  while (masks.size() < kStridedLayers)
    masks.push_back(halved(masks.back()));
  const auto as_picture = [&](const torch::Tensor& mel) {
    return (mel.unsqueeze(1) * whole).to(type);
  };
  const torch::Tensor made = as_picture(decoded);
  const std::vector<torch::Tensor> real = layers_of(as_picture(recorded), masks, /*learns=*/true);
  const std::vector<torch::Tensor> caught = layers_of(made.detach(), masks, /*learns=*/true);
  const std::vector<torch::Tensor> told = layers_of(made, masks, /*learns=*/false);

  const torch::Tensor last = masks.back().to(torch::kFloat32);
  const auto distance = [&](const torch::Tensor& answers, double wanted) {
    return ((answers.to(torch::kFloat32) - wanted) * last).square().sum() * kElementsPerPosition;
  };
  AdversarialSums sums{.telling = distance(real.back(), 1.0) + distance(caught.back(), 0.0),
                       .fooling = distance(told.back(), 1.0),
                       .features = {}};
  for (std::size_t i = 0; i < kStridedLayers; ++i) {
    const torch::Tensor wanted = real[i].detach().to(torch::kFloat32);
    const torch::Tensor differences = row_sums((told[i].to(torch::kFloat32) - wanted).abs());
    const torch::Tensor shares = differences / (row_sums(wanted.abs()) + kTiny);
    sums.features = i == 0 ? shares.sum() : sums.features + shares.sum();
  }
  return sums;
}

}  // namespace xtts::model
