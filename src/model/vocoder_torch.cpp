#include "model/vocoder_torch.h"

#include <cmath>
#include <numbers>
#include <numeric>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "audio/stft.h"
#include "model/frame_mel_spec.h"
#include "model/inverse_stft_torch.h"
#include "model/layers_torch.h"
#include "model/mel_envelope_torch.h"

namespace xtts::model {
namespace {

constexpr std::int64_t kMelReach = ConvNextBlock::kKernel / 2;  // frames on each side

// The logarithm of the largest magnitude that a sound within full scale has.
double highest_log_magnitude(const audio::MelSpec& contract) {
  const std::vector<double> window = audio::hann_window(contract.win_length);
  return std::log(std::accumulate(window.begin(), window.end(), 0.0));
}

}  // namespace

struct Vocoder::Parts {
  Parts(const config::ModelConfig& its_config,
        const audio::MelSpec& contract,
        std::uint64_t seed,
        bool with_discriminators)
      : config(its_config),
        envelope(contract),
        highest(highest_log_magnitude(contract)),
        inverse_stft(contract.n_fft, contract.win_length, contract.hop_length),
        parameters(seed),
        in(parameters,
           "vocoder.in",
           ConvNextBlock::kKernel * its_config.n_mels,
           its_config.vocoder_initial_channel),
        norm(parameters, "vocoder.norm", its_config.vocoder_initial_channel),
        magnitude(Linear::zeros(parameters,
                                "vocoder.magnitude",
                                its_config.vocoder_initial_channel,
                                contract.n_fft / 2 + 1)),
        phase(parameters,
              "vocoder.phase",
              its_config.vocoder_initial_channel,
              contract.n_fft / 2 + 1) {
    for (int i = 0; i < config.vocoder_layers; ++i) {
      blocks.emplace_back(parameters,
                          fmt::format("vocoder.{}", i),
                          config.vocoder_initial_channel,
                          config.vocoder_ffn_dim,
                          /*voice_width=*/0);
    }
    start_in_the_middle();
    if (with_discriminators) discriminators.emplace(parameters, DiscriminatorSizes{});
    parameters.flatten();
  }

  // Half a turn for every second bin: what a frame holds begins in its middle, where the window is
  // open, instead of at its ends.
  void start_in_the_middle() const {
    const torch::NoGradGuard no_grad;
    torch::Tensor bias = phase.bias;
    bias.slice(/*dim=*/0, /*start=*/1, std::nullopt, /*step=*/2).fill_(std::numbers::pi);
  }

  torch::Device device() const { return parameters.tensors().front().device(); }

  config::ModelConfig config;
  MelNormalisation scale;
  MelEnvelope envelope;
  double highest;
  InverseStft inverse_stft;
  ParameterSet parameters;
  Linear in;
  std::vector<ConvNextBlock> blocks;
  LayerNorm norm;
  Linear magnitude;  // what the blocks add to the envelope
  Linear phase;
  std::optional<WaveformDiscriminators> discriminators;
};

Vocoder::Vocoder(const config::ModelConfig& config, std::uint64_t seed, bool with_discriminators)
    : parts_(std::make_unique<Parts>(config, frame_mel_spec(config), seed, with_discriminators)) {}

Vocoder::~Vocoder() = default;

torch::Tensor Vocoder::forward(const torch::Tensor& mel, torch::ScalarType type) const {
  const Parts& parts = *parts_;
  const torch::Tensor here = mel.to(parts.device());
  const torch::Tensor normal = (here - double{parts.scale.mean}) / double{parts.scale.std};
  const torch::Tensor mask = torch::ones({1, 1, 1}, here.options().dtype(type));
  torch::Tensor x = parts.in(with_neighbours(normal.to(type), kMelReach));
  for (const ConvNextBlock& block : parts.blocks)
    x = block(x, mask, {});
  const torch::Tensor states = parts.norm(x.to(torch::kFloat32));
  return parts.inverse_stft(
      (parts.magnitude(states) + parts.envelope(here)).clamp_max(parts.highest),
      parts.phase(states));
}

std::int64_t Vocoder::context_frames() const {
  const config::ModelConfig& config = parts_->config;
  const std::int64_t seen = kMelReach + config.vocoder_layers * (ConvNextBlock::kKernel / 2);
  const std::int64_t half = config.n_fft / 2;
  const std::int64_t overlapping = (half + config.hop_length - 1) / config.hop_length - 1;
  return seen + overlapping;
}

ParameterSet& Vocoder::parameters() {
  return parts_->parameters;
}

const ParameterSet& Vocoder::parameters() const {
  return parts_->parameters;
}

MelNormalisation& Vocoder::mel_scale() {
  return parts_->scale;
}

const WaveformDiscriminators* Vocoder::discriminators() const {
  return parts_->discriminators ? &*parts_->discriminators : nullptr;
}

const config::ModelConfig& Vocoder::config() const {
  return parts_->config;
}

}  // namespace xtts::model
