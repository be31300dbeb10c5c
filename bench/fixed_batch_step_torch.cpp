#include "fixed_batch_step_torch.h"

#include <utility>

#include <fmt/format.h>

#include "base/files.h"
#include "base/random.h"
#include "checkpoint/tensors_torch.h"
#include "config/value.h"
#include "model/inputs_torch.h"

namespace myxtts {
namespace {

// Sets every value to ten or more standard deviations above or below the mean.
void set_far_from_mean(std::vector<float>& mel, base::Random& random) {
  for (float& value : mel) {
    const double num_stds = (random.below(2) == 0 ? -1.0 : 1.0) * (10.0 + random.unit());
    value = bench::kBenchMelNormalisation.mean +
            bench::kBenchMelNormalisation.std * static_cast<float>(num_stds);
  }
}

// Adds noise to all weights: the zero-initialised branches of a new model would have no gradients.
void add_noise(model::ParameterSet& parameters, base::Random& random) {
  float* values = parameters.values().data_ptr<float>();
  for (std::int64_t i = 0; i < parameters.num_elements(); ++i)
    values[i] += static_cast<float>(0.04 * random.unit() - 0.02);
}

checkpoint::Metadata metadata_of(config::Config config) {
  checkpoint::Metadata metadata = {
      {"mel_mean", fmt::format("{}", bench::kBenchMelNormalisation.mean)},
      {"mel_std", fmt::format("{}", bench::kBenchMelNormalisation.std)}};
  for (const config::Field& field : config::fields_of(config))
    if (field.section != "data") metadata[field.key()] = config::to_yaml(field);
  return metadata;
}

}  // namespace

FixedBatchStep::FixedBatchStep(const config::Config& config, std::vector<data::Batch> batches)
    : config_(config), batches_(std::move(batches)), training_(config, /*is_prepared=*/true) {
  base::Random random(1);
  add_noise(training_.model.parameters(), random);
  const torch::NoGradGuard no_grad;
  for (data::Batch& batch : batches_) {
    data::MicroBatch& micro_batch = batch.micro_batches.front();
    set_far_from_mean(micro_batch.mel, random);
    inputs_.push_back(model::inputs_of(micro_batch));
    durations_.push_back(training_.model.forward(inputs_.back(), {}).durations);
  }
}

model::LossSums FixedBatchStep::forward_and_backward(std::size_t index, double& loss) {
  const data::MicroBatch& micro_batch = batches_[index].micro_batches.front();
  model::ForwardResult result = training_.model.forward(inputs_[index], {}, durations_[index]);
  const torch::Tensor total =
      step::loss_of(step::shares_of(result.sums,
                                    batches_[index].counts,
                                    micro_batch.n_mels,
                                    step::loss_weights_of(config_.training)));
  total.backward();
  loss = total.item<double>();
  return result.sums;
}

void FixedBatchStep::run(std::size_t index) {
  training_.optimizer.zero_gradients();
  step::StepReport report;
  const data::Signature& signature = batches_[index].micro_batches.front().signature;
  training_.runner.run({.kind = step::PhaseKind::kTrain, .signature = signature},
                       [&] { forward_and_backward(index, report.loss); });
  training_.step.finish(report, config_.training.learning_rate);
}

void FixedBatchStep::prepare() {
  for (std::size_t i = 0; i < batches_.size(); ++i)
    run(i);
  training_.runner.freeze();
}

void FixedBatchStep::write(const std::string& path, std::size_t index) {
  training_.optimizer.zero_gradients();
  double loss = 0.0;
  const model::LossSums sums = forward_and_backward(index, loss);
  const data::BatchCounts& counts = batches_[index].counts;
  const auto channels = static_cast<double>(config_.model.n_mels);
  const torch::Tensor mel =
      (sums.mel / (static_cast<double>(counts.decoder_frames) * channels)).detach();
  const torch::Tensor prior =
      (sums.prior / (static_cast<double>(counts.frames) * channels)).detach();
  const torch::Tensor duration = (sums.duration / static_cast<double>(counts.symbols)).detach();

  model::ParameterSet& parameters = training_.model.parameters();
  std::vector<checkpoint::TensorView> views =
      checkpoint::weight_views(parameters, parameters.values(), {});
  for (std::size_t i = 0; i < parameters.names().size(); ++i)
    views.push_back(
        checkpoint::view_of("gradient." + parameters.names()[i], parameters.tensors()[i].grad()));
  const model::Inputs& inputs = inputs_[index];
  const std::vector<std::pair<std::string, torch::Tensor>> others = {
      {"inputs.text", inputs.text},
      {"inputs.text_lengths", inputs.text_lengths},
      {"inputs.mel", inputs.mel},
      {"inputs.mel_lengths", inputs.mel_lengths},
      {"inputs.reference", inputs.reference},
      {"inputs.crop_starts", inputs.crop_starts},
      {"inputs.durations", durations_[index]},
      {"loss.mel", mel},
      {"loss.prior", prior},
      {"loss.duration", duration}};
  for (const auto& [name, tensor] : others)
    views.push_back(checkpoint::view_of(name, tensor));
  base::write_file_atomically(path, checkpoint::safetensors_bytes(views, metadata_of(config_)));
}

}  // namespace myxtts
