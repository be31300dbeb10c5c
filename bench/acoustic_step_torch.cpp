// Our side of a comparison with the twin in PyTorch; bench/peers/acoustic_step.py is the other side
// and starts this program.
//
//   acoustic_step FILE
//
// Makes a `tiny` model and a batch, writes weights, batch, alignment, losses and gradients to FILE
// (laid out as bench/peers/acoustic_exchange.py says) and prints "ready". From then on each line of
// standard input is a number of updates to make: forward, backward, clipping, AdamW, with the
// alignment as it was. The answer is a line with a JSON list of [wall, CPU] milliseconds of each.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <iostream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/types.h>

#include "base/error.h"
#include "base/files.h"
#include "base/random.h"
#include "checkpoint/tensors_torch.h"
#include "config/value.h"
#include "model/acoustic_model_torch.h"
#include "model/inputs_torch.h"
#include "step/flat_optimizer_torch.h"
#include "step/train_step_torch.h"

namespace xtts {
namespace {

constexpr std::int64_t kNumSymbols = 100;
constexpr pipeline::Signature kSignature{.batch = 16, .text = 48, .mel = 256};
constexpr std::int64_t kReferenceFrames = 259;  // 3 s
constexpr model::MelScale kMelScale{.mean = -5.5F, .deviation = 2.25F};
constexpr float kMelPad = -11.5F;

float mel_value(double normalised) {
  return kMelScale.mean + kMelScale.deviation * static_cast<float>(normalised);
}

// Rows of at least 3/4 of the signature. Frames lie far from whatever the model says, above and
// below: where |x| bends, the sign of a gradient would hang on rounding.
pipeline::Batch make_batch(std::int64_t n_mels, base::Random& random) {
  pipeline::Batch batch = pipeline::empty_batch(kSignature, n_mels, kReferenceFrames, kMelPad);
  const auto length = [&](std::int64_t most) {
    return most - static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(most / 4)));
  };
  for (std::int64_t row = 0; row < kSignature.batch; ++row) {
    const std::int64_t symbols = length(kSignature.text);
    const std::int64_t frames = length(kSignature.mel);
    batch.text_lengths[static_cast<std::size_t>(row)] = symbols;
    batch.mel_lengths[static_cast<std::size_t>(row)] = frames;
    for (std::int64_t t = 0; t < symbols; ++t)
      batch.text[static_cast<std::size_t>(row * kSignature.text + t)] =
          static_cast<std::int64_t>(1 + random.below(kNumSymbols - 1));
    for (std::int64_t i = 0; i < frames * n_mels; ++i)
      batch.mel[static_cast<std::size_t>(row * kSignature.mel * n_mels + i)] =
          mel_value((random.below(2) == 0 ? -1.0 : 1.0) * (10.0 + random.unit()));
  }
  for (float& value : batch.reference)
    value = mel_value(3.0 * random.unit() - 1.5);
  return batch;
}

// A fresh model begins with branches of zeros, behind which no gradient would be seen.
void add_noise(model::ParameterSet& parameters, base::Random& random) {
  float* values = parameters.values().data_ptr<float>();
  for (std::int64_t i = 0; i < parameters.num_elements(); ++i)
    values[i] += static_cast<float>(0.04 * random.unit() - 0.02);
}

// The average of the weights has no counterpart in the twin.
config::Config without_average() {
  config::Config config;
  config.training.ema_decay = 0.0;
  return config;
}

class Side {
 public:
  Side()
      : config_(without_average()),
        model_(config_.model, kNumSymbols, /*seed=*/1),
        optimizer_(model_.parameters(), config_.training) {
    base::Random random(1);
    add_noise(model_.parameters(), random);
    model_.mel_scale() = kMelScale;
    batch_ = make_batch(config_.model.n_mels, random);
    counts_ = pipeline::counts_of(batch_, config_.model.decoder_crop_frames);
    inputs_ = model::inputs_of(batch_);
    const torch::NoGradGuard no_grad;
    durations_ = model_.forward(inputs_, {}).durations;
  }

