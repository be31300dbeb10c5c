// Padding a batch, splitting it or accumulating gradients changes loss sums and gradients by
// rounding only.
#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/acoustic_model_torch.h"
#include "unit/model/small_model_torch.h"

namespace myxtts::model {
namespace {

constexpr double kRounding = 1e-5;  // relative to each gradient's largest value
constexpr std::int64_t kCrop = 12;  // frames; rows have 3 to 42

struct Variant {
  std::string name;
  bool crops = false;
  bool energy = false;
  bool speaker = true;
};

const std::vector<Variant> kVariants = {{.name = "whole"},
                                        {.name = "crops", .crops = true},
                                        {.name = "energy", .energy = true},
                                        {.name = "crops and energy", .crops = true, .energy = true},
                                        {.name = "no speaker", .speaker = false}};

// Loss sums in the order of LossSums and the gradients of their total.
struct LossAndGradients {
  torch::Tensor sums;       // [4]
  torch::Tensor gradients;  // [N]
};

class Subject {
 public:
  explicit Subject(const Variant& variant)
      : rows(random_rows(6, 1, variant.crops ? kCrop : 0)),
        model_(config_of(variant), kNumSymbols, 2) {
    add_noise(model_.parameters(), 0.1, 3);
  }

  // Resets gradients and sums, which every batch adds to.
  void begin() {
    model_.parameters().gradients().zero_();
    sums_ = torch::zeros({4});
  }

  // Adds rows first .. first + count as a batch of this signature; other rows are empty.
  void add(std::size_t first, std::size_t count, const data::Signature& signature) {
    const std::span<const Row> some = std::span(rows).subspan(first, count);
    data::MicroBatch batch = batch_of(some, signature);
    disturb_padding(batch, 5);
    const ForwardResult result =
        model_.forward(inputs_of(batch), {}, durations_of(some, signature));
    const LossSums& sums = result.sums;
    const torch::Tensor energy = sums.energy.defined() ? sums.energy : torch::zeros({});
    const torch::Tensor all = torch::stack({sums.mel, sums.prior, sums.duration, energy});
    sums_ += all.detach();
    all.sum().backward();
  }

  LossAndGradients result() { return {sums_.clone(), model_.parameters().gradients().clone()}; }

  // Runs all rows as one batch with `spare` symbols and frames of padding.
  LossAndGradients whole(std::int64_t spare = 0, std::int64_t empty_rows = 0) {
    begin();
    data::Signature signature = signature_of(rows, spare);
    signature.batch += empty_rows;
    add(0, rows.size(), signature);
    return result();
  }

  void expect_same(const LossAndGradients& found, const LossAndGradients& expected) {
    for (std::int64_t i = 0; i < 4; ++i)
      EXPECT_LE(relative_difference(found.sums[i], expected.sums[i]), kRounding) << "sum " << i;
    const ParameterSet& parameters = model_.parameters();
    const std::vector<torch::Tensor> one = parameters.views_of(found.gradients);
    const std::vector<torch::Tensor> other = parameters.views_of(expected.gradients);
    for (std::size_t i = 0; i < one.size(); ++i)
      EXPECT_LE(relative_difference(one[i], other[i]), kRounding) << parameters.names()[i];
  }

  const std::vector<Row> rows;

 private:
  static config::ModelConfig config_of(const Variant& variant) {
    config::ModelConfig config = small_config();
    config.decoder_crop_frames = variant.crops ? static_cast<int>(kCrop) : 0;
    config.use_energy_predictor = variant.energy;
    config.use_voice_conditioning = variant.speaker;
    return config;
  }

  AcousticModel model_;
  torch::Tensor sums_;
};

TEST(AcousticModelPadding, MorePaddingKeepsLossesAndGradients) {
  for (const Variant& variant : kVariants) {
    SCOPED_TRACE(variant.name);
    Subject subject(variant);
    EXPECT_EQ(std::ranges::any_of(subject.rows, [](const Row& row) { return row.crop_start > 0; }),
              variant.crops);
    const LossAndGradients tight = subject.whole();
    ASSERT_GT(tight.gradients.abs().max().item<double>(), 0.0);

    subject.expect_same(subject.whole(/*spare=*/1), tight);
    subject.expect_same(subject.whole(/*spare=*/19), tight);
  }
}

TEST(AcousticModelPadding, EmptyRowsAddNoLossOrGradient) {
  for (const Variant& variant : kVariants) {
    SCOPED_TRACE(variant.name);
    Subject subject(variant);
    const LossAndGradients full = subject.whole();

    subject.expect_same(subject.whole(/*spare=*/2, /*empty_rows=*/3), full);

    subject.begin();
    subject.add(0, 0, {.batch = 2, .text = 5, .mel = 20});  // only empty rows
    EXPECT_TRUE(subject.result().sums.equal(torch::zeros({4})));
    EXPECT_TRUE(subject.result().gradients.equal(torch::zeros_like(full.gradients)));
  }
}

TEST(AcousticModelPadding, GradientAccumulationEqualsOneBatch) {
  for (const Variant& variant : kVariants) {
    SCOPED_TRACE(variant.name);
    Subject subject(variant);
    const LossAndGradients whole = subject.whole();

    subject.begin();  // two parts, each with its own signature
    subject.add(0, 2, signature_of(std::span(subject.rows).subspan(0, 2)));
    subject.add(2, 4, signature_of(std::span(subject.rows).subspan(2, 4), 3));
    subject.expect_same(subject.result(), whole);

    subject.begin();  // each row alone
    for (std::size_t b = 0; b < subject.rows.size(); ++b)
      subject.add(b, 1, signature_of(std::span(subject.rows).subspan(b, 1)));
    subject.expect_same(subject.result(), whole);
  }
}

// Checks that the tests above can fail.
TEST(AcousticModelPadding, AMissingRowChangesTheResult) {
  Subject subject(kVariants[0]);
  const LossAndGradients whole = subject.whole();

  subject.begin();
  subject.add(0, subject.rows.size() - 1, signature_of(subject.rows));

  EXPECT_GT(relative_difference(subject.result().sums, whole.sums), 1e-2);
  EXPECT_GT(relative_difference(subject.result().gradients, whole.gradients), 1e-2);
}

}  // namespace
}  // namespace myxtts::model
