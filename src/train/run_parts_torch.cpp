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

namespace xtts::train {
namespace {

constexpr const char* kFirst = "optimizer.first_moment";
constexpr const char* kSecond = "optimizer.second_moment";
constexpr const char* kCount = "optimizer.count";

// Each device has a generator of its own.
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

// The discriminators' share of a flat buffer [N]: its end. Nothing without them.
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

// One of the optimiser's moments [N]. That of a save with discriminators has more, at its end, than
// that of a run without them.
void restore_moment(const checkpoint::LoadedCheckpoint& save,
                    const char* name,
                    bool some_leave,
                    torch::Tensor& moment) {
  if (some_leave) {
    moment.copy_(checkpoint::tensor_of(save.trainer, name).narrow(0, 0, moment.numel()));
  } else {
    checkpoint::copy_into(save.trainer.at(name), moment);
  }
}

// What the optimiser knows. Discriminators that join late would take steps of many times the
// learning rate by the count of an old run, since they have no moments yet: with them it starts
// anew for all. So does the average of the weights, which soon forgets what it was. They themselves
// start anew, too: a run that comes back to such a save has been led astray by the ones it has.
void restore_optimizer(const checkpoint::LoadedCheckpoint& save, RunParts& parts) {
  const bool has_saved = has_discriminators(save.model);
  const bool has_now = has_discriminators(parts.parameters().names());
  if (has_now && !has_saved) {
    for (torch::Tensor* one :
         {&parts.optimizer.first_moment, &parts.optimizer.second_moment, &parts.optimizer.count})
      one->zero_();
    discriminators_in(parts.parameters(), parts.parameters().values())
        .copy_(parts.first_discriminators);
    if (parts.optimizer.average.defined()) {
      discriminators_in(parts.parameters(), parts.optimizer.average)
          .copy_(parts.first_discriminators);
    }
    return;
  }
  const bool some_leave = has_saved && !has_now;
  restore_moment(save, kFirst, some_leave, parts.optimizer.first_moment);
  restore_moment(save, kSecond, some_leave, parts.optimizer.second_moment);
  checkpoint::copy_into(save.trainer.at(kCount), parts.optimizer.count);
}

}  // namespace

torch::Device training_device(const config::TrainingConfig& training) {
  if (training.device == "auto" || training.device == "cpu") return torch::kCPU;
  const torch::Device device(training.device);
  return device.has_index() ? device : torch::Device(device.type(), 0);
}

RunParts::RunParts(const config::Config& config, std::int64_t its_num_symbols, Task trained)
    : num_symbols(its_num_symbols),
      device(training_device(config.training)),
      voice(trained == Task::kVoice ? std::make_unique<model::AcousticModel>(
                                          config.model, its_num_symbols, weights_seed(config))
                                    : nullptr),
      vocoder(trained == Task::kVocoder
                  ? std::make_unique<model::Vocoder>(config.model,
                                                     weights_seed(config),
                                                     config.training.vocoder_adversarial_weight > 0)
                  : nullptr),
      objective(objective_of(voice.get(), vocoder.get(), config.training)),
      optimizer(placed(objective->parameters(), device), config.training),
      first_discriminators(discriminators_of(objective->parameters())) {}

model::MelNormalisation& RunParts::mel_scale() const {
  return voice ? voice->mel_scale() : vocoder->mel_scale();
}

model::MelNormalisation mel_normalisation_of(const pipeline::FeatureSet& features) {
  double count = 0.0;
  double sum = 0.0;
  double squares = 0.0;
  for (const pipeline::Features& one : features.utterances) {
    sum += one.moments.sum;
    squares += one.moments.squares;
    count += static_cast<double>(one.num_frames * features.n_mels);
  }
  const double mean = sum / count;
  const double variance = std::max(squares / count - mean * mean, 1e-6);
  return {.mean = static_cast<float>(mean), .std = static_cast<float>(std::sqrt(variance))};
}

void start_alignment(RunParts& parts,
                     const pipeline::FeatureSet& features,
                     int num_workers,
                     pipeline::UnreadableUtterances& lost) {
  if (!parts.voice) return;
  const model::MelNormalisation& scale = parts.mel_scale();
  parts.voice->set_symbol_means(model::flat_start(features,
                                                  {.num_symbols = parts.num_symbols,
                                                   .mel_mean = scale.mean,
                                                   .mel_std = scale.deviation,
                                                   .num_workers = num_workers},
                                                  lost));
  parts.optimizer.restart_average();
}

torch::Tensor speaker_means(RunParts& parts, const std::vector<torch::Tensor>& clips) {
  if (!parts.voice) return {};
  const torch::NoGradGuard no_grad;
  const step::EmaWeights averaged(parts.parameters(), parts.optimizer);
  std::vector<torch::Tensor> means;
  means.reserve(clips.size());
  for (const torch::Tensor& of_speaker : clips)
    means.push_back(parts.voice->voice_of(of_speaker, torch::kFloat32).mean(0));
  return at::stack(means).cpu().contiguous();
}

void write_checkpoint(checkpoint::CheckpointStore& store,
                      RunParts& parts,
                      const RunMetadata& facts,
                      const pipeline::FeatureSet& features,
                      const torch::Tensor& speakers) {
  const model::MelNormalisation& scale = parts.mel_scale();
  const torch::Tensor generator = at::globalContext().defaultGenerator(parts.device).get_state();
  // Copies if they are on another device.
  const torch::Tensor values = parts.parameters().values().cpu();
  const torch::Tensor& average = parts.optimizer.average;
  const torch::Tensor average_here = average.defined() ? average.cpu() : average;
  const torch::Tensor first_moment = parts.optimizer.first_moment.cpu();
  const torch::Tensor second_moment = parts.optimizer.second_moment.cpu();
  const torch::Tensor count = parts.optimizer.count.cpu();
  checkpoint::CheckpointContent content;
  content.step = parts.state.step;
  content.model = checkpoint::weight_views(parts.parameters(), values, average_here);
  if (speakers.defined()) content.model.push_back(checkpoint::view_of("speakers.mean", speakers));
  content.trainer = {checkpoint::view_of(kFirst, first_moment),
                     checkpoint::view_of(kSecond, second_moment),
                     checkpoint::view_of(kCount, count),
                     checkpoint::view_of(generator_name(parts.device), generator)};
  content.config_json =
      checkpoint::to_json_text({.kind = kind_of(facts.trained),
                                .program_version = base::version(),
                                .step = parts.state.step,
                                .speakers = features.speakers,
                                .mel_spec_fingerprint = audio::mel_fingerprint(facts.contract),
                                .symbols = facts.symbols,
                                .config_yaml = facts.config_yaml,
                                .mel_mean = scale.mean,
                                .mel_std = scale.deviation,
                                .precision = facts.precision,
                                .threads = facts.threads,
                                .state_json = to_json_text(parts.state)});
  store.write(content);
}

void restore(const checkpoint::LoadedCheckpoint& save, RunParts& parts, const RunMetadata& facts) {
  const std::string source = save.folder.string();
  const checkpoint::CheckpointMetadata saved =
      checkpoint::parse_checkpoint_metadata(save.config_json, source + "/config.json");
  require(saved.kind == kind_of(facts.trained),
          "{} is the save of a {}, not of a {}: use another --checkpoint-dir",
          source,
          saved.kind,
          kind_of(facts.trained));
  require(saved.mel_spec_fingerprint == audio::mel_fingerprint(facts.contract),
          "{} was trained on other mels (contract {}, now {}): use the audio settings of its "
          "config.yaml, or start anew with --reset-training",
          source,
          saved.mel_spec_fingerprint.substr(0, 12),
          audio::mel_fingerprint(facts.contract).substr(0, 12));
  require(saved.symbols == facts.symbols,
          "{} was trained with another symbol table: use the program that wrote it ({}), or start "
          "anew with --reset-training",
          source,
          saved.program_version);
  // The adversarial stage begins with discriminators that the save does not have yet.
  constexpr const char* kMayLack = model::WaveformDiscriminators::kPrefix;
  checkpoint::load_weights(save.model, parts.parameters(), /*averaged=*/false, kMayLack);
  if (parts.optimizer.average.defined()) {
    checkpoint::load_ema(save.model, parts.parameters(), parts.optimizer.average, kMayLack);
  }
  restore_optimizer(save, parts);
  // A save of a run on another device has no state for this one's generator, which goes on as it
  // is.
  const std::string generator_state = generator_name(parts.device);
  if (save.trainer.find(generator_state) != nullptr) {
    at::Generator generator = at::globalContext().defaultGenerator(parts.device);
    generator.set_state(checkpoint::tensor_of(save.trainer, generator_state));
  }
  parts.mel_scale() = {.mean = static_cast<float>(saved.mel_mean),
                       .std = static_cast<float>(saved.mel_std)};
  parts.state = parse_train_state(saved.state_json, source + "/config.json");
}

std::uint64_t checkpoint_bytes(const RunParts& parts) {
  const auto weights = static_cast<std::uint64_t>(parts.parameters().num_elements()) * 4;
  constexpr std::uint64_t kRest = 4U << 20U;  // headers, configuration, generator, speakers
  return weights * (parts.optimizer.average.defined() ? 4 : 3) + kRest;
}

}  // namespace xtts::train
