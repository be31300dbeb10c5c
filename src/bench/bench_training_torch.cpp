#include "bench/bench_training_torch.h"

#include <string>
#include <utility>

#include "base/random.h"
#include "data/batch_sampler.h"
#include "step/precision_torch.h"
#include "step/step_allocator_torch.h"

namespace myxtts::bench {
namespace {

constexpr std::int64_t kNumUtterances = 600;
constexpr float kBenchMelPad = -11.5F;

}  // namespace

data::FeatureSet noise_corpus(int n_mels) {
  base::Random random(1);
  data::FeatureSet features;
  features.speakers = {""};
  std::vector<std::vector<float>> mels;
  for (std::int64_t i = 0; i < kNumUtterances; ++i) {
    data::Features one;
    one.id = std::to_string(i);
    const auto frames = static_cast<std::int64_t>(100.0 + 320.0 * (random.unit() + random.unit()));
    std::vector<float> mel(static_cast<std::size_t>(frames * n_mels));
    for (float& value : mel)
      value = static_cast<float>(-5.5 + 4.0 * (random.unit() - 0.5));
    mels.push_back(std::move(mel));
    const auto symbols = static_cast<double>(frames) * (0.18 + 0.04 * random.unit());
    one.text.resize(static_cast<std::size_t>(symbols));
    for (std::int64_t& symbol : one.text)
      symbol = static_cast<std::int64_t>(1 + random.below(kBenchSymbols - 1));
    features.utterances.push_back(std::move(one));
  }
  data::set_memory_mels(features, n_mels, std::move(mels));
  return features;
}

std::vector<data::Batch> first_batches(const data::FeatureSet& features,
                                       const data::ShapePlan& plan,
                                       const config::Config& config,
                                       std::optional<std::int64_t> count) {
  data::BatchSampler sampler(features,
                             plan,
                             {.reference_frames = kBenchReferenceFrames,
                              .crop_frames = config.model.decoder_crop_frames,
                              .mel_pad = kBenchMelPad});
  const std::int64_t num_batches = count.value_or(sampler.batches_in_epoch());
  std::vector<data::Batch> batches;
  for (std::int64_t i = 0; i < num_batches; ++i)
    batches.push_back(sampler.next());
  return batches;
}

BenchTraining::BenchTraining(const config::Config& config, bool is_prepared)
    : model(config.model, kBenchSymbols, /*seed=*/1),
      objective(model, config.training),
      optimizer(model.parameters(), config.training),
      runner(step::tensor_memory()),
      step(objective,
           optimizer,
           step::type_of(config.training.precision),
           is_prepared ? &runner : nullptr) {
  model.mel_normalisation() = kBenchMelNormalisation;
}

void BenchTraining::prepare(std::span<const data::Signature> signatures) {
  step::prepare(step,
                runner,
                model.parameters(),
                optimizer,
                signatures,
                {.n_mels = model.config().n_mels,
                 .reference_frames = kBenchReferenceFrames,
                 .mel_pad = kBenchMelPad});
}

}  // namespace myxtts::bench
