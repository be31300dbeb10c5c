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

namespace myxtts::model {
namespace {

constexpr std::int64_t kMelReach = ConvNextBlock::kKernel / 2;  // frames on each side

// Returns the log of the largest magnitude of a full-scale signal.
double max_log_magnitude(const audio::MelSpec& spec) {
  const std::vector<double> window = audio::hann_window(spec.win_length);
  return std::log(std::accumulate(window.begin(), window.end(), 0.0));
}

}  // namespace

struct Vocoder::Parts {
  Parts(const config::ModelConfig& model_config,
        const audio::MelSpec& spec,
        std::uint64_t seed,
        bool with_discriminators)
      : config(model_config),
        envelope(spec),
        max_magnitude(max_log_magnitude(spec)),
        inverse_stft(spec.n_fft, spec.win_length, spec.hop_length),
        parameters(seed),
        in(parameters,
           "vocoder.in",
           ConvNextBlock::kKernel * model_config.n_mels,
           model_config.vocoder_initial_channel),
        norm(parameters, "vocoder.norm", model_config.vocoder_initial_channel),
        magnitude(Linear::zeros(parameters,
                                "vocoder.magnitude",
                                model_config.vocoder_initial_channel,
                                spec.n_fft / 2 + 1)),
        phase(
            parameters, "vocoder.phase", model_config.vocoder_initial_channel, spec.n_fft / 2 + 1) {
    for (int i = 0; i < config.vocoder_layers; ++i) {
      blocks.emplace_back(parameters,
                          fmt::format("vocoder.{}", i),
                          config.vocoder_initial_channel,
                          config.vocoder_ffn_dim,
                          /*speaker_width=*/0);
    }
    centre_initial_phase();
    if (with_discriminators) discriminators.emplace(parameters, DiscriminatorSizes{});
    parameters.flatten();
  }

  // Initialises the phase of every second bin with pi, so that an untrained frame has its energy in
  // the middle of the window instead of at its ends.
  void centre_initial_phase() const {
    const torch::NoGradGuard no_grad;
    torch::Tensor bias = phase.bias;
    bias.slice(/*dim=*/0, /*start=*/1, std::nullopt, /*step=*/2).fill_(std::numbers::pi);
  }

  torch::Device device() const { return parameters.tensors().front().device(); }

  config::ModelConfig config;
  MelNormalisation normalisation;
  MelEnvelope envelope;
  double max_magnitude;  // natural log
  InverseStft inverse_stft;
  ParameterSet parameters;
  Linear in;
  std::vector<ConvNextBlock> blocks;
  LayerNorm norm;
  Linear magnitude;  // log magnitude relative to the envelope
  Linear phase;
  std::optional<WaveformDiscriminators> discriminators;
};

Vocoder::Vocoder(const config::ModelConfig& config, std::uint64_t seed, bool with_discriminators)
    : parts_(std::make_unique<Parts>(config, frame_mel_spec(config), seed, with_discriminators)) {}

Vocoder::~Vocoder() = default;

torch::Tensor Vocoder::forward(const torch::Tensor& mel, torch::ScalarType type) const {
  const Parts& parts = *parts_;
  const MelNormalisation& normalisation = parts.normalisation;
  const torch::Tensor here = mel.to(parts.device());
  const torch::Tensor normalised = (here - double{normalisation.mean}) / double{normalisation.std};
  const torch::Tensor mask = torch::ones({1, 1, 1}, here.options().dtype(type));
  torch::Tensor x = parts.in(with_neighbours(normalised.to(type), kMelReach));
  for (const ConvNextBlock& block : parts.blocks)
    x = block(x, mask, {});
  const torch::Tensor states = parts.norm(x.to(torch::kFloat32));
  return parts.inverse_stft(
      (parts.magnitude(states) + parts.envelope(here)).clamp_max(parts.max_magnitude),
      parts.phase(states));
}

std::int64_t Vocoder::context_frames() const {
  const config::ModelConfig& config = parts_->config;
  const std::int64_t receptive = kMelReach + config.vocoder_layers * (ConvNextBlock::kKernel / 2);
  const std::int64_t half = config.n_fft / 2;
  const std::int64_t overlapping = (half + config.hop_length - 1) / config.hop_length - 1;
  return receptive + overlapping;
}

ParameterSet& Vocoder::parameters() {
  return parts_->parameters;
}

const ParameterSet& Vocoder::parameters() const {
  return parts_->parameters;
}

MelNormalisation& Vocoder::mel_normalisation() {
  return parts_->normalisation;
}

const WaveformDiscriminators* Vocoder::discriminators() const {
  return parts_->discriminators ? &*parts_->discriminators : nullptr;
}

const config::ModelConfig& Vocoder::config() const {
  return parts_->config;
}

}  // namespace myxtts::model
