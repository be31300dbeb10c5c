#include "model/acoustic_model_torch.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <ATen/CPUGeneratorImpl.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "model/heads_torch.h"
#include "unit/model/small_model_torch.h"

namespace myxtts::model {
namespace {

// A model with noise in every parameter and a batch for it.
class AcousticModelTest : public testing::Test {
 protected:
  AcousticModelTest() { add_noise(model_.parameters(), 0.1, 3); }

  ForwardResult forward(data::MicroBatch& batch, const ForwardSettings& settings = {}) const {
    return model_.forward(inputs_of(batch), settings, durations_);
  }

  torch::Tensor speaker() const {
    return random_tensor({model_.config().speaker_embedding_dim}, 4);
  }

  // Makes the model predict `frames` frames for every symbol.
  void set_durations(double frames) {
    const torch::NoGradGuard no_grad;
    parameter(model_.parameters(), "duration.out.weight").zero_();
    parameter(model_.parameters(), "duration.out.bias").fill_(std::log(frames));
  }

  static config::ModelConfig config() {
    config::ModelConfig config = small_config();
    config.dropout_rate = 0.3;
    return config;
  }

  AcousticModel model_{config(), kNumSymbols, /*seed=*/2};
  std::vector<Row> rows_ = random_rows(4, 1);
  data::Signature signature_ = signature_of(rows_, /*spare=*/3);
  data::MicroBatch batch_ = batch_of(rows_, signature_);
  torch::Tensor durations_ = durations_of(rows_, signature_);
  ForwardSettings no_dropout_{.training = false};
};

TEST_F(AcousticModelTest, TextAffectsOnlyItsRow) {
  const torch::Tensor before = forward(batch_, no_dropout_).mel;
  data::MicroBatch other = batch_;
  const auto index = static_cast<std::size_t>(2 * signature_.text + 1);  // in row 2
  other.text[index] = other.text[index] % (kNumSymbols - 1) + 1;

  const torch::Tensor change = (forward(other, no_dropout_).mel - before).abs().amax({1, 2});

  EXPECT_GT(change[2].item<double>(), 1e-3);
  EXPECT_EQ(change[0].item<double>() + change[1].item<double>() + change[3].item<double>(), 0.0);
}

TEST_F(AcousticModelTest, ReferenceAffectsOnlyItsRow) {
  const torch::Tensor before = forward(batch_, no_dropout_).mel;
  data::MicroBatch other = batch_;
  other.reference[static_cast<std::size_t>(kReferenceFrames * kChannels)] += 3.0F;  // in row 1

  const torch::Tensor change = (forward(other, no_dropout_).mel - before).abs().amax({1, 2});

  EXPECT_GT(change[1].item<double>(), 1e-4);
  EXPECT_EQ(change[0].item<double>() + change[2].item<double>() + change[3].item<double>(), 0.0);
}

TEST_F(AcousticModelTest, ContentOfPaddingChangesNoBit) {
  const ForwardResult before = forward(batch_, no_dropout_);
  data::MicroBatch other = batch_;
  disturb_padding(other, 5);
  ASSERT_NE(other.text, batch_.text);
  ASSERT_NE(other.mel, batch_.mel);

  const ForwardResult after = forward(other, no_dropout_);

  for (std::size_t b = 0; b < rows_.size(); ++b) {
    const auto row = static_cast<std::int64_t>(b);
    EXPECT_TRUE(same_bits(after.mel[row].narrow(0, 0, rows_[b].num_frames()),
                          before.mel[row].narrow(0, 0, rows_[b].num_frames())));
  }
  EXPECT_TRUE(same_bits(after.sums.mel, before.sums.mel));
  EXPECT_TRUE(same_bits(after.sums.prior, before.sums.prior));
  EXPECT_TRUE(same_bits(after.sums.duration, before.sums.duration));
}

TEST_F(AcousticModelTest, GivenDurationsReplaceTheAlignmentSearch) {
  const ForwardResult searched = model_.forward(inputs_of(batch_), no_dropout_);
  for (std::size_t b = 0; b < rows_.size(); ++b) {
    const torch::Tensor found = searched.durations[static_cast<std::int64_t>(b)];
    EXPECT_EQ(found.sum().item<std::int64_t>(), rows_[b].num_frames());
    EXPECT_GE(found.narrow(0, 0, std::ssize(rows_[b].text)).min().item<std::int64_t>(), 1);
  }
  const ForwardResult given =
      model_.forward(inputs_of(batch_), no_dropout_, searched.durations.clone());
  EXPECT_TRUE(same_bits(given.mel, searched.mel));
  EXPECT_TRUE(same_bits(given.sums.prior, searched.sums.prior));
  EXPECT_FALSE(same_bits(forward(batch_, no_dropout_).sums.prior, searched.sums.prior));
}

TEST_F(AcousticModelTest, DropoutFollowsTheSeedAndIsOffOutsideOfTraining) {
  const auto mel_with_seed = [&](std::uint64_t seed, bool training) {
    at::manual_seed(seed);
    return forward(batch_, {.training = training}).mel;
  };

  const torch::Tensor one = mel_with_seed(1, true);
  EXPECT_TRUE(same_bits(mel_with_seed(1, true), one));
  EXPECT_GT(relative_difference(mel_with_seed(2, true), one), 1e-3);
  EXPECT_TRUE(same_bits(mel_with_seed(1, false), mel_with_seed(2, false)));
}

TEST_F(AcousticModelTest, NormalisesInputAndOutputMels) {
  const ForwardResult normal = forward(batch_, no_dropout_);
  data::MicroBatch scaled = batch_;
  for (std::vector<float>* values : {&scaled.mel, &scaled.reference})
    for (float& value : *values)
      value = value * 2.0F - 5.0F;
  model_.mel_normalisation() = {.mean = -5.0F, .std = 2.0F};

  const ForwardResult result = forward(scaled, no_dropout_);

  EXPECT_LE(relative_difference(result.sums.mel, normal.sums.mel), 1e-5);
  EXPECT_LE(relative_difference(result.sums.prior, normal.sums.prior), 1e-5);
  EXPECT_LE(relative_difference(result.mel, normal.mel * 2.0 - 5.0), 1e-5);
}

TEST_F(AcousticModelTest, InferenceIsDeterministicAndDependsOnTextAndSpeaker) {
  const torch::NoGradGuard no_grad;
  set_durations(3.0);
  const auto infer = [&](const std::vector<std::int64_t>& text, const torch::Tensor& embedding) {
    return model_.infer(torch::tensor(text, torch::kInt64), embedding).mel;
  };

  const torch::Tensor mel = infer({1, 2, 3, 4}, speaker());
  EXPECT_EQ(mel.sizes(), (std::vector<std::int64_t>{12, kChannels}));
  EXPECT_TRUE(same_bits(infer({1, 2, 3, 4}, speaker()), mel));
  EXPECT_GT(relative_difference(infer({1, 2, 5, 4}, speaker()), mel), 1e-3);
  EXPECT_GT(relative_difference(infer({1, 2, 3, 4}, speaker() + 1.0), mel), 1e-3);
  EXPECT_EQ(infer({7}, speaker()).size(0), 3);
}

TEST_F(AcousticModelTest, FlowInferenceFollowsTheSeedAndKeepsTheDefaultGenerator) {
  const torch::NoGradGuard no_grad;
  config::ModelConfig flow_config = config();
  flow_config.decoder = "flow";
  AcousticModel flow(flow_config, kNumSymbols, /*seed=*/2);
  add_noise(flow.parameters(), 0.1, 3);
  const torch::Tensor text = torch::tensor({1, 2, 3, 4}, torch::kInt64);
  const torch::Tensor before = at::detail::getDefaultCPUGenerator().get_state();

  const torch::Tensor mel = flow.infer(text, speaker(), {.seed = 5}).mel;
  EXPECT_TRUE(same_bits(flow.infer(text, speaker(), {.seed = 5}).mel, mel));
  EXPECT_GT(relative_difference(flow.infer(text, speaker(), {.seed = 6}).mel, mel), 1e-3);
  EXPECT_TRUE(at::detail::getDefaultCPUGenerator().get_state().equal(before));
}

TEST_F(AcousticModelTest, InferenceEqualsThePredictionOfForward) {
  const torch::NoGradGuard no_grad;
  set_durations(2.0);
  const std::vector<Row> rows = {{.text = {3, 1, 4, 1, 5},
                                  .durations = {2, 2, 2, 2, 2},
                                  .mel = random_values(10 * kChannels, 6),
                                  .reference = random_values(kReferenceFrames * kChannels, 7)}};
  const data::Signature signature = signature_of(rows, 4);
  data::MicroBatch batch = batch_of(rows, signature);
  const Inputs inputs = inputs_of(batch);

  const ForwardResult forward_result =
      model_.forward(inputs, no_dropout_, durations_of(rows, signature));
  const torch::Tensor speaker = model_.embed_speaker(inputs.reference, torch::kFloat32)[0];
  const torch::Tensor inferred =
      model_.infer(torch::tensor(rows[0].text, torch::kInt64), speaker).mel;

  EXPECT_LE(relative_difference(inferred, forward_result.mel[0].narrow(0, 0, 10)), 1e-5);
}

TEST_F(AcousticModelTest, InferenceUsesGivenDurations) {
  const torch::NoGradGuard no_grad;
  const std::vector<Row> rows = {{.text = {3, 1, 4, 1, 5},
                                  .durations = {1, 4, 2, 0, 3},
                                  .mel = random_values(10 * kChannels, 6),
                                  .reference = random_values(kReferenceFrames * kChannels, 7)}};
  const data::Signature signature = signature_of(rows);
  data::MicroBatch batch = batch_of(rows, signature);
  const Inputs inputs = inputs_of(batch);
  const torch::Tensor durations = durations_of(rows, signature);

  const ForwardResult forward_result = model_.forward(inputs, no_dropout_, durations);
  const torch::Tensor speaker = model_.embed_speaker(inputs.reference, torch::kFloat32)[0];
  const torch::Tensor text = torch::tensor(rows[0].text, torch::kInt64);
  const torch::Tensor inferred = model_.infer(text, speaker, {.durations = durations[0]}).mel;

  ASSERT_EQ(inferred.size(0), 10);
  EXPECT_LE(relative_difference(inferred, forward_result.mel[0]), 1e-5);
}

TEST_F(AcousticModelTest, SpeedDividesDurationsAndLimitsHold) {
  const torch::NoGradGuard no_grad;
  const torch::Tensor text = torch::tensor({1, 2, 3}, torch::kInt64);
  const auto num_frames = [&](double frames, double speed) {
    set_durations(frames);
    return model_.infer(text, speaker(), {.speed = speed}).mel.size(0);
  };

  EXPECT_EQ(num_frames(8.0, 1.0), 24);
  EXPECT_EQ(num_frames(8.0, 2.0), 12);
  EXPECT_EQ(num_frames(8.0, 0.5), 48);
  EXPECT_EQ(num_frames(1.0, 10.0), 3);
  EXPECT_EQ(num_frames(1e9, 1.0), static_cast<std::int64_t>(max_frames(3, 1.0)));
  EXPECT_EQ(num_frames(std::numeric_limits<double>::quiet_NaN(), 1.0), 3);
}

TEST(AcousticModel, AlignmentStartsFromTheSymbolMeans) {
  AcousticModel model(small_config(), kNumSymbols, 1);
  const std::vector<float> means = random_values(kNumSymbols * kChannels, 8);
  model.set_symbol_means(means);
  Row row{.text = {5, 2, 9},
          .durations = {4, 1, 3},
          .mel = {},
          .reference = random_values(kReferenceFrames * kChannels, 9)};
  for (std::size_t t = 0; t < row.text.size(); ++t)
    for (std::int64_t m = 0; m < row.durations[t]; ++m)
      for (std::int64_t c = 0; c < kChannels; ++c)
        row.mel.push_back(means[static_cast<std::size_t>(row.text[t] * kChannels + c)]);
  const std::vector<Row> rows = {row};
  const data::Signature signature = signature_of(rows, 2);
  data::MicroBatch batch = batch_of(rows, signature);

  const ForwardResult result = model.forward(inputs_of(batch), {});

  EXPECT_TRUE(result.durations.equal(durations_of(rows, signature))) << result.durations;
  EXPECT_NEAR(result.sums.prior.item<double>(), 0.0, 1e-5);
  EXPECT_THROW(model.set_symbol_means(std::vector<float>(3)), BugError);
}

TEST(AcousticModel, CropEqualsThePartOfTheUtterance) {
  constexpr std::int64_t kCropFrames = 16;
  constexpr std::int64_t kReach = 6;  // receptive field of two blocks to each side
  config::ModelConfig config = small_config();
  AcousticModel whole_model(config, kNumSymbols, 2);
  config.decoder_crop_frames = kCropFrames;
  AcousticModel crop_model(config, kNumSymbols, 2);
  for (AcousticModel* model : {&whole_model, &crop_model})
    add_noise(model->parameters(), 0.1, 3);
  const std::vector<Row> rows = random_rows(6, 1, kCropFrames);
  const data::Signature signature = signature_of(rows);
  data::MicroBatch batch = batch_of(rows, signature);
  const Inputs inputs = inputs_of(batch);
  const torch::Tensor durations = durations_of(rows, signature);

  const ForwardResult whole = whole_model.forward(inputs, {}, durations);
  const ForwardResult crop = crop_model.forward(inputs, {}, durations);

  double error = 0.0;
  std::int64_t largest_start = 0;
  for (std::int64_t b = 0; b < signature.batch; ++b) {
    const Row& row = rows[static_cast<std::size_t>(b)];
    const std::int64_t frames = std::min(kCropFrames, row.num_frames());
    const torch::Tensor recorded = inputs.mel[b].narrow(0, row.crop_start, frames);
    error += (recorded - crop.mel[b].narrow(0, 0, frames)).abs().sum().item<double>();
    largest_start = std::max(largest_start, row.crop_start);
    if (frames < kCropFrames) continue;
    const torch::Tensor inside = crop.mel[b].narrow(0, kReach, kCropFrames - 2 * kReach);
    const torch::Tensor same =
        whole.mel[b].narrow(0, row.crop_start + kReach, kCropFrames - 2 * kReach);
    EXPECT_LE(relative_difference(inside, same), 1e-5) << "row " << b;
  }
  EXPECT_GT(largest_start, 0);
  EXPECT_NEAR(crop.sums.mel.item<double>(), error, 1e-5 * error);
  EXPECT_TRUE(same_bits(crop.sums.prior, whole.sums.prior));
}

TEST(AcousticModel, DiscriminatorIsUsedOnlyInTrainingOfRegressionDecoders) {
  const std::vector<Row> rows = random_rows(3, 1, /*crop=*/0);
  data::MicroBatch batch = batch_of(rows, signature_of(rows));
  const Inputs inputs = inputs_of(batch);
  const auto uses_discriminator = [&](const config::ModelConfig& config, bool training) {
    const AcousticModel model(config, kNumSymbols, 2);
    const LossSums sums = model.forward(inputs, {.training = training}).sums;
    EXPECT_EQ(sums.discriminator.defined(), sums.generator.defined());
    EXPECT_EQ(sums.discriminator.defined(), sums.feature_matching.defined());
    return sums.discriminator.defined();
  };
  config::ModelConfig flow = small_config();
  flow.decoder = "flow";
  config::ModelConfig disabled = small_config();
  disabled.mel_discriminator_channels = 0;

  EXPECT_TRUE(uses_discriminator(small_config(), true));
  EXPECT_FALSE(uses_discriminator(small_config(), false));
  EXPECT_FALSE(uses_discriminator(flow, true));
  EXPECT_FALSE(uses_discriminator(disabled, true));
}

TEST(AcousticModel, SeedDeterminesTheParameters) {
  AcousticModel one(small_config(), kNumSymbols, 1);
  AcousticModel again(small_config(), kNumSymbols, 1);
  AcousticModel other(small_config(), kNumSymbols, 2);

  EXPECT_TRUE(same_bits(one.parameters().values(), again.parameters().values()));
  EXPECT_FALSE(same_bits(one.parameters().values(), other.parameters().values()));
  EXPECT_EQ(one.parameters().names(), other.parameters().names());
}

TEST(AcousticModel, RejectsInconsistentSizes) {
  config::ModelConfig config = small_config();
  config.text_encoder_heads = 3;  // does not divide 16
  EXPECT_THROW(AcousticModel(config, kNumSymbols, 1), UsageError);
  config.text_encoder_heads = 16;  // rotary embeddings need an even head width
  EXPECT_THROW(AcousticModel(config, kNumSymbols, 1), UsageError);
}

}  // namespace
}  // namespace myxtts::model
