#include "model/acoustic_model_torch.h"

#include <cmath>
#include <utility>

#include <ATen/CPUGeneratorImpl.h>

#include "base/error.h"
#include "model/aligner_torch.h"
#include "model/decoder_torch.h"
#include "model/heads_torch.h"
#include "model/layers_torch.h"
#include "model/length_regulator_torch.h"
#include "model/mel_discriminator_torch.h"
#include "model/speaker_encoder_torch.h"
#include "model/text_encoder_torch.h"

namespace myxtts::model {
namespace {

// Returns the sum of |a - b| over valid frames. a, b [B, L, C], mask [B, L, 1].
torch::Tensor absolute_error(const torch::Tensor& a,
                             const torch::Tensor& b,
                             const torch::Tensor& mask) {
  return ((a - b) * mask).abs().sum();
}

// Crops each row of mel [B, M, C] from its start: [B, K, C]. The last frame pads at the end.
torch::Tensor crop(const torch::Tensor& mel, const torch::Tensor& starts, std::int64_t frames) {
  const torch::Tensor index =
      (at::arange(frames, starts.options()).unsqueeze(0) + starts.unsqueeze(1))
          .clamp_max(mel.size(1) - 1)
          .unsqueeze(2);
  return mel.gather(1, index.expand({-1, -1, mel.size(2)}));
}

// Returns the mean over channels and frames of each symbol's mel: [B, T].
torch::Tensor energies_of(const torch::Tensor& mel, const FrameDurations& durations) {
  const torch::Tensor sums = reduce_by_duration(mel.mean(-1, /*keepdim=*/true), durations);
  return sums.squeeze(-1) / durations.per_symbol.clamp_min(1).to(torch::kFloat32);
}

config::ModelConfig checked(config::ModelConfig config) {
  const int head_pairs = 2 * config.text_encoder_heads;
  require_usage(head_pairs > 0 && config.text_encoder_dim % head_pairs == 0,
                "model.text_encoder_dim ({}) is not divisible by twice model.text_encoder_heads "
                "({}); rotary embeddings need heads of even width",
                config.text_encoder_dim,
                config.text_encoder_heads);
  return config;
}

}  // namespace

struct AcousticModel::Parts {
  Parts(const config::ModelConfig& model_config, std::int64_t num_symbols, std::uint64_t seed)
      : config(model_config),
        parameters(seed),
        speaker_encoder(parameters, model_config),
        text_encoder(parameters, model_config, num_symbols),
        symbol_means(parameters.add("symbol_means", {num_symbols, model_config.n_mels}, 0.0)),
        mean(Linear::zeros(parameters, "mean", model_config.text_encoder_dim, model_config.n_mels)),
        duration(parameters, "duration", model_config.text_encoder_dim),
        decoder(parameters, model_config) {
    if (config.use_energy_predictor) energy.emplace(parameters, config.text_encoder_dim);
    if (config::has_mel_discriminator(config)) discriminator.emplace(parameters, config);
    parameters.flatten();
  }

  torch::Device device() const { return parameters.tensors().front().device(); }

  torch::Tensor normalised(const torch::Tensor& mel) const {
    return (mel - double{normalisation.mean}) / double{normalisation.std};
  }

  // Returns the mean mel frame of each symbol in its context: [B, T, C] float32.
  torch::Tensor means_of(const torch::Tensor& text, const torch::Tensor& states) const {
    return at::embedding(symbol_means, text) + mean(states.to(torch::kFloat32));
  }

  torch::Tensor denormalised(const torch::Tensor& mel) const {
    return mel * double{normalisation.std} + double{normalisation.mean};
  }

