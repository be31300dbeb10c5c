#include "model/decoder_torch.h"

#include <numbers>

#include <fmt/format.h>

#include "model/length_regulator_torch.h"

namespace myxtts::model {
namespace {

constexpr std::int64_t kFrameFeatures = 2;  // relative position in the symbol, log duration
constexpr std::int64_t kTimeFrequencies = 8;
constexpr double kNoiseStd = 0.5;  // flow noise around the means, about as wide as the data

std::int64_t num_features(const config::ModelConfig& config) {
  const std::int64_t point = config.decoder == "flow" ? config.n_mels : 0;
  return config.text_encoder_dim + config.n_mels + kFrameFeatures + point;
}

// Sinusoidal embedding of the flow time: [B] -> [B, 2 * kTimeFrequencies].
torch::Tensor time_embedding(const torch::Tensor& time) {
  const torch::Tensor frequencies =
      at::exp2(at::arange(kTimeFrequencies, time.options())) * (0.5 * std::numbers::pi);
  const torch::Tensor angles = time.unsqueeze(1) * frequencies.unsqueeze(0);
  return at::cat({angles.sin(), angles.cos()}, 1);
}

}  // namespace

Frames frames_of(const Symbols& symbols, const torch::Tensor& starts, const torch::Tensor& mask) {
  const torch::ScalarType type = symbols.states.scalar_type();
  const std::int64_t num_frames = mask.size(1);
  const FrameDurations durations{.per_symbol = symbols.durations, .starts = starts};
  const torch::Tensor lengths = symbols.durations.to(torch::kFloat32).unsqueeze(2);  // [B, T, 1]
  const torch::Tensor begins = lengths.cumsum(1) - lengths;
  const torch::Tensor expanded =
      expand_by_duration(at::cat({lengths, begins}, -1), durations, num_frames);
  const torch::Tensor indices =
      (at::arange(num_frames, starts.options()).unsqueeze(0) + starts.unsqueeze(1))
          .to(torch::kFloat32)
          .unsqueeze(2);
  const torch::Tensor length = expanded.narrow(2, 0, 1).clamp_min(1.0);  // [B, K, 1]
  const torch::Tensor position = (indices + 0.5 - expanded.narrow(2, 1, 1)) / length;

  const torch::Tensor means = expand_by_duration(symbols.means, durations, num_frames);
  return {.features = at::cat({expand_by_duration(symbols.states, durations, num_frames),
                               means.to(type),
                               position.to(type),
                               length.log().to(type)},
                              -1),
          .means = means,
          .mask = mask.to(type)};
}

Decoder::Decoder(ParameterSet& parameters, const config::ModelConfig& config)
    : num_steps_(config.decoder == "flow" ? config.decoder_steps : 0),
      in_(parameters, "decoder.in", num_features(config), config.decoder_dim),
      norm_(parameters, "decoder.norm", config.decoder_dim),
      out_(Linear::zeros(parameters, "decoder.out", config.decoder_dim, config.n_mels)) {
  for (int i = 0; i < config.decoder_layers; ++i) {
    blocks_.emplace_back(parameters,
                         fmt::format("decoder.{}", i),
                         config.decoder_dim,
                         config.decoder_ffn_dim,
                         config.speaker_embedding_dim);
  }
  if (!is_flow()) return;
  const std::int64_t width = config.speaker_embedding_dim;
  time_in_.emplace(parameters, "decoder.time_in", 2 * kTimeFrequencies, width);
  time_out_.emplace(parameters, "decoder.time_out", width, width);
}

// The time embedding is added to the speaker embedding, so it scales and shifts every block (FiLM).
torch::Tensor Decoder::pass(const Frames& frames,
                            const torch::Tensor& speaker,
                            const torch::Tensor& point,
                            const torch::Tensor& time) const {
  const torch::ScalarType type = frames.features.scalar_type();
  torch::Tensor features = frames.features;
  torch::Tensor condition = speaker;
  if (is_flow()) {
    features = at::cat({features, point.to(type)}, -1);
    condition = speaker + (*time_out_)(time_in_->gelu(time_embedding(time).to(type)));
  }
  torch::Tensor x = in_(features) * frames.mask;
  for (const ConvNextBlock& block : blocks_)
    x = block(x, frames.mask, condition);
  return frames.means + out_(norm_(x)).to(torch::kFloat32);
}

torch::Tensor Decoder::predict(const Frames& frames,
                               const torch::Tensor& speaker,
                               const torch::Tensor& recorded,
                               bool training) const {
  if (!is_flow()) return pass(frames, speaker, {}, {});
  const torch::Tensor end = recorded - frames.means.detach();
  const std::vector<std::int64_t> rows = {end.size(0)};
  if (!training)
    return pass(frames, speaker, torch::zeros_like(end), torch::zeros(rows, end.options()));
  const torch::Tensor time = torch::rand(rows, end.options());
  const torch::Tensor share = time.view({-1, 1, 1});
  const torch::Tensor noise = torch::randn_like(end) * kNoiseStd;
  return pass(frames, speaker, (1.0 - share) * noise + share * end, time);
}

torch::Tensor Decoder::infer(const Frames& frames,
                             const torch::Tensor& speaker,
                             const torch::Tensor& noise) const {
  if (!is_flow()) return pass(frames, speaker, {}, {});
  torch::Tensor point = noise * kNoiseStd;
  for (int step = 0; true; ++step) {
    const double time = static_cast<double>(step) / num_steps_;
    const torch::Tensor times = torch::full({point.size(0)}, time, point.options());
    const torch::Tensor end = pass(frames, speaker, point, times) - frames.means;
    if (step + 1 == num_steps_) return frames.means + end;
    point = point + (end - point) / (num_steps_ - step);
  }
}

}  // namespace myxtts::model
