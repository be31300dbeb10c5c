#include "train/run_parts_torch.h"

#include <algorithm>
#include <cmath>

#include <ATen/Context.h>

#include "base/error.h"
#include "base/random.h"
#include "base/version.h"
#include "checkpoint/checkpoint_metadata.h"
#include "checkpoint/tensors_torch.h"
#include "model/flat_start.h"
#include "step/acoustic_objective_torch.h"
#include "step/vocoder_objective_torch.h"

namespace myxtts::train {
namespace {

constexpr const char* kFirstMoment = "optimizer.first_moment";
constexpr const char* kSecondMoment = "optimizer.second_moment";
constexpr const char* kCount = "optimizer.count";

// Each device type has its own generator.
std::string generator_name(const torch::Device& device) {
  return device.is_cuda() ? "generator.cuda" : "generator.cpu";
}

model::ParameterSet& placed(model::ParameterSet& parameters, const torch::Device& device) {
  if (!device.is_cpu()) parameters.move_to(device);
  return parameters;
}

std::uint64_t weights_seed(const config::Config& config) {
  return base::mix_seed(static_cast<std::uint64_t>(config.training.seed), "weights");
}

std::unique_ptr<const step::Objective> objective_of(model::AcousticModel* voice,
                                                    model::Vocoder* vocoder,
                                                    const config::TrainingConfig& training) {
  if (voice != nullptr) return std::make_unique<step::AcousticObjective>(*voice, training);
  return std::make_unique<step::VocoderObjective>(*vocoder, training);
}

bool has_discriminators(const std::vector<std::string>& names) {
  return !names.empty() && names.back().starts_with(model::WaveformDiscriminators::kPrefix);
}

bool has_discriminators(const checkpoint::TensorFile& file) {
  return std::ranges::any_of(file.tensors, [](const checkpoint::TensorView& tensor) {
    return tensor.name.starts_with(model::WaveformDiscriminators::kPrefix);
  });
}

// Returns the discriminators' part of a flat buffer [N], at its end. Empty without discriminators.
torch::Tensor discriminators_in(const model::ParameterSet& parameters, const torch::Tensor& flat) {
  std::int64_t begin = 0;
  for (std::size_t i = 0; i < parameters.names().size(); ++i) {
    if (!parameters.names()[i].starts_with(model::WaveformDiscriminators::kPrefix))
      begin += parameters.tensors()[i].numel();
  }
  return flat.narrow(0, begin, flat.numel() - begin);
}

torch::Tensor discriminators_of(model::ParameterSet& parameters) {
  if (!has_discriminators(parameters.names())) return {};
  return discriminators_in(parameters, parameters.values()).clone();
}

// Restores one of the optimiser's moments [N]. With `drops_discriminators`, the moment in the
// checkpoint is longer: it ends with the discriminators.
void restore_moment(const checkpoint::LoadedCheckpoint& loaded,
                    const char* name,
                    bool drops_discriminators,
                    torch::Tensor& moment) {
  if (drops_discriminators) {
    moment.copy_(checkpoint::tensor_of(loaded.trainer, name).narrow(0, 0, moment.numel()));
  } else {
    checkpoint::copy_into(loaded.trainer.at(name), moment);
  }
}

// Restores the optimiser. If the run has discriminators and the checkpoint has none, the moments
// and the step count restart at zero for all parameters: with the old count and zero moments, the
// discriminators would take steps of many times the learning rate. The discriminators and their EMA
// restart from the initial weights, because those of a run that rolls back have diverged.
void restore_optimizer(const checkpoint::LoadedCheckpoint& loaded, RunParts& parts) {
  const bool was_adversarial = has_discriminators(loaded.model);
  const bool is_adversarial = has_discriminators(parts.parameters().names());
  if (is_adversarial && !was_adversarial) {
    for (torch::Tensor* one :
         {&parts.optimizer.first_moment, &parts.optimizer.second_moment, &parts.optimizer.count})
      one->zero_();
    discriminators_in(parts.parameters(), parts.parameters().values())
        .copy_(parts.initial_discriminators);
    if (parts.optimizer.ema.defined()) {
      discriminators_in(parts.parameters(), parts.optimizer.ema)
          .copy_(parts.initial_discriminators);
    }
    return;
  }
  const bool drops_discriminators = was_adversarial && !is_adversarial;
  restore_moment(loaded, kFirstMoment, drops_discriminators, parts.optimizer.first_moment);
  restore_moment(loaded, kSecondMoment, drops_discriminators, parts.optimizer.second_moment);
  checkpoint::copy_into(loaded.trainer.at(kCount), parts.optimizer.count);
}

}  // namespace

torch::Device training_device(const config::TrainingConfig& training) {
  if (training.device == "auto" || training.device == "cpu") return torch::kCPU;
  const torch::Device device(training.device);
  return device.has_index() ? device : torch::Device(device.type(), 0);
}

RunParts::RunParts(const config::Config& config, std::int64_t vocabulary_size, Task task)
    : num_symbols(vocabulary_size),
      device(training_device(config.training)),
      voice(task == Task::kVoice ? std::make_unique<model::AcousticModel>(
                                       config.model, vocabulary_size, weights_seed(config))
                                 : nullptr),
      vocoder(task == Task::kVocoder
                  ? std::make_unique<model::Vocoder>(config.model,
                                                     weights_seed(config),
                                                     config.training.vocoder_adversarial_weight > 0)
                  : nullptr),
      objective(objective_of(voice.get(), vocoder.get(), config.training)),
      optimizer(placed(objective->parameters(), device), config.training),
      initial_discriminators(discriminators_of(objective->parameters())) {}

model::MelNormalisation& RunParts::mel_normalisation() const {
  return voice ? voice->mel_normalisation() : vocoder->mel_normalisation();
}

model::MelNormalisation mel_normalisation_of(const data::FeatureSet& features) {
  double count = 0.0;
  double sum = 0.0;
  double squares = 0.0;
  for (const data::Features& one : features.utterances) {
    sum += one.moments.sum;
    squares += one.moments.squares;
    count += static_cast<double>(one.num_frames * features.n_mels);
  }
  const double mean = sum / count;
  const double variance = std::max(squares / count - mean * mean, 1e-6);
  return {.mean = static_cast<float>(mean), .std = static_cast<float>(std::sqrt(variance))};
}

void start_alignment(RunParts& parts,
                     const data::FeatureSet& features,
                     int num_workers,
                     data::UnreadableUtterances& unreadable) {
  if (!parts.voice) return;
  const model::MelNormalisation& scale = parts.mel_normalisation();
  parts.voice->set_symbol_means(model::flat_start(features,
                                                  {.num_symbols = parts.num_symbols,
                                                   .mel_mean = scale.mean,
                                                   .mel_std = scale.std,
                                                   .num_workers = num_workers},
                                                  unreadable));
  parts.optimizer.restart_ema();
}

torch::Tensor speaker_means(RunParts& parts, const std::vector<torch::Tensor>& clips) {
  if (!parts.voice) return {};
  const torch::NoGradGuard no_grad;
  const step::EmaWeights ema(parts.parameters(), parts.optimizer);
  std::vector<torch::Tensor> means;
  means.reserve(clips.size());
  for (const torch::Tensor& speaker_clips : clips)
    means.push_back(parts.voice->embed_speaker(speaker_clips, torch::kFloat32).mean(0));
  return at::stack(means).cpu().contiguous();
}

void write_checkpoint(checkpoint::CheckpointStore& store,
                      RunParts& parts,
                      const RunMetadata& metadata,
                      const data::FeatureSet& features,
                      const torch::Tensor& speakers) {
  const model::MelNormalisation& scale = parts.mel_normalisation();
  const torch::Tensor generator = at::globalContext().defaultGenerator(parts.device).get_state();
  // Copies tensors that are on another device.
  const torch::Tensor values = parts.parameters().values().cpu();
  const torch::Tensor& average = parts.optimizer.ema;
  const torch::Tensor ema_on_cpu = average.defined() ? average.cpu() : average;
  const torch::Tensor first_moment = parts.optimizer.first_moment.cpu();
  const torch::Tensor second_moment = parts.optimizer.second_moment.cpu();
  const torch::Tensor count = parts.optimizer.count.cpu();
  checkpoint::CheckpointContent content;
  content.step = parts.state.step;
  content.model = checkpoint::weight_views(parts.parameters(), values, ema_on_cpu);
  if (speakers.defined()) content.model.push_back(checkpoint::view_of("speakers.mean", speakers));
  content.trainer = {checkpoint::view_of(kFirstMoment, first_moment),
                     checkpoint::view_of(kSecondMoment, second_moment),
                     checkpoint::view_of(kCount, count),
                     checkpoint::view_of(generator_name(parts.device), generator)};
  content.config_json =
      checkpoint::to_json_text({.kind = kind_of(metadata.task),
                                .program_version = base::version(),
                                .step = parts.state.step,
                                .speakers = features.speakers,
                                .mel_spec_fingerprint = audio::mel_fingerprint(metadata.mel_spec),
                                .symbols = metadata.symbols,
                                .config_yaml = metadata.config_yaml,
                                .mel_mean = scale.mean,
                                .mel_std = scale.std,
                                .precision = metadata.precision,
                                .threads = metadata.threads,
                                .state_json = to_json_text(parts.state)});
  store.write(content);
}

void restore(const checkpoint::LoadedCheckpoint& loaded,
             RunParts& parts,
             const RunMetadata& metadata) {
  const std::string source = loaded.folder.string();
  const checkpoint::CheckpointMetadata saved =
      checkpoint::parse_checkpoint_metadata(loaded.config_json, source + "/config.json");
  require(saved.kind == kind_of(metadata.task),
          "{} is the checkpoint of a {}, not of a {}: use another --checkpoint-dir",
          source,
          saved.kind,
          kind_of(metadata.task));
  require(saved.mel_spec_fingerprint == audio::mel_fingerprint(metadata.mel_spec),
          "{} was trained on other mels (mel spec {}, now {}): use the audio settings of its "
          "config.yaml, or restart with --reset-training",
          source,
          saved.mel_spec_fingerprint.substr(0, 12),
          audio::mel_fingerprint(metadata.mel_spec).substr(0, 12));
  require(
      saved.symbols == metadata.symbols,
      "{} was trained with another symbol table: use the program version that wrote it ({}), or "
      "restart with --reset-training",
      source,
      saved.program_version);
  // A checkpoint from before the adversarial stage has no discriminators.
  constexpr const char* kOptionalPrefix = model::WaveformDiscriminators::kPrefix;
  checkpoint::load_weights(loaded.model, parts.parameters(), /*use_ema=*/false, kOptionalPrefix);
  if (parts.optimizer.ema.defined()) {
    checkpoint::load_ema(loaded.model, parts.parameters(), parts.optimizer.ema, kOptionalPrefix);
  }
  restore_optimizer(loaded, parts);
  // A checkpoint from another device type has no state for this generator, which then keeps its
  // state.
  const std::string generator_state = generator_name(parts.device);
  if (loaded.trainer.find(generator_state) != nullptr) {
    at::Generator generator = at::globalContext().defaultGenerator(parts.device);
    generator.set_state(checkpoint::tensor_of(loaded.trainer, generator_state));
  }
  parts.mel_normalisation() = {.mean = static_cast<float>(saved.mel_mean),
                               .std = static_cast<float>(saved.mel_std)};
  parts.state = parse_train_state(saved.state_json, source + "/config.json");
}

std::uint64_t checkpoint_bytes(const RunParts& parts) {
  const auto weights = static_cast<std::uint64_t>(parts.parameters().num_elements()) * 4;
  constexpr std::uint64_t kRest = 4U << 20U;  // headers, configuration, generator, speakers
  return weights * (parts.optimizer.ema.defined() ? 4 : 3) + kRest;
}

}  // namespace myxtts::train
