#include "bench/bench_training_torch.h"

#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "data/run_plan.h"

namespace myxtts::bench {
namespace {

config::Config small_batches() {
  config::Config config;
  config.data.batch_size = 2;
  config.training.precision = "fp32";
  return config;
}

data::ShapePlan plan_of(const config::Config& config, const data::FeatureSet& features) {
  return data::plan_run(data::shape_settings_of(config), features.lengths(), {});
}

TEST(NoiseCorpus, IsDeterministicAndHasTheLengthsOfSpeech) {
  const data::FeatureSet features = noise_corpus(/*n_mels=*/2);

  const std::size_t last = features.utterances.size() - 1;
  EXPECT_EQ(noise_corpus(/*n_mels=*/2).mel(last).values, features.mel(last).values);
  for (const data::Lengths& lengths : features.lengths()) {
    EXPECT_GE(lengths.mel, 100);
    EXPECT_LE(lengths.mel, 740);
    EXPECT_NEAR(static_cast<double>(lengths.text) / static_cast<double>(lengths.mel), 0.2, 0.03);
  }
}

TEST(BenchTraining, FirstBatchesAreAnEpochUnlessACountIsGiven) {
  const config::Config config = small_batches();
  const data::FeatureSet features = noise_corpus(config.model.n_mels);
  const data::ShapePlan plan = plan_of(config, features);

  const std::vector<data::Batch> all = first_batches(features, plan, config);

  EXPECT_EQ(all.front().epoch, 0);
  EXPECT_EQ(all.back().epoch, 0);
  EXPECT_EQ(all.back().next, (data::LoaderPosition{.epoch = 1, .batch = 0}));
  EXPECT_EQ(first_batches(features, plan, config, 3).size(), 3U);
}

TEST(BenchTraining, APreparedStepAllocatesNoHeapMemoryAndHasTheEagerLoss) {
  const config::Config config = small_batches();
  const data::FeatureSet features = noise_corpus(config.model.n_mels);
  const data::ShapePlan plan = plan_of(config, features);
  data::Batch batch = first_batches(features, plan, config, 1).front();
  BenchTraining eager(config, /*is_prepared=*/false);
  BenchTraining prepared(config, /*is_prepared=*/true);
  prepared.prepare(std::span(&batch.micro_batches.front().signature, 1));

  const double expected = eager.step.run(batch, kBenchLearningRate, 0.0).loss;
  const double found = prepared.step.run(batch, kBenchLearningRate, 0.0).loss;

  EXPECT_EQ(found, expected);
  EXPECT_EQ(prepared.runner.heap_requests(), 0U);
  EXPECT_TRUE(prepared.runner.take_deviations().empty());
}

}  // namespace
}  // namespace myxtts::bench
