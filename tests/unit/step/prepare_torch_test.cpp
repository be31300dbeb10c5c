#include "step/prepare_torch.h"

#include <ATen/CPUGeneratorImpl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "step/acoustic_objective_torch.h"
#include "step/precision_torch.h"
#include "step/step_allocator_torch.h"
#include "support/scale.h"
#include "unit/model/small_model_torch.h"

namespace myxtts::step {
namespace {

using data::Signature;
using model::Row;

constexpr int kPreparedCrop = 12;
constexpr BatchProperties kProperties{
    .n_mels = model::kChannels, .reference_frames = model::kReferenceFrames, .mel_pad = -11.5F};
const std::vector<Signature> kSignatures = {{.batch = 4, .text = 8, .mel = 24},
                                            {.batch = 3, .text = 9, .mel = 43},
                                            {.batch = 2, .text = 12, .mel = 64}};

config::ModelConfig with_everything() {
  config::ModelConfig config = model::small_config();
  config.decoder_crop_frames = kPreparedCrop;
  config.use_energy_predictor = true;
  config.dropout_rate = 0.1;
  config.decoder = "flow";
  return config;
}

// A model with its step, prepared or eager. All instances start identically.
struct PreparedRun {
  PreparedRun(bool is_prepared,
              torch::ScalarType type,
              const config::ModelConfig& config = with_everything(),
              const std::vector<Signature>& signatures = kSignatures,
              const BatchProperties& properties = kProperties)
      : model(config, model::kNumSymbols, /*seed=*/2),
        optimizer(noisy(model.parameters()), training()),
        objective(model, training()),
        runner(tensor_memory()),
        step(objective, optimizer, type, is_prepared ? &runner : nullptr) {
    if (is_prepared) prepare(step, runner, model.parameters(), optimizer, signatures, properties);
  }

  static model::ParameterSet& noisy(model::ParameterSet& parameters) {
    add_noise(parameters, 0.1, 3);
    return parameters;
  }

  // Clips only some updates.
  static config::TrainingConfig training() {
    config::TrainingConfig training;
    training.gradient_clip_norm = 1.0;
    return training;
  }

