#include "model/mel_discriminator_torch.h"

#include <array>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "model/waveform_discriminators_torch.h"

namespace myxtts::model {
namespace {

constexpr std::size_t kStridedLayers = 3;                           // each halves time and channels
constexpr double kElementsPerPosition = 1U << 2U * kStridedLayers;  // mel elements per output
constexpr double kMelLeakySlope = 0.2;
constexpr double kMelFeatureEpsilon = 1e-6;  // avoids 0 / 0 for a row without frames

struct LayerSizes {
  std::int64_t in, out, time, channels;
};

std::array<LayerSizes, kStridedLayers + 1> sizes_of(std::int64_t width) {
  return {{{1, width, 3, 5},
           {width, 2 * width, 3, 3},
           {2 * width, 4 * width, 3, 3},
           {4 * width, 1, 3, 3}}};
}

// Mask after a layer with stride 2: position p is valid if input position 2 p is. [B, 1, P, 1]
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
        fmt::format("{}mel.{}", WaveformDiscriminators::kPrefix, kernels_.size());
    const auto fan_in = static_cast<double>(layer.in * layer.time * layer.channels);
    kernels_.push_back(parameters.add(name + ".kernel",
                                      {layer.out, layer.in, layer.time, layer.channels},
                                      std::sqrt(2.0 / fan_in)));
    biases_.push_back(parameters.add(name + ".bias", {layer.out}, 0.0));
  }
}

std::vector<torch::Tensor> MelDiscriminator::layers_of(const torch::Tensor& mel,
                                                       const std::vector<torch::Tensor>& masks,
                                                       bool frozen) const {
  std::vector<torch::Tensor> layers;
  torch::Tensor x = mel;
  for (std::size_t i = 0; i < kernels_.size(); ++i) {
    const torch::Tensor kernel = frozen ? kernels_[i].detach() : kernels_[i];
    const torch::Tensor bias = frozen ? biases_[i].detach() : biases_[i];
    const bool is_last = i + 1 == kernels_.size();
    x = at::conv2d(x,
                   kernel.to(x.scalar_type()),
                   bias.to(x.scalar_type()),
                   /*stride=*/is_last ? 1 : 2,
                   /*padding=*/at::IntArrayRef({kernel.size(2) / 2, kernel.size(3) / 2}));
    if (!is_last) x = at::leaky_relu(x, kMelLeakySlope) * masks[i];
    layers.push_back(x);
  }
  return layers;
}

AdversarialSums MelDiscriminator::adversarial_sums(const torch::Tensor& recorded,
                                                   const torch::Tensor& decoded,
                                                   const torch::Tensor& mask,
                                                   torch::ScalarType type) const {
  const torch::Tensor input_mask = mask.unsqueeze(1);  // [B, 1, K, 1]
  std::vector<torch::Tensor> masks = {halved(input_mask).to(type)};
  while (masks.size() < kStridedLayers)
    masks.push_back(halved(masks.back()));
  const auto as_image = [&](const torch::Tensor& mel) {
    return (mel.unsqueeze(1) * input_mask).to(type);
  };
  const torch::Tensor fake = as_image(decoded);
  const std::vector<torch::Tensor> real = layers_of(as_image(recorded), masks, /*frozen=*/false);
  const std::vector<torch::Tensor> detached = layers_of(fake.detach(), masks, /*frozen=*/false);
  const std::vector<torch::Tensor> generated = layers_of(fake, masks, /*frozen=*/true);

  const torch::Tensor last = masks.back().to(torch::kFloat32);
  const auto distance = [&](const torch::Tensor& scores, double target) {
    return ((scores.to(torch::kFloat32) - target) * last).square().sum() * kElementsPerPosition;
  };
  AdversarialSums sums{.discriminator = distance(real.back(), 1.0) + distance(detached.back(), 0.0),
                       .generator = distance(generated.back(), 1.0),
                       .feature_matching = {}};
  for (std::size_t i = 0; i < kStridedLayers; ++i) {
    const torch::Tensor target = real[i].detach().to(torch::kFloat32);
    const torch::Tensor differences = row_sums((generated[i].to(torch::kFloat32) - target).abs());
    const torch::Tensor shares = differences / (row_sums(target.abs()) + kMelFeatureEpsilon);
    sums.feature_matching = i == 0 ? shares.sum() : sums.feature_matching + shares.sum();
  }
  return sums;
}

}  // namespace myxtts::model
