#include "step/train_step_torch.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "step/acoustic_objective_torch.h"
#include "step/precision_torch.h"
#include "unit/model/small_model_torch.h"

namespace myxtts::step {
namespace {

using model::Row;

constexpr int kCrop = 12;

// The state that an update changes.
struct Snapshot {
  torch::Tensor weights, first_moment, second_moment, count, ema;
};

void expect_same_bits(const Snapshot& found, const Snapshot& expected) {
  EXPECT_TRUE(model::same_bits(found.weights, expected.weights));
  EXPECT_TRUE(model::same_bits(found.first_moment, expected.first_moment));
  EXPECT_TRUE(model::same_bits(found.second_moment, expected.second_moment));
  EXPECT_TRUE(model::same_bits(found.count, expected.count));
  EXPECT_TRUE(model::same_bits(found.ema, expected.ema));
}

config::ModelConfig model_config() {
  config::ModelConfig config = model::small_config();
  config.decoder_crop_frames = kCrop;
  config.use_energy_predictor = true;
  return config;
}

// A model with its optimiser and step. All instances start identically.
struct SmallRun {
  explicit SmallRun(const config::TrainingConfig& training = {},
                    const config::ModelConfig& config = model_config(),
                    torch::ScalarType type = torch::kFloat32)
      : model(config, model::kNumSymbols, /*seed=*/2),
        optimizer(noisy(model.parameters()), training),
        objective(model, training),
        step(objective, optimizer, type) {}

  static model::ParameterSet& noisy(model::ParameterSet& parameters) {
    add_noise(parameters, 0.1, 3);
    return parameters;
  }

  Snapshot snapshot() {
    return {model.parameters().values().clone(),
            optimizer.first_moment.clone(),
            optimizer.second_moment.clone(),
            optimizer.count.clone(),
            optimizer.ema.clone()};
  }