  model::AcousticModel model;
  FlatOptimizer optimizer;
  AcousticObjective objective;
  PreparedRunner runner;
  TrainStep step;
};

// Returns a batch of rows that fit into the signature of the step; every third has two
// micro-batches.
data::Batch batch_at(int step) {
  data::Batch batch;
  const Signature& signature = kSignatures[static_cast<std::size_t>(step) % kSignatures.size()];
  for (int part = 0; part < (step % 3 == 2 ? 2 : 1); ++part) {
    std::vector<Row> rows;
    for (std::uint64_t seed = 1; std::ssize(rows) < signature.batch; ++seed) {
      const auto source = static_cast<std::uint64_t>(step * 1000 + part * 100) + seed;
      const Row row = model::random_rows(1, source, kPreparedCrop).front();
      const data::Lengths lengths{.text = std::ssize(row.text), .mel = row.num_frames()};
      if (holds(signature, lengths)) rows.push_back(row);
    }
    batch.micro_batches.push_back(model::batch_of(rows, signature));
    batch.counts += data::counts_of(batch.micro_batches.back(), kPreparedCrop);
  }
  return batch;
}

void expect_same_state(PreparedRun& one, PreparedRun& other) {
  EXPECT_TRUE(model::same_bits(one.model.parameters().values(), other.model.parameters().values()));
  EXPECT_TRUE(model::same_bits(one.optimizer.first_moment, other.optimizer.first_moment));
  EXPECT_TRUE(model::same_bits(one.optimizer.second_moment, other.optimizer.second_moment));
  EXPECT_TRUE(model::same_bits(one.optimizer.ema, other.optimizer.ema));
  EXPECT_TRUE(model::same_bits(one.optimizer.count, other.optimizer.count));
}

class Prepare : public testing::TestWithParam<torch::ScalarType> {
 protected:
  void SetUp() override {
    if (GetParam() == torch::kBFloat16 && !bf16_works()) GTEST_SKIP() << "no bfloat16 here";
  }
};

INSTANTIATE_TEST_SUITE_P(Types,
                         Prepare,
                         testing::Values(torch::kFloat32, torch::kBFloat16),
                         [](const auto& it) { return std::string(torch::toString(it.param)); });

TEST_P(Prepare, ChangesNoState) {
  at::manual_seed(5);
  const torch::Tensor generator = at::detail::getDefaultCPUGenerator().get_state();
  PreparedRun eager(/*is_prepared=*/false, GetParam());
  PreparedRun prepared(/*is_prepared=*/true, GetParam());

  expect_same_state(prepared, eager);
  EXPECT_EQ(prepared.optimizer.gradient_norm(), 0.0);
  EXPECT_TRUE(model::same_bits(at::detail::getDefaultCPUGenerator().get_state(), generator));
  for (const Signature& signature : kSignatures) {
    EXPECT_TRUE(prepared.runner.knows({.kind = PhaseKind::kTrain, .signature = signature}));
    EXPECT_TRUE(prepared.runner.knows({.kind = PhaseKind::kValidate, .signature = signature}));
  }
}

// Losses, gradients and weights of replays are bit-identical to the eager step, without heap
// allocations.
TEST_P(Prepare, ReplaysAreBitIdenticalToTheEagerStep) {
  const int num_steps = 51 * support::test_scale();
  std::vector<StepReport> reports;
  std::vector<torch::Tensor> gradients;
  PreparedRun eager(/*is_prepared=*/false, GetParam());
  at::manual_seed(5);
  for (int i = 0; i < num_steps; ++i) {
    data::Batch batch = batch_at(i);
    reports.push_back(eager.step.run(batch, 1e-3, i < 20 ? 1.0 : 0.0));
    gradients.push_back(eager.model.parameters().gradients().clone());
    if (i % 10 == 9) reports.push_back(eager.step.validate(std::span(&batch, 1)));
  }

  PreparedRun prepared(/*is_prepared=*/true, GetParam());
  at::manual_seed(5);
  std::size_t next = 0;
  for (int i = 0; i < num_steps; ++i) {
    data::Batch batch = batch_at(i);
    const StepReport report = prepared.step.run(batch, 1e-3, i < 20 ? 1.0 : 0.0);
    ASSERT_EQ(report.loss, reports[next].loss) << "step " << i;
    ASSERT_EQ(report.parts, reports[next].parts) << "step " << i;
    ASSERT_EQ(report.grad_norm, reports[next++].grad_norm) << "step " << i;
    ASSERT_TRUE(model::same_bits(prepared.model.parameters().gradients(),
                                 gradients[static_cast<std::size_t>(i)]))
        << "step " << i;
    if (i % 10 == 9) {
      ASSERT_EQ(prepared.step.validate(std::span(&batch, 1)).loss, reports[next++].loss);
    }
  }

  expect_same_state(prepared, eager);
  for (const Deviation& deviation : prepared.runner.take_deviations())
    ADD_FAILURE() << data::name_of(deviation.phase.signature) << ": " << deviation.what;
  EXPECT_EQ(prepared.runner.heap_requests(), 0U);
}

TEST_P(Prepare, ARejectedUpdateIsNoDeviation) {
  PreparedRun run(/*is_prepared=*/true, GetParam());
  data::Batch bad = batch_at(0);
  bad.micro_batches[0].mel[5] = std::numeric_limits<float>::quiet_NaN();

  EXPECT_EQ(run.step.run(bad, 1e-3, 0.0).not_finite, "loss");
  EXPECT_TRUE(run.runner.take_deviations().empty());
  data::Batch good = batch_at(3);
  EXPECT_EQ(run.step.run(good, 1e-3, 0.0).not_finite, "");
  EXPECT_TRUE(run.runner.take_deviations().empty());
}

// A shape with one frame more than a prepared one runs eagerly.
TEST_P(Prepare, UnpreparedShapesRunOnTheHeap) {
  PreparedRun run(/*is_prepared=*/true, GetParam());
  const std::vector<Row> rows = model::random_rows(2, 9, kPreparedCrop);
  const Signature other = model::signature_of(rows, 1);
  data::Batch batch;
  batch.micro_batches.push_back(model::batch_of(rows, other));
  batch.counts = data::counts_of(batch.micro_batches.back(), kPreparedCrop);

  EXPECT_FALSE(run.runner.knows({.kind = PhaseKind::kTrain, .signature = other}));
  EXPECT_EQ(run.step.run(batch, 1e-3, 0.0).not_finite, "");
}

std::int64_t page_faults() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt;
}

// Uses about the size of a real training step.
TEST(PreparedStep, CausesNoPageFaults) {
  const Signature signature{.batch = 4, .text = 64, .mel = 320};
  const BatchProperties properties{.n_mels = 80, .reference_frames = 258, .mel_pad = -11.5F};
  const auto faults_of = [&](bool is_prepared) {
    PreparedRun run(is_prepared, torch::kFloat32, config::ModelConfig{}, {signature}, properties);
    data::Batch batch = example_batch(signature, properties);
    run.step.run(batch, 1e-3, 0.0);
    const std::int64_t before = page_faults();
    for (int i = 0; i < 3; ++i)
      run.step.run(batch, 1e-3, 0.0);
    return (page_faults() - before) / 3;
  };
  const std::int64_t eager = faults_of(false);
  const std::int64_t prepared = faults_of(true);
  RecordProperty("eager", static_cast<int>(eager));
  RecordProperty("prepared", static_cast<int>(prepared));
  EXPECT_LT(prepared, 100);
  EXPECT_LT(2 * prepared, eager);
}

}  // namespace
}  // namespace myxtts::step
