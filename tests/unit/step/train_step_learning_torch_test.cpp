// A short training on two synthetic speakers: every part of the model learns its task.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/length_regulator_torch.h"
#include "step/acoustic_objective_torch.h"
#include "step/train_step_torch.h"
#include "unit/model/small_model_torch.h"

namespace myxtts::step {
namespace {

using model::kChannels;
using model::kReferenceFrames;
using model::Row;

constexpr int kSteps = 200;
constexpr int kGuidedSteps = 50;  // with the diagonal prior
constexpr std::size_t kBatchRows = 8;

// A symbol is a spectral peak with its own height and duration; a speaker is a spectral tilt.
std::int64_t duration_of(std::int64_t symbol) {
  return 1 + symbol % 4;
}

double level_of(std::int64_t symbol, std::int64_t channel, double tilt) {
  const auto distance = static_cast<double>(channel - symbol * 3 % kChannels);
  const double height = 1.5 + 0.5 * static_cast<double>(symbol % 3);
  const double position = 2.0 * static_cast<double>(channel) / (kChannels - 1) - 1.0;
  return height * std::exp(-0.5 * distance * distance) + tilt * position;
}

std::vector<float> mel_of(const std::vector<std::int64_t>& symbols,
                          double tilt,
                          base::Random& random) {
  std::vector<float> mel;
  for (const std::int64_t symbol : symbols)
    for (std::int64_t m = 0; m < duration_of(symbol); ++m)
      for (std::int64_t c = 0; c < kChannels; ++c)
        mel.push_back(static_cast<float>(level_of(symbol, c, tilt)) +
                      model::between(random, -0.1, 0.1));
  return mel;
}

std::vector<std::int64_t> random_text(base::Random& random, std::uint64_t min_length) {
  std::vector<std::int64_t> text(min_length + random.below(4));
  for (std::int64_t& symbol : text)
    symbol = static_cast<std::int64_t>(1 + random.below(model::kNumSymbols - 1));
  return text;
}

std::vector<float> clip_of(double tilt, base::Random& random) {
  std::vector<float> clip = mel_of(random_text(random, kReferenceFrames), tilt, random);
  clip.resize(static_cast<std::size_t>(kReferenceFrames * kChannels));
  return clip;
}

// Returns rows of two alternating speakers with references of the same or of the other speaker.
std::vector<Row> rows_of_two_speakers(std::size_t count, std::uint64_t seed, bool right_speaker) {
  base::Random random(seed);
  std::vector<Row> rows(count);
  for (std::size_t b = 0; b < count; ++b) {
    const double tilt = b % 2 == 0 ? 1.0 : -1.0;
    rows[b].text = random_text(random, 4);
    for (const std::int64_t symbol : rows[b].text)
      rows[b].durations.push_back(duration_of(symbol));
    rows[b].mel = mel_of(rows[b].text, tilt, random);
    rows[b].reference = clip_of(right_speaker ? tilt : -tilt, random);
  }
  return rows;
}

data::Batch single_micro_batch(const std::vector<Row>& rows) {
  data::Batch batch;
  batch.micro_batches.push_back(model::batch_of(rows, model::signature_of(rows, 1)));
  batch.counts = data::counts_of(batch.micro_batches[0], 0);
  return batch;
}

class LearningTest : public testing::Test {
 protected:
  static config::ModelConfig config() {
    config::ModelConfig config = model::small_config();
    config.use_energy_predictor = true;
    return config;
  }

  void train() {
    for (int i = 0; i < kSteps; ++i) {
      data::Batch batch = single_micro_batch(
          rows_of_two_speakers(kBatchRows, 100 + static_cast<std::uint64_t>(i), true));
      const double rate = 5e-3 * std::min(1.0, (i + 1) / 20.0);
      ASSERT_EQ(step_.run(batch, rate, i < kGuidedSteps ? 1.0 : 0.0).not_finite, "");
    }
  }

  // Returns the losses of rows that are not in the training data.
  StepReport validate(bool right_speaker) const {
    std::vector<data::Batch> batches = {
        single_micro_batch(rows_of_two_speakers(40, 7, right_speaker))};
    return step_.validate(batches);
  }

  static double part(const StepReport& report, const std::string& name) {
    for (const auto& [part_name, value] : report.parts)
      if (part_name == name) return value;
    ADD_FAILURE() << "no part " << name;
    return 0.0;
  }

  // Returns the share of frames that the alignment search assigns to the right symbol.
  double share_of_aligned_frames() const {
    const std::vector<Row> rows = rows_of_two_speakers(40, 8, true);
    const data::Signature signature = model::signature_of(rows);
    data::MicroBatch batch = model::batch_of(rows, signature);
    const torch::Tensor found =
        model_.forward(model::inputs_of(batch), {.training = false}).durations;
    const torch::Tensor starts = torch::zeros({signature.batch}, torch::kInt64);
    const auto frames = [&](const torch::Tensor& durations) {
      return model::symbol_of_frame(
          {.per_symbol = durations, .starts = starts}, signature.mel, torch::kFloat32);
    };
    const torch::Tensor truth = frames(model::durations_of(rows, signature));
    return ((frames(found) * truth).sum() / truth.sum()).item<double>();
  }

  // Returns the relative error of the length of synthesised mels.
  double duration_error() const {
    const torch::NoGradGuard no_grad;
    std::int64_t missed = 0;
    std::int64_t frames = 0;
    for (const Row& row : rows_of_two_speakers(20, 9, true)) {
      const torch::Tensor clip = torch::tensor(row.reference).view({1, -1, kChannels});
      const torch::Tensor speaker = model_.embed_speaker(clip, torch::kFloat32)[0];
      const torch::Tensor text = torch::tensor(row.text, torch::kInt64);
      const torch::Tensor mel = model_.infer(text, speaker).mel;
      missed += std::abs(mel.size(0) - row.num_frames());
      frames += row.num_frames();
    }
    return static_cast<double>(missed) / static_cast<double>(frames);
  }

  model::AcousticModel model_{config(), model::kNumSymbols, /*seed=*/1};
  config::TrainingConfig training_;
  FlatOptimizer optimizer_{model_.parameters(), training_};
  AcousticObjective objective_{model_, training_};
  TrainStep step_{objective_, optimizer_, torch::kFloat32};
};

TEST_F(LearningTest, AllValidationLossesFall) {
  const StepReport before = validate(true);
  train();
  const StepReport after = validate(true);

  for (const std::string name : {"mel", "prior", "duration", "energy"})
    EXPECT_LT(part(after, name), 0.5 * part(before, name)) << name;
}

TEST_F(LearningTest, TheRightSpeakerHasALowerLossThanTheWrongOne) {
  EXPECT_NEAR(part(validate(true), "mel"),
              part(validate(false), "mel"),
              0.05 * part(validate(true), "mel"));
  train();

  EXPECT_LE(part(validate(true), "mel"), 0.9 * part(validate(false), "mel"));
}

TEST_F(LearningTest, AlignmentAndDurationsBecomeAccurate) {
  EXPECT_LT(share_of_aligned_frames(), 0.7);
  EXPECT_GT(duration_error(), 0.3);
  train();

  EXPECT_GT(share_of_aligned_frames(), 0.9);
  EXPECT_LT(duration_error(), 0.2);
}

}  // namespace
}  // namespace myxtts::step