  // Leaves the gradients where they are.
  model::LossSums forward_and_backward() {
    optimizer_.zero_gradients();
    model::LossSums sums = model_.forward(inputs_, {}, durations_).sums;
    step::loss_of(sums, counts_, batch_.n_mels, step::loss_weights_of(config_.training)).backward();
    return sums;
  }

  void update() {
    forward_and_backward();
    optimizer_.clip(optimizer_.gradient_norm());
    optimizer_.update(config_.training.learning_rate);
  }

  void write(const std::string& path) {
    const model::LossSums sums = forward_and_backward();
    const auto channels = static_cast<double>(batch_.n_mels);
    const auto frames = static_cast<double>(counts_.frames) * channels;
    const auto symbols = static_cast<double>(counts_.symbols);
    const torch::Tensor mel = (sums.mel / frames).detach();
    const torch::Tensor prior = (sums.prior / frames).detach();
    const torch::Tensor duration = (sums.duration / symbols).detach();

    model::ParameterSet& parameters = model_.parameters();
    std::vector<checkpoint::TensorView> views = checkpoint::weight_views(parameters, {});
    for (std::size_t i = 0; i < parameters.names().size(); ++i)
      views.push_back(
          checkpoint::view_of("gradient." + parameters.names()[i], parameters.tensors()[i].grad()));
    const std::vector<std::pair<std::string, torch::Tensor>> others = {
        {"inputs.text", inputs_.text},
        {"inputs.text_lengths", inputs_.text_lengths},
        {"inputs.mel", inputs_.mel},
        {"inputs.mel_lengths", inputs_.mel_lengths},
        {"inputs.reference", inputs_.reference},
        {"inputs.crop_starts", inputs_.crop_starts},
        {"inputs.durations", durations_},
        {"loss.mel", mel},
        {"loss.prior", prior},
        {"loss.duration", duration}};
    for (const auto& [name, tensor] : others)
      views.push_back(checkpoint::view_of(name, tensor));
    base::write_file_atomically(path, checkpoint::safetensors_bytes(views, metadata()));
  }

 private:
  checkpoint::Metadata metadata() {
    checkpoint::Metadata metadata = {{"mel_mean", fmt::format("{}", kMelScale.mean)},
                                     {"mel_deviation", fmt::format("{}", kMelScale.deviation)}};
    for (const config::Field& field : config::fields_of(config_))
      if (field.section != "data") metadata[field.key()] = config::to_yaml(field);
    return metadata;
  }

  config::Config config_;
  model::AcousticModel model_;
  step::FlatOptimizer optimizer_;
  pipeline::Batch batch_;
  pipeline::UpdateCounts counts_;
  model::Inputs inputs_;
  torch::Tensor durations_;
};

// "[wall, CPU]" in milliseconds; CPU is that of all threads.
std::string timed_update(Side& side) {
  const auto start = std::chrono::steady_clock::now();
  const std::clock_t cpu_start = std::clock();
  side.update();
  const std::clock_t cpu = std::clock() - cpu_start;
  const std::chrono::duration<double, std::milli> wall = std::chrono::steady_clock::now() - start;
  return fmt::format(
      "[{:.3f}, {:.3f}]", wall.count(), 1e3 * static_cast<double>(cpu) / CLOCKS_PER_SEC);
}

void run(const std::string& path) {
  Side side;
  side.write(path);
  fmt::print("ready\n");
  std::fflush(stdout);
  for (int updates = 0; std::cin >> updates;) {
    std::vector<std::string> times;
    times.reserve(static_cast<std::size_t>(std::max(updates, 0)));
    for (int i = 0; i < updates; ++i)
      times.push_back(timed_update(side));
    fmt::print("[{}]\n", fmt::join(times, ", "));
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace xtts

int main(int argc, char** argv) try {
  xtts::require_usage(argc == 2, "acoustic_step FILE");
  xtts::run(argv[1]);
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "acoustic_step: {}\n", error.what());
  return 1;
}
