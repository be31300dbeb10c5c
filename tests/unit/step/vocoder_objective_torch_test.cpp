#include "step/vocoder_objective_torch.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "step/prepare_torch.h"
#include "step/step_allocator_torch.h"
#include "step/train_step_torch.h"
#include "unit/model/small_model_torch.h"

namespace myxtts::step {
namespace {

using data::Signature;

constexpr std::int64_t kVocoderHop = 16;
constexpr std::int64_t kVocoderHops = 32;
constexpr BatchProperties kVocoderProperties{
    .n_mels = model::kChannels, .reference_frames = 0, .mel_pad = -9};

Signature waveform_signature(std::int64_t rows) {
  return {.batch = rows, .text = 0, .mel = kVocoderHops + 1, .samples = kVocoderHops * kVocoderHop};
}

config::ModelConfig small_vocoder_config() {
  config::ModelConfig config = model::small_config();
  config.n_fft = 64;
  config.win_length = 64;
  config.hop_length = kVocoderHop;
  config.vocoder_initial_channel = 16;
  config.vocoder_layers = 2;
  config.vocoder_ffn_dim = 24;
  return config;
}

// A vocoder with its optimiser and step. All instances start identically.
struct VocoderRun {
  explicit VocoderRun(bool is_prepared, double clip_norm = 1e9)
      : vocoder(small_vocoder_config(), /*seed=*/2),
        objective(vocoder, training(clip_norm)),
        optimizer(noisy(vocoder.parameters()), training(clip_norm)),
        runner(tensor_memory()),
        step(objective, optimizer, torch::kFloat32, is_prepared ? &runner : nullptr) {
    const std::vector<Signature> plan = {waveform_signature(3)};
    if (is_prepared)
      prepare(step, runner, vocoder.parameters(), optimizer, plan, kVocoderProperties);
  }

  static model::ParameterSet& noisy(model::ParameterSet& parameters) {
    model::add_noise(parameters, 0.1, 3);
    return parameters;
  }

  static config::TrainingConfig training(double clip_norm) {
    config::TrainingConfig training;
    training.gradient_clip_norm = clip_norm;
    return training;
  }

