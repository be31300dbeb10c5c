// A short training on two made-up voices: every part of the model learns what it is for.
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

namespace xtts::step {
namespace {

using model::kChannels;
using model::kReferenceFrames;
using model::Row;

constexpr int kUpdates = 200;
constexpr int kGuidedUpdates = 50;  // led by the diagonal
constexpr std::size_t kRowsOfUpdate = 8;

// A symbol is a peak in the spectrum with a height and a duration of its own; a voice is a tilt.
std::int64_t duration_of(std::int64_t symbol) {
  return 1 + symbol % 4;
}

double level_of(std::int64_t symbol, std::int64_t channel, double tilt) {
  const auto distance = static_cast<double>(channel - symbol * 3 % kChannels);
  const double height = 1.5 + 0.5 * static_cast<double>(symbol % 3);
  const double place = 2.0 * static_cast<double>(channel) / (kChannels - 1) - 1.0;
  return height * std::exp(-0.5 * distance * distance) + tilt * place;
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

std::vector<std::int64_t> random_text(base::Random& random, std::uint64_t least) {
  std::vector<std::int64_t> text(least + random.below(4));
  for (std::int64_t& symbol : text)
    symbol = static_cast<std::int64_t>(1 + random.below(model::kNumSymbols - 1));
  return text;
}

std::vector<float> clip_of(double tilt, base::Random& random) {
  std::vector<float> clip = mel_of(random_text(random, kReferenceFrames), tilt, random);
  clip.resize(static_cast<std::size_t>(kReferenceFrames * kChannels));
  return clip;
}

// Rows in turn of one and the other voice, their references of the same or of the wrong one.
std::vector<Row> rows_of_two_voices(std::size_t count, std::uint64_t seed, bool right_voice) {
  base::Random random(seed);
  std::vector<Row> rows(count);
  for (std::size_t b = 0; b < count; ++b) {
    const double tilt = b % 2 == 0 ? 1.0 : -1.0;
    rows[b].text = random_text(random, 4);
    for (const std::int64_t symbol : rows[b].text)
      rows[b].durations.push_back(duration_of(symbol));
    rows[b].mel = mel_of(rows[b].text, tilt, random);
    rows[b].reference = clip_of(right_voice ? tilt : -tilt, random);
  }
  return rows;
}

pipeline::Batch update_of_one_batch(const std::vector<Row>& rows) {
  pipeline::Batch update;
  update.micro_batches.push_back(model::batch_of(rows, model::signature_of(rows, 1)));
  update.counts = pipeline::counts_of(update.micro_batches[0], 0);
  return update;
}

class LearningTest : public testing::Test {
 protected:
  static config::ModelConfig config() {
    config::ModelConfig config = model::small_config();
    config.use_energy_predictor = true;
    return config;
  }

  void train() {
    for (int i = 0; i < kUpdates; ++i) {
      pipeline::Batch update = update_of_one_batch(
          rows_of_two_voices(kRowsOfUpdate, 100 + static_cast<std::uint64_t>(i), true));
      const double rate = 5e-3 * std::min(1.0, (i + 1) / 20.0);
      ASSERT_EQ(step_.run(update, rate, i < kGuidedUpdates ? 1.0 : 0.0).not_finite, "");
    }
  }

  // On rows that were never trained on.
  StepReport judge(bool right_voice) const {
    std::vector<pipeline::Batch> updates = {
        update_of_one_batch(rows_of_two_voices(40, 7, right_voice))};
    return step_.validate(updates);
  }

  static double part(const StepReport& report, const std::string& name) {
    for (const auto& [part_name, value] : report.parts)
      if (part_name == name) return value;
    ADD_FAILURE() << "no part " << name;
    return 0.0;
  }

  // The share of frames that the search gives to the symbol they were made for.
  double share_of_right_frames() const {
    const std::vector<Row> rows = rows_of_two_voices(40, 8, true);
    const pipeline::Signature signature = model::signature_of(rows);
    pipeline::MicroBatch batch = model::batch_of(rows, signature);
    const torch::Tensor found =
        model_.forward(model::inputs_of(batch), {.training = false}).durations;
    const torch::Tensor starts = torch::zeros({signature.batch}, torch::kInt64);
    const auto frames = [&](const torch::Tensor& durations) {
      return model::symbol_of_frame(
          {.durations = durations, .starts = starts}, signature.mel, torch::kFloat32);
    };
    const torch::Tensor truth = frames(model::durations_of(rows, signature));
    return ((frames(found) * truth).sum() / truth.sum()).item<double>();
  }

  // By how many frames, of all of them, what is spoken is too short or too long.
  double share_of_missed_frames() const {
    const torch::NoGradGuard no_grad;
    std::int64_t missed = 0;
    std::int64_t frames = 0;
    for (const Row& row : rows_of_two_voices(20, 9, true)) {
      const torch::Tensor clip = torch::tensor(row.reference).view({1, -1, kChannels});
      const torch::Tensor voice = model_.voice_of(clip, torch::kFloat32)[0];
      const torch::Tensor text = torch::tensor(row.text, torch::kInt64);
      const torch::Tensor mel = model_.speak(text, voice);
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

TEST_F(LearningTest, EveryLossFallsOnSentencesNeverSeen) {
  const StepReport before = judge(true);
  train();
  const StepReport after = judge(true);

  for (const std::string name : {"mel", "prior", "duration", "energy"})
    EXPECT_LT(part(after, name), 0.5 * part(before, name)) << name;
}

TEST_F(LearningTest, TheRightVoiceIsNearerThanTheWrongOne) {
  EXPECT_NEAR(part(judge(true), "mel"), part(judge(false), "mel"), 0.05 * part(judge(true), "mel"));
  train();

  EXPECT_LE(part(judge(true), "mel"), 0.9 * part(judge(false), "mel"));
}

TEST_F(LearningTest, FramesFindTheirSymbolsAndSymbolsTheirDurations) {
  EXPECT_LT(share_of_right_frames(), 0.7);
  EXPECT_GT(share_of_missed_frames(), 0.3);
  train();

  EXPECT_GT(share_of_right_frames(), 0.9);
  EXPECT_LT(share_of_missed_frames(), 0.2);
}

}  // namespace
}  // namespace xtts::step