  model::AcousticModel model;
  FlatOptimizer optimizer;
  AcousticObjective objective;
  TrainStep step;
};

// Returns a batch with one micro-batch of parts[i] rows for each i.
data::Batch make_batch(const std::vector<Row>& rows, const std::vector<std::size_t>& parts) {
  data::Batch batch;
  std::size_t first = 0;
  for (const std::size_t count : parts) {
    const std::span<const Row> some = std::span(rows).subspan(first, count);
    batch.micro_batches.push_back(model::batch_of(some, model::signature_of(some, 1)));
    batch.counts += data::counts_of(batch.micro_batches.back(), kCrop);
    first += count;
  }
  return batch;
}

// Returns a configuration without clipping, so that gradients stay unchanged.
config::TrainingConfig unclipped() {
  config::TrainingConfig training;
  training.gradient_clip_norm = 1e9;
  return training;
}

TEST(TrainStep, GradientAccumulationEqualsOneLargeBatch) {
  const std::vector<Row> rows = model::random_rows(6, 1, kCrop);
  const auto run = [&](const std::vector<std::size_t>& parts, torch::Tensor& gradients) {
    SmallRun one(unclipped());
    data::Batch batch = make_batch(rows, parts);
    const StepReport report = one.step.run(batch, 1e-3, /*diagonal=*/1.0);
    gradients = one.model.parameters().gradients().clone();
    return report;
  };
  torch::Tensor whole_gradients;
  torch::Tensor split_gradients;
  const StepReport whole = run({6}, whole_gradients);
  const StepReport split = run({1, 3, 2}, split_gradients);

  EXPECT_NEAR(split.loss, whole.loss, 1e-5 * whole.loss);
  EXPECT_NEAR(split.grad_norm, whole.grad_norm, 1e-5 * whole.grad_norm);
  EXPECT_LE(model::relative_difference(split_gradients, whole_gradients), 1e-5);
  const std::vector<std::string> names = {
      "mel", "prior", "duration", "energy", "disc", "gen", "fm"};
  ASSERT_EQ(whole.parts.size(), names.size());
  double weighted = 0.0;
  const LossWeights weights = loss_weights_of({});
  for (std::size_t i = 0; i < names.size(); ++i) {
    EXPECT_EQ(whole.parts[i].first, names[i]);
    EXPECT_NEAR(split.parts[i].second, whole.parts[i].second, 1e-5 * whole.parts[i].second);
    if (!loss_parts()[i].is_adversarial) weighted += weights[i] * whole.parts[i].second;
  }
  EXPECT_NEAR(whole.loss, weighted, 1e-5 * weighted);
}

// The loss is a mean, so duplicated rows change neither loss nor gradient.
TEST(TrainStep, DuplicatedRowsKeepTheLoss) {
  const std::vector<Row> once = model::random_rows(3, 1, kCrop);
  std::vector<Row> twice = once;
  twice.insert(twice.end(), once.begin(), once.end());
  SmallRun one(unclipped());
  SmallRun two(unclipped());
  data::Batch first = make_batch(once, {3});
  data::Batch second = make_batch(twice, {3, 3});

  const StepReport report = one.step.run(first, 1e-3, 0.0);

  EXPECT_NEAR(two.step.run(second, 1e-3, 0.0).loss, report.loss, 1e-5 * report.loss);
  EXPECT_LE(model::relative_difference(two.model.parameters().gradients(),
                                       one.model.parameters().gradients()),
            1e-5);
}

TEST(TrainStep, ReportsTheGradientNormBeforeClipping) {
  config::TrainingConfig training;
  training.gradient_clip_norm = 0.01;
  const std::vector<Row> rows = model::random_rows(3, 1, kCrop);
  SmallRun run(training);
  const Snapshot before = run.snapshot();
  data::Batch batch = make_batch(rows, {3});

  const StepReport report = run.step.run(batch, 1e-3, 0.0);

  EXPECT_EQ(report.not_finite, "");
  EXPECT_GT(report.grad_norm, 0.01);
  EXPECT_NEAR(run.optimizer.gradient_norm(), 0.01, 1e-6);
  EXPECT_EQ(run.optimizer.num_updates(), 1);
  EXPECT_FALSE(model::same_bits(run.snapshot().weights, before.weights));
}

// Steps before and after a bad batch are identical to those of a run without it.
TEST(TrainStep, ALossThatIsNotFiniteChangesNoState) {
  const std::vector<Row> rows = model::random_rows(4, 1, kCrop);
  for (const float bad_value :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    SmallRun run;
    SmallRun healthy;
    for (SmallRun* one : {&run, &healthy}) {
      data::Batch good = make_batch(rows, {4});
      EXPECT_EQ(one->step.run(good, 1e-3, 0.0).not_finite, "");
    }
    data::Batch bad = make_batch(rows, {2, 2});
    bad.micro_batches[0].mel[5] = bad_value;

    EXPECT_EQ(run.step.run(bad, 1e-3, 0.0).not_finite, "loss");
    expect_same_bits(run.snapshot(), healthy.snapshot());

    for (SmallRun* one : {&run, &healthy}) {
      data::Batch good = make_batch(rows, {1, 3});
      EXPECT_EQ(one->step.run(good, 1e-3, 0.0).not_finite, "");
    }
    expect_same_bits(run.snapshot(), healthy.snapshot());
  }
}

TEST(TrainStep, AGradientThatIsNotFiniteChangesNoState) {
  const std::vector<Row> rows = model::random_rows(2, 1, kCrop);
  for (const double bad_value :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    SmallRun run;
    data::Batch good = make_batch(rows, {2});
    run.step.run(good, 1e-3, 0.0);
    const Snapshot before = run.snapshot();
    // Makes one gradient not finite while the loss stays finite.
    const torch::Tensor parameter = run.model.parameters().tensors()[3];
    const unsigned hook = parameter.register_hook([bad_value](const torch::Tensor& gradient) {
      return torch::full_like(gradient, bad_value);
    });
    data::Batch bad = make_batch(rows, {2});

    const StepReport report = run.step.run(bad, 1e-3, 0.0);

    EXPECT_EQ(report.not_finite, "gradient");
    EXPECT_TRUE(std::isfinite(report.loss));
    expect_same_bits(run.snapshot(), before);
    parameter.remove_hook(hook);
    EXPECT_EQ(run.step.run(good, 1e-3, 0.0).not_finite, "");
  }
}

TEST(TrainStep, ValidationReturnsTheMeanOverTheSetAndChangesNoState) {
  config::ModelConfig config = model_config();
  config.dropout_rate = 0.5;  // must not be applied in validation
  const std::vector<Row> rows = model::random_rows(5, 1, kCrop);
  SmallRun run({}, config);
  const Snapshot before = run.snapshot();
  std::vector<data::Batch> whole = {make_batch(rows, {5})};
  const data::Batch split = make_batch(rows, {2, 3});
  std::vector<data::Batch> parts;
  for (const data::MicroBatch& batch : split.micro_batches) {
    data::Batch one;
    one.micro_batches.push_back(batch);
    one.counts = split.counts;
    parts.push_back(one);
  }

  const StepReport report = run.step.validate(whole);

  EXPECT_NEAR(run.step.validate(parts).loss, report.loss, 1e-5 * report.loss);
  EXPECT_EQ(run.step.validate(whole).loss, report.loss);
  EXPECT_EQ(report.parts.size(), 4U);
  EXPECT_EQ(report.grad_norm, 0.0);
  expect_same_bits(run.snapshot(), before);
  EXPECT_EQ(run.optimizer.gradient_norm(), 0.0);
}

TEST(TrainStep, SeedDeterminesTheUpdates) {
  config::ModelConfig config = model_config();
  config.dropout_rate = 0.2;
  const std::vector<Row> rows = model::random_rows(3, 1, kCrop);
  const auto trained_with = [&](std::uint64_t seed) {
    at::manual_seed(seed);
    SmallRun run({}, config);
    for (int i = 0; i < 3; ++i) {
      data::Batch batch = make_batch(rows, {2, 1});
      run.step.run(batch, 1e-3, 0.0);
    }
    return run.snapshot();
  };

  const Snapshot one = trained_with(1);
  expect_same_bits(trained_with(1), one);
  EXPECT_FALSE(model::same_bits(trained_with(2).weights, one.weights));
}

TEST(TrainStep, Bf16GradientsHaveTheSameDirection) {
  if (!bf16_works()) GTEST_SKIP() << "no bfloat16 on this machine";
  const std::vector<Row> rows = model::random_rows(4, 1, kCrop);
  SmallRun exact(unclipped());
  SmallRun bf16(unclipped(), model_config(), torch::kBFloat16);
  data::Batch batch = make_batch(rows, {4});

  // A strong diagonal prior, so that rounding does not change the alignment.
  const StepReport expected = exact.step.run(batch, 1e-3, 1e3);
  const StepReport found = bf16.step.run(batch, 1e-3, 1e3);

  EXPECT_NEAR(found.loss, expected.loss, 0.02 * expected.loss);
  const torch::Tensor one = exact.model.parameters().gradients();
  const torch::Tensor other = bf16.model.parameters().gradients();
  EXPECT_EQ(other.scalar_type(), torch::kFloat32);
  EXPECT_GT((one.dot(other) / one.norm() / other.norm()).item<double>(), 0.99);
}

}  // namespace
}  // namespace myxtts::step