  model::Vocoder vocoder;
  VocoderObjective objective;
  FlatOptimizer optimizer;
  PreparedRunner runner;
  TrainStep step;
};

// Returns a micro-batch of noise with `filled` rows; the others are empty.
data::MicroBatch noise_micro_batch(std::int64_t rows, std::int64_t filled, std::uint64_t seed) {
  data::MicroBatch batch =
      data::empty_micro_batch(waveform_signature(rows), model::kChannels, 0, -9.0F);
  base::Random random(seed);
  for (std::int64_t row = 0; row < filled; ++row) {
    for (float& value : data::row_of(batch.mel, static_cast<std::size_t>(row), rows))
      value = static_cast<float>(-5.0 + 4.0 * random.unit());
    for (float& value : data::row_of(batch.waveform, static_cast<std::size_t>(row), rows))
      value = static_cast<float>(random.unit() - 0.5);
    batch.mel_lengths[static_cast<std::size_t>(row)] = kVocoderHops + 1;
  }
  return batch;
}

data::Batch make_batch(std::vector<data::MicroBatch> micro_batches) {
  data::Batch batch;
  for (data::MicroBatch& micro_batch : micro_batches) {
    batch.counts += data::counts_of(micro_batch, 0);
    batch.micro_batches.push_back(std::move(micro_batch));
  }
  return batch;
}

TEST(VocoderObjective, PreparedStepsAreBitIdenticalToEagerOnes) {
  VocoderRun prepared(true, /*clip_norm=*/0.1);
  VocoderRun eager(false, /*clip_norm=*/0.1);
  for (std::uint64_t i = 0; i < 6; ++i) {
    data::Batch one = make_batch({noise_micro_batch(3, 3, i)});
    data::Batch other = make_batch({noise_micro_batch(3, 3, i)});
    const StepReport found = prepared.step.run(one, 1e-3, 0.0);
    const StepReport expected = eager.step.run(other, 1e-3, 0.0);

    EXPECT_EQ(found.loss, expected.loss) << i;
    EXPECT_EQ(found.parts, expected.parts);
    EXPECT_TRUE(model::same_bits(prepared.vocoder.parameters().values(),
                                 eager.vocoder.parameters().values()));
  }
  EXPECT_TRUE(prepared.runner.take_deviations().empty());
}

TEST(VocoderObjective, SplittingABatchAndEmptyRowsKeepTheLoss) {
  VocoderRun whole(false);
  VocoderRun split(false);
  data::Batch together = make_batch({noise_micro_batch(3, 3, 1)});
  data::MicroBatch batch = noise_micro_batch(3, 3, 1);
  data::MicroBatch padded =
      data::empty_micro_batch(waveform_signature(3), model::kChannels, 0, -9.0F);
  const data::MicroBatch last = data::slice_rows(batch, 2, 3);
  std::ranges::copy(last.mel, padded.mel.begin());
  std::ranges::copy(last.waveform, padded.waveform.begin());
  padded.mel_lengths[0] = last.mel_lengths[0];
  data::Batch apart = make_batch({data::slice_rows(batch, 0, 2), padded});

  const StepReport expected = whole.step.accumulate(together, 0.0);
  const StepReport found = split.step.accumulate(apart, 0.0);

  EXPECT_EQ(apart.counts, together.counts);
  EXPECT_NEAR(found.loss, expected.loss, 1e-5 * expected.loss);
  EXPECT_LE(model::relative_difference(split.vocoder.parameters().gradients(),
                                       whole.vocoder.parameters().gradients()),
            1e-4);
}

TEST(VocoderObjective, TheLossIsTheWeightedSumOfItsParts) {
  VocoderRun run(false);
  data::Batch batch = make_batch({noise_micro_batch(2, 2, 4)});

  const StepReport report = run.step.accumulate(batch, 0.0);

  ASSERT_EQ(report.parts.size(), 4U);
  const std::vector<double> weights = {2.0, 1.0, 1.0, 0.5};
  const std::vector<std::string> names = {"mel", "magnitude", "convergence", "complex"};
  double sum = 0.0;
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(report.parts[i].first, names[i]);
    sum += weights[i] * report.parts[i].second;
  }
  EXPECT_NEAR(report.loss, sum, 1e-4 * sum);
}

// Returns two tones with the minimum length for discriminators, and random mels.
data::MicroBatch tone_micro_batch() {
  constexpr std::int64_t kSamples = 2048;
  constexpr std::int64_t kFrames = kSamples / kVocoderHop + 1;
  data::MicroBatch batch = data::empty_micro_batch(
      {.batch = 2, .text = 0, .mel = kFrames, .samples = kSamples}, model::kChannels, 0, -9.0F);
  base::Random random(4);
  for (float& value : batch.mel)
    value = static_cast<float>(-5.0 + 4.0 * random.unit());
  for (std::size_t i = 0; i < batch.waveform.size(); ++i)
    batch.waveform[i] = 0.3F * std::sin(static_cast<float>(i) * (i < kSamples ? 0.05F : 0.07F));
  batch.mel_lengths = {kFrames, kFrames};
  return batch;
}

config::TrainingConfig adversarial_training() {
  config::TrainingConfig training;
  training.vocoder_adversarial_weight = 0.1;
  return training;
}

double part_of(const StepReport& report, const std::string& name) {
  for (const auto& [part, value] : report.parts) {
    if (part == name) return value;
  }
  return std::nan("");
}

TEST(VocoderObjective, ValidationSkipsTheDiscriminators) {
  model::Vocoder vocoder(small_vocoder_config(), /*seed=*/2, /*with_discriminators=*/true);
  const VocoderObjective objective(vocoder, {});
  data::MicroBatch batch = tone_micro_batch();
  double copy_s = 0.0;
  const torch::NoGradGuard no_grad;

  const data::BatchCounts counts = data::counts_of(batch, 0);
  EXPECT_EQ(objective.losses(batch, counts, {.training = true}, copy_s).size(), 7U);
  EXPECT_EQ(objective.losses(batch, counts, {.training = false}, copy_s).size(), 4U);
}

TEST(VocoderObjective, AdversarialLossesTrainOnlyTheirOwnSide) {
  model::Vocoder vocoder(small_vocoder_config(), /*seed=*/2, /*with_discriminators=*/true);
  model::ParameterSet& parameters = vocoder.parameters();
  model::add_noise(parameters, 0.1, 3);
  const VocoderObjective objective(vocoder, adversarial_training());
  data::MicroBatch batch = tone_micro_batch();
  double copy_s = 0.0;
  const std::vector<LossShare> shares =
      objective.losses(batch, data::counts_of(batch, 0), {.training = true}, copy_s);
  ASSERT_EQ(shares.size(), 7U);

  for (const LossShare& share : shares) {
    parameters.gradients().zero_();
    share.sum.backward({}, /*retain_graph=*/true);

    const std::vector<torch::Tensor> gradients = parameters.views_of(parameters.gradients());
    double of_vocoder = 0.0;
    double of_discriminators = 0.0;
    for (std::size_t i = 0; i < gradients.size(); ++i) {
      const bool is_discriminator =
          parameters.names()[i].starts_with(model::WaveformDiscriminators::kPrefix);
      double& largest = is_discriminator ? of_discriminators : of_vocoder;
      largest = std::max(largest, gradients[i].abs().max().item<double>());
    }
    const bool is_discriminator_loss = std::string(share.name) == "disc";
    EXPECT_EQ(of_discriminators > 0.0, is_discriminator_loss) << share.name;
    EXPECT_EQ(of_vocoder > 0.0, !is_discriminator_loss) << share.name;
  }
}

// As the adversarial stage of a training: a vocoder pretrained with spectral losses continues with
// discriminators of the default size, both with one optimiser.
TEST(VocoderObjective, FiftyAdversarialStepsStayFiniteAndKeepTheMel) {
  constexpr int kResumedSteps = 50;
  constexpr double kRate = 1e-3;
  model::Vocoder alone(small_vocoder_config(), /*seed=*/2);
  const VocoderObjective distance(alone, adversarial_training());
  FlatOptimizer first_optimizer(alone.parameters(), adversarial_training());
  TrainStep first(distance, first_optimizer, torch::kFloat32);
  double before = 0.0;
  for (int i = 0; i < kResumedSteps; ++i) {
    data::Batch batch = make_batch({tone_micro_batch()});
    before = part_of(first.run(batch, kRate, 0.0), "mel");
  }

  model::Vocoder vocoder(small_vocoder_config(), /*seed=*/2, /*with_discriminators=*/true);
  vocoder.parameters()
      .values()
      .narrow(0, 0, alone.parameters().num_elements())
      .copy_(alone.parameters().values());
  const VocoderObjective adversarial(vocoder, adversarial_training());
  FlatOptimizer optimizer(vocoder.parameters(), adversarial_training());
  TrainStep step(adversarial, optimizer, torch::kFloat32);
  double first_discriminator_loss = 0.0;
  StepReport last;
  for (int i = 0; i < kResumedSteps; ++i) {
    data::Batch batch = make_batch({tone_micro_batch()});
    last = step.run(batch, kRate, 0.0);
    ASSERT_TRUE(std::isfinite(part_of(last, "disc"))) << i;
    ASSERT_TRUE(std::isfinite(part_of(last, "gen"))) << i;
    if (i == 0) first_discriminator_loss = part_of(last, "disc");
  }

  EXPECT_LE(part_of(last, "mel"), 1.05 * before);
  EXPECT_LT(part_of(last, "disc"), first_discriminator_loss);
}

TEST(VocoderObjective, OverfitsOneBatch) {
  VocoderRun run(true);
  double first = 0.0;
  double last = 0.0;
  for (int i = 0; i < 60; ++i) {
    data::Batch batch = make_batch({noise_micro_batch(3, 3, 8)});
    last = run.step.run(batch, 3e-3, 0.0).loss;
    if (i == 0) first = last;
  }

  EXPECT_TRUE(std::isfinite(last));
  EXPECT_LT(last, 0.8 * first);
}

}  // namespace
}  // namespace myxtts::step
