// With weights written by Python, the model gives the losses and gradients of the reference
// implementation in PyTorch (tests/golden/acoustic; `make bench` runs the reference itself).

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <torch/types.h>

#include "base/files.h"
#include "checkpoint/tensors_torch.h"
#include "config/value.h"
#include "model/acoustic_model_torch.h"

namespace myxtts::checkpoint {
namespace {

constexpr double kRelativeTolerance = 1e-4;  // of a tensor's largest value
constexpr std::size_t kMaxBytes = 1 << 20;

TensorFile read_golden(const std::string& name) {
  const std::string path = MYXTTS_SOURCE_DIR "/tests/golden/acoustic/" + name + ".safetensors";
  return parse_safetensors(base::read_file_or_throw(path, kMaxBytes), path);
}

config::ModelConfig config_of(const Metadata& metadata) {
  config::Config config;
  config.model.mel_discriminator_channels = 0;  // the reference has none
  for (const config::Field& field : config::fields_of(config)) {
    const auto found = metadata.find(field.key());
    if (found == metadata.end()) continue;
    const auto problem = config::assign(field, config::parse_yaml_tree(found->second, field.key()));
    EXPECT_FALSE(problem) << field.key() << ": " << problem.value_or("");
  }
  return config.model;
}

model::Inputs inputs_of(const TensorFile& file) {
  return {.text = tensor_of(file, "inputs.text"),
          .text_lengths = tensor_of(file, "inputs.text_lengths"),
          .mel = tensor_of(file, "inputs.mel"),
          .mel_lengths = tensor_of(file, "inputs.mel_lengths"),
          .reference = tensor_of(file, "inputs.reference"),
          .crop_starts = tensor_of(file, "inputs.crop_starts")};
}

struct Loss {
  std::string name;
  torch::Tensor mean;  // []
  double weight = 0.0;
};

std::vector<Loss> losses_of(const model::LossSums& sums,
                            const model::Inputs& inputs,
                            const config::ModelConfig& config) {
  const config::TrainingConfig training;
  const torch::Tensor symbols = inputs.text_lengths.sum();
  const torch::Tensor frames = inputs.mel_lengths.sum();
  const torch::Tensor decoder_frames =
      config.decoder_crop_frames > 0
          ? inputs.mel_lengths.clamp_max(config.decoder_crop_frames).sum()
          : frames;
  std::vector<Loss> losses = {
      {"mel", sums.mel / (decoder_frames * config.n_mels), training.mel_loss_weight},
      {"prior", sums.prior / (frames * config.n_mels), training.prior_loss_weight},
      {"duration", sums.duration / symbols, training.duration_loss_weight}};
  if (sums.energy.defined())
    losses.push_back({"energy", sums.energy / symbols, training.energy_loss_weight});
  return losses;
}

void expect_close(const TensorFile& golden, const std::string& name, const torch::Tensor& found) {
  const torch::Tensor expected = tensor_of(golden, name);
  ASSERT_EQ(found.sizes(), expected.sizes()) << name;
  const double largest = expected.abs().max().item<double>();
  const double difference = (found - expected).abs().max().item<double>();
  EXPECT_GT(largest, 0.0) << name << " is all zeros";
  EXPECT_LE(difference, kRelativeTolerance * largest) << name;
}

void expect_reference_values(const std::string& name) {
  SCOPED_TRACE(name);
  const TensorFile golden = read_golden(name);
  const config::ModelConfig config = config_of(golden.metadata);
  model::AcousticModel model(config, golden.at("text.embedding").shape[0], /*seed=*/1);
  load_weights(golden, model.parameters(), /*use_ema=*/false);
  model.mel_normalisation() = {.mean = std::stof(golden.metadata.at("mel_mean")),
                               .std = std::stof(golden.metadata.at("mel_std"))};

  const model::Inputs inputs = inputs_of(golden);
  const model::ForwardResult result =
      model.forward(inputs, {}, tensor_of(golden, "inputs.durations"));
  torch::Tensor total = torch::zeros({});
  for (const Loss& loss : losses_of(result.sums, inputs, config)) {
    expect_close(golden, "loss." + loss.name, loss.mean.detach());
    total = total + loss.mean * loss.weight;
  }
  total.backward();

  const model::ParameterSet& parameters = model.parameters();
  for (std::size_t i = 0; i < parameters.names().size(); ++i)
    expect_close(golden, "gradient." + parameters.names()[i], parameters.tensors()[i].grad());
}

TEST(TensorsReference, WholeUtterancesMatchLossesAndGradients) {
  expect_reference_values("whole");
}

TEST(TensorsReference, CropsWithEnergyMatchLossesAndGradients) {
  expect_reference_values("crops");
}

}  // namespace
}  // namespace myxtts::checkpoint