  config::ModelConfig config;
  MelNormalisation normalisation;
  ParameterSet parameters;
  SpeakerEncoder speaker_encoder;
  TextEncoder text_encoder;
  torch::Tensor symbol_means;  // [S, C]
  Linear mean;                 // context-dependent offset of symbol_means
  SymbolHead duration;
  std::optional<EnergyHead> energy;
  Decoder decoder;
  std::optional<MelDiscriminator> discriminator;
};

AcousticModel::AcousticModel(const config::ModelConfig& config,
                             std::int64_t num_symbols,
                             std::uint64_t seed)
    : parts_(std::make_unique<Parts>(checked(config), num_symbols, seed)) {}

AcousticModel::~AcousticModel() = default;

torch::Tensor AcousticModel::embed_speaker(const torch::Tensor& reference,
                                           torch::ScalarType type) const {
  const torch::Tensor here = reference.to(parts_->device());
  return parts_->speaker_encoder(parts_->normalised(here).to(type)).to(torch::kFloat32);
}

ForwardResult AcousticModel::forward(const Inputs& given,
                                     const ForwardSettings& settings,
                                     const std::optional<torch::Tensor>& durations) const {
  const Parts& parts = *parts_;
  const Inputs inputs = moved_to(given, parts.device());
  const torch::Tensor mel = parts.normalised(inputs.mel);
  const torch::Tensor text_mask =
      length_mask(inputs.text_lengths, inputs.text.size(1), torch::kFloat32);
  const torch::Tensor mel_mask = length_mask(inputs.mel_lengths, mel.size(1), torch::kFloat32);
  const torch::Tensor speaker =
      parts.speaker_encoder(parts.normalised(inputs.reference).to(settings.type));

  const double dropout = settings.training ? parts.config.dropout_rate : 0.0;
  Symbols symbols{
      .states = parts.text_encoder(inputs.text, text_mask.to(settings.type), speaker, dropout),
      .means = {},
      .durations = {}};
  symbols.means = parts.means_of(inputs.text, symbols.states);
  symbols.durations = durations ? *durations
                                : search_durations(symbols.means.detach(),
                                                   mel,
                                                   inputs.text_lengths,
                                                   inputs.mel_lengths,
                                                   settings.diagonal);

  ForwardResult result;
  result.durations = symbols.durations;
  const torch::Tensor no_starts = torch::zeros_like(inputs.crop_starts);
  const FrameDurations frame_durations{.per_symbol = symbols.durations, .starts = no_starts};
  result.sums.prior = absolute_error(
      mel, expand_by_duration(symbols.means, frame_durations, mel.size(1)), mel_mask);

  const torch::Tensor detached = symbols.states.detach();
  const torch::Tensor flat_mask = text_mask.squeeze(-1);
  const torch::Tensor target = symbols.durations.clamp_min(1).to(torch::kFloat32).log();
  result.sums.duration =
      ((parts.duration(detached, text_mask) - target) * flat_mask).square().sum();
  if (parts.energy) {
    const torch::Tensor energies = energies_of(mel, frame_durations);
    result.sums.energy =
        ((parts.energy->predict(detached, text_mask) - energies) * flat_mask).square().sum();
    symbols.states = symbols.states + parts.energy->embed(energies, settings.type);
  }

  const std::int64_t crop_frames = parts.config.decoder_crop_frames;
  const bool crops = crop_frames > 0 && crop_frames < mel.size(1);
  const torch::Tensor starts = crops ? inputs.crop_starts : no_starts;
  const torch::Tensor recorded = crops ? crop(mel, starts, crop_frames) : mel;
  const torch::Tensor mask =
      crops ? length_mask(inputs.mel_lengths - starts, crop_frames, torch::kFloat32) : mel_mask;
  const torch::Tensor predicted =
      parts.decoder.predict(frames_of(symbols, starts, mask), speaker, recorded, settings.training);
  result.sums.mel = absolute_error(recorded, predicted, mask);
  if (parts.discriminator && settings.training) {
    const AdversarialSums sums =
        parts.discriminator->adversarial_sums(recorded, predicted, mask, settings.type);
    result.sums.discriminator = sums.discriminator;
    result.sums.generator = sums.generator;
    result.sums.feature_matching = sums.feature_matching;
  }
  result.mel = parts.denormalised(predicted.detach());
  return result;
}

InferenceResult AcousticModel::infer(const torch::Tensor& text,
                                     const torch::Tensor& speaker,
                                     const InferenceSettings& settings) const {
  const Parts& parts = *parts_;
  const torch::ScalarType type = settings.type;
  const torch::Tensor row = text.to(parts.device()).unsqueeze(0);
  const torch::Tensor speakers = speaker.to(parts.device()).unsqueeze(0).to(type);
  const torch::TensorOptions exact = speakers.options().dtype(torch::kFloat32);
  const torch::Tensor text_mask = torch::ones({1, text.size(0), 1}, exact);
  Symbols symbols{.states = parts.text_encoder(row, text_mask.to(type), speakers, /*dropout=*/0.0),
                  .means = {},
                  .durations = {}};
  symbols.means = parts.means_of(row, symbols.states);
  symbols.durations =
      settings.durations.defined()
          ? settings.durations.to(parts.device()).unsqueeze(0)
          : inference_durations(parts.duration(symbols.states, text_mask), settings.speed);
  if (parts.energy) {
    symbols.states = symbols.states +
                     parts.energy->embed(parts.energy->predict(symbols.states, text_mask), type);
  }
  const std::int64_t num_frames = symbols.durations.sum().item<std::int64_t>();
  const torch::Tensor mask = torch::ones({1, num_frames, 1}, exact);
  const torch::Tensor starts = torch::zeros({1}, row.options());
  torch::Tensor noise;
  if (parts.decoder.is_flow()) {
    at::Generator generator = at::detail::createCPUGenerator(settings.seed);
    noise = torch::randn({1, num_frames, parts.config.n_mels}, generator).to(parts.device());
  }
  const Frames frames = frames_of(symbols, starts, mask);
  return {.mel = parts.denormalised(parts.decoder.infer(frames, speakers, noise)).squeeze(0),
          .durations = symbols.durations.squeeze(0)};
}

void AcousticModel::set_symbol_means(std::span<const float> means) {
  const torch::NoGradGuard no_grad;
  torch::Tensor& table = parts_->symbol_means;
  invariant(std::ssize(means) == table.numel(), "one mean frame per symbol");
  table.copy_(torch::tensor(at::ArrayRef<float>(means.data(), means.size())).view_as(table));
}

ParameterSet& AcousticModel::parameters() {
  return parts_->parameters;
}

const ParameterSet& AcousticModel::parameters() const {
  return parts_->parameters;
}

MelNormalisation& AcousticModel::mel_normalisation() {
  return parts_->normalisation;
}

const config::ModelConfig& AcousticModel::config() const {
  return parts_->config;
}

}  // namespace myxtts::model
