#include "step/captured_work_torch.h"

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.h"
#include "step/acoustic_objective_torch.h"
#include "step/captured_step.h"
#include "step/train_step_torch.h"
#include "unit/model/small_model_torch.h"
#include "unit/step/immediate_device.h"

namespace myxtts::step {
namespace {

constexpr int kCropFrames = 12;
constexpr double kClose = 1e-5;  // relative; some sums have another order

config::ModelConfig captured_config(bool energy) {
  config::ModelConfig config = model::small_config();
  config.decoder_crop_frames = kCropFrames;
  config.use_energy_predictor = energy;
  return config;
}

struct ModelAndOptimizer {
  explicit ModelAndOptimizer(bool energy)
      : model(captured_config(energy), model::kNumSymbols, /*seed=*/2),
        optimizer(noisy(model.parameters()), training) {}

  static model::ParameterSet& noisy(model::ParameterSet& parameters) {
    add_noise(parameters, 0.1, 3);
    return parameters;
  }

  config::TrainingConfig training;
  model::AcousticModel model;
  FlatOptimizer optimizer;
};

// Returns a batch of micro-batches with one signature and two random rows each.
data::Batch random_batch(const data::Signature& signature,
                         std::size_t micro_batches,
                         std::uint64_t seed) {
  data::Batch batch;
  for (std::size_t i = 0; i < micro_batches; ++i) {
    const std::vector<model::Row> rows = model::random_rows(2, seed * 10 + i, kCropFrames);
    batch.micro_batches.push_back(model::batch_of(rows, signature));
    batch.counts += data::counts_of(batch.micro_batches.back(), kCropFrames);
  }
  return batch;
}

// Both are large enough for every random row: at most 7 symbols and 42 frames.
constexpr data::Signature kTight{.batch = 2, .text = 7, .mel = 42};
constexpr data::Signature kWide{.batch = 3, .text = 9, .mel = 50};

void expect_close(const StepReport& found, const StepReport& expected) {
  EXPECT_NEAR(found.loss, expected.loss, kClose * expected.loss);
  EXPECT_NEAR(found.grad_norm, expected.grad_norm, kClose * expected.grad_norm);
  EXPECT_EQ(found.not_finite, expected.not_finite);
  ASSERT_EQ(found.parts.size(), expected.parts.size());
  for (std::size_t i = 0; i < expected.parts.size(); ++i) {
    EXPECT_EQ(found.parts[i].first, expected.parts[i].first);
    EXPECT_NEAR(found.parts[i].second, expected.parts[i].second, kClose * expected.parts[i].second);
  }
}

class CapturedWorkTest : public testing::TestWithParam<bool> {
 protected:
  ModelAndOptimizer eager_{GetParam()};
  ModelAndOptimizer captured_{GetParam()};
  AcousticObjective objective_{eager_.model, eager_.training};
  TrainStep eager_step_{objective_, eager_.optimizer, torch::kFloat32};
  std::vector<data::Signature> plan_{kTight, kWide};
  ImmediateDevice device_;
  CapturedWork work_{captured_.model,
                     captured_.optimizer,
                     captured_.training,
                     torch::kFloat32,
                     plan_,
                     model::kReferenceFrames};
  CapturedStep step_{device_, work_, plan_};
};

// Covers alternating signatures, gradient accumulation, and scalars that change between steps.
TEST_P(CapturedWorkTest, EqualsTheEagerStepWithReportsOneStepLate) {
  std::vector<StepReport> expected;
  std::vector<StepReport> found;
  for (int i = 0; i < 8; ++i) {
    data::Batch batch = random_batch(i % 3 == 0 ? kWide : kTight,
                                     static_cast<std::size_t>(1 + i % 2),
                                     static_cast<std::uint64_t>(i));
    const double rate = 0.001 * (1 + i);
    const double diagonal = i < 4 ? 2.0 * (4 - i) : 0.0;
    expected.push_back(eager_step_.run(batch, rate, diagonal));
    const std::optional<LateReport> late = step_.run(batch, i, rate, diagonal);
    EXPECT_EQ(late.has_value(), i > 0);
    if (late) found.push_back(late->report);
  }
  found.push_back(step_.flush()->report);

  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    SCOPED_TRACE(i);
    expect_close(found[i], expected[i]);
  }
  EXPECT_LE(model::relative_difference(captured_.model.parameters().values(),
                                       eager_.model.parameters().values()),
            kClose);
  EXPECT_LE(model::relative_difference(captured_.optimizer.ema, eager_.optimizer.ema), kClose);
  EXPECT_EQ(captured_.optimizer.num_updates(), 8);
}

TEST_P(CapturedWorkTest, PreparingChangesNoState) {
  const auto state = [&] {
    return std::vector<torch::Tensor>{captured_.model.parameters().values().clone(),
                                      captured_.optimizer.first_moment.clone(),
                                      captured_.optimizer.second_moment.clone(),
                                      captured_.optimizer.count.clone(),
                                      captured_.optimizer.ema.clone()};
  };
  step_.run(random_batch(kTight, 1, 1), 0, 0.01, 1.0);
  step_.flush();
  const std::vector<torch::Tensor> before = state();

  step_.prepare(kWide);
  CapturedStep another(device_, work_, plan_);
  another.prepare(kTight);

  const std::vector<torch::Tensor> after = state();
  for (std::size_t k = 0; k < before.size(); ++k)
    EXPECT_TRUE(model::same_bits(after[k], before[k])) << k;
}

TEST_P(CapturedWorkTest, SkipsAStepThatIsNotFiniteWithoutSideEffects) {
  data::Batch bad = random_batch(kTight, 2, 1);
  bad.micro_batches[0].mel[3] = std::numeric_limits<float>::quiet_NaN();
  const torch::Tensor before = captured_.model.parameters().values().clone();
  step_.run(bad, 0, 0.01, 0.0);
  const LateReport late = *step_.flush();
  EXPECT_EQ(late.report.not_finite, "loss");
  EXPECT_EQ(step_.num_skipped(), 1);
  EXPECT_TRUE(model::same_bits(captured_.model.parameters().values(), before));

  data::Batch good = random_batch(kTight, 1, 2);
  step_.run(good, 1, 0.01, 0.0);
  expect_close(step_.flush()->report, eager_step_.run(good, 0.01, 0.0));
  EXPECT_EQ(captured_.optimizer.num_updates(), 1);
}

TEST_P(CapturedWorkTest, RejectsInvalidLengths) {
  data::Batch batch = random_batch(kTight, 1, 1);
  batch.micro_batches[0].text_lengths[1] = batch.micro_batches[0].mel_lengths[1] + 1;
  EXPECT_THROW(step_.run(batch, 0, 0.01, 0.0), BugError);
}

INSTANTIATE_TEST_SUITE_P(Energy, CapturedWorkTest, testing::Bool());

}  // namespace
}  // namespace myxtts::step
