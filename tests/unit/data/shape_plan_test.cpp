#include "data/shape_plan.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "base/error.h"
#include "data/epoch_order.h"
#include "support/scale.h"
#include "unit/data/random_corpus.h"

namespace myxtts::data {
namespace {

double mean_mel(const std::vector<Lengths>& lengths) {
  double sum = 0.0;
  for (const Lengths& one : lengths)
    sum += static_cast<double>(one.mel);
  return sum / static_cast<double>(lengths.size());
}

std::string error_of(const std::vector<Lengths>& lengths, const PlanSettings& settings) {
  try {
    make_shape_plan(lengths, settings);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

// Lengths that need two signatures: `count` short ones with short texts, and as many long ones.
std::vector<Lengths> two_kinds(std::size_t count) {
  std::vector<Lengths> lengths(count, {.text = 16, .mel = 96});
  lengths.insert(lengths.end(), count, {.text = 80, .mel = 496});
  return lengths;
}

// Checks the guarantees of every plan.
void expect_valid(const ShapePlan& plan,
                  const std::vector<Lengths>& lengths,
                  const PlanSettings& settings) {
  ASSERT_FALSE(plan.signatures.empty());
  EXPECT_LE(std::ssize(plan.signatures), settings.max_signatures.value_or(kMaxSignatures));
  EXPECT_LE(std::ssize(plan.signatures),
            std::max<std::int64_t>(1, std::ssize(lengths) / (4 * settings.batch_size)));
  for (std::size_t i = 0; i < plan.signatures.size(); ++i) {
    const Signature& signature = plan.signatures[i];
    EXPECT_GE(signature.batch, 1);
    EXPECT_EQ(signature.text % 8, 0);
    EXPECT_EQ(signature.mel % 8, 0);
    if (i == 0) continue;
    EXPECT_GT(signature.mel, plan.signatures[i - 1].mel);
    EXPECT_GE(signature.text, plan.signatures[i - 1].text);
  }
  std::vector<std::int64_t> members(plan.signatures.size());
  for (const Lengths& one : lengths) {
    const auto index = plan.find_signature(one);
    ASSERT_TRUE(index.has_value());
    EXPECT_TRUE(holds(plan.signatures[*index], one));
    ++members[*index];
  }
  EXPECT_TRUE(holds(plan.signatures.back(), settings.must_hold));
  if (plan.signatures.size() == 1) return;
  const int batch = settings.batch_size / settings.grad_accum;
  const double rows = batch * mean_mel(lengths);
  for (std::size_t i = 0; i < plan.signatures.size(); ++i) {
    const Signature& signature = plan.signatures[i];
    EXPECT_GE(members[i], 4 * signature.batch * settings.grad_accum);
    const auto all =
        std::max<std::int64_t>(1, std::llround(rows / static_cast<double>(signature.mel)));
    EXPECT_EQ(signature.batch, std::min(all, members[i] / (4 * settings.grad_accum)));
    EXPECT_GE(2 * signature.batch, all);
  }
}

TEST(MakeShapePlan, PlanIsValidForAnyCorpusAndSettings) {
  const int num_settings = 1000 * support::test_scale();
  for (int s = 0; s < num_settings; ++s) {
    SCOPED_TRACE(testing::Message() << "settings " << s);
    base::Random random(static_cast<std::uint64_t>(s));
    const PlanSettings settings = any_settings(random);
    const auto count = static_cast<std::size_t>(between(random, settings.grad_accum, 400));
    std::vector<Lengths> lengths = any_lengths(random, count);

    const ShapePlan plan = make_shape_plan(lengths, settings);

    expect_valid(plan, lengths, settings);
    random.shuffle(lengths);
    EXPECT_EQ(make_shape_plan(lengths, settings).signatures, plan.signatures) << "another order";
    if (testing::Test::HasFailure()) return;
  }
}

TEST(MakeShapePlan, LongestSignatureFitsTheRequiredLength) {
  const std::vector<Lengths> lengths = two_kinds(400);
  PlanSettings settings = settings_with(16);
  settings.must_hold = {.text = 90, .mel = 600};

  const ShapePlan plan = make_shape_plan(lengths, settings);

  ASSERT_EQ(plan.signatures.size(), 2U);
  EXPECT_EQ(plan.signatures[0], (Signature{.batch = 49, .text = 16, .mel = 96}));
  EXPECT_EQ(plan.signatures[1], (Signature{.batch = 8, .text = 96, .mel = 600}));
}

TEST(MakeShapePlan, AutomaticPlanAddsSignaturesWhileTheySaveEnough) {
  std::set<int> sizes;
  for (std::int64_t spread = 0; spread <= 300; spread += 10) {
    base::Random random(static_cast<std::uint64_t>(spread));
    std::vector<Lengths> lengths;
    for (int i = 0; i < 1500; ++i)
      lengths.push_back({.text = 20, .mel = 400 + between(random, 0, spread)});
    const double frames = mean_mel(lengths) * static_cast<double>(lengths.size());
    const auto padded_with = [&](int most) {
      const ShapePlan plan = make_shape_plan(lengths, settings_with(8, 1, most));
      return frames / (1.0 - padding_of(plan, lengths));
    };

    const int size = static_cast<int>(make_shape_plan(lengths, settings_with(8)).signatures.size());

    sizes.insert(size);
    EXPECT_LT(padded_with(size) - padded_with(size + 1), 0.01 * frames + 1.0);
    if (size == 1) continue;
    EXPECT_GE(padded_with(size - 1) - padded_with(size), 0.01 * frames - 1.0);
  }
  EXPECT_TRUE(sizes.contains(1) && sizes.contains(3) && !sizes.contains(kMaxSignatures));
}

TEST(MakeShapePlan, BatchesOfAllSignaturesCostAboutTheSame) {
  const std::vector<Lengths> lengths = two_kinds(400);

  const ShapePlan plan = make_shape_plan(lengths, settings_with(16));

  ASSERT_EQ(plan.signatures.size(), 2U);
  EXPECT_EQ(plan.signatures[0], (Signature{.batch = 49, .text = 16, .mel = 96}));
  EXPECT_EQ(plan.signatures[1], (Signature{.batch = 10, .text = 80, .mel = 496}));
  EXPECT_EQ(
      plan.notes,
      std::vector<std::string>{"with one signature 40.3 % of the mel frames would be padding"});
}

TEST(MakeShapePlan, UnusuallyLongTextMovesToALongerSignature) {
  std::vector<Lengths> lengths = two_kinds(1000);
  for (std::size_t i = 0; i < 5; ++i)
    lengths[i].text = 70;  // five of a thousand are above p99.5

  const ShapePlan plan = make_shape_plan(lengths, settings_with(16));

  ASSERT_EQ(plan.signatures.size(), 2U);
  EXPECT_EQ(plan.signatures[0].text, 16);
  EXPECT_EQ(plan.find_signature(lengths[0]), 1U);
  EXPECT_EQ(plan.find_signature(lengths[5]), 0U);

  lengths[5].text = 70;  // six are not
  EXPECT_EQ(make_shape_plan(lengths, settings_with(16)).signatures[0].text, 72);
}

// At 96 frames 66 rows would cost as much as the other signature; 33 are the minimum.
TEST(MakeShapePlan, SignatureThatDoesNotFillFourBatchesIsReducedOrDropped) {
  const std::vector<Lengths> lengths = two_kinds(400);
  const std::vector<Lengths> few_short(lengths.begin() + 268, lengths.end());
  const std::vector<Lengths> fewer_short(lengths.begin() + 269, lengths.end());

  EXPECT_EQ(make_shape_plan(lengths, settings_with(16)).signatures.size(), 2U);
  EXPECT_EQ(make_shape_plan(few_short, settings_with(16)).signatures.front(),
            (Signature{.batch = 33, .text = 16, .mel = 96}));
  EXPECT_EQ(make_shape_plan(fewer_short, settings_with(16)).signatures.size(), 1U);
}

TEST(MakeShapePlan, HasAtMostOneSignaturePerFourBatches) {
  std::vector<Lengths> lengths(60, {.text = 16, .mel = 400});
  lengths.insert(lengths.end(), 67, {.text = 16, .mel = 440});
  EXPECT_EQ(make_shape_plan(lengths, settings_with(16)).signatures.size(), 1U);

  lengths.push_back({.text = 16, .mel = 440});

  EXPECT_EQ(make_shape_plan(lengths, settings_with(16)).signatures.size(), 2U);
}

TEST(MakeShapePlan, SparseSignatureIsMergedIntoTheNext) {
  std::vector<Lengths> lengths = two_kinds(200);  // of 96 frames: 4 x half of 32 x 296 / 96

  EXPECT_EQ(make_shape_plan(lengths, settings_with(32)).signatures.size(), 2U);
  lengths[0].text = 70;
  EXPECT_EQ(make_shape_plan(lengths, settings_with(32)).signatures.size(), 1U);
}

TEST(MakeShapePlan, CorpusOfFewerThanFourBatchesHasOneSignature) {
  std::vector<Lengths> lengths(38, {.text = 4, .mel = 8});
  lengths.insert(lengths.end(), 18, {.text = 20, .mel = 100});
  lengths.insert(lengths.end(), 3, {.text = 20, .mel = 300});
  lengths.push_back({.text = 20, .mel = 1000});

  const ShapePlan plan = make_shape_plan(lengths, settings_with(16));

  ASSERT_EQ(plan.signatures.size(), 1U);
  EXPECT_EQ(plan.signatures[0], (Signature{.batch = 15, .text = 24, .mel = 1000}));
}

TEST(MakeShapePlan, CorpusOfFewerThanFourBatchesGetsSmallerOnesWithANote) {
  const std::vector<Lengths> lengths = two_kinds(10);

  const ShapePlan plan = make_shape_plan(lengths, settings_with(16));
  const ShapePlan split = make_shape_plan(lengths, settings_with(16, 4));

  ASSERT_EQ(plan.signatures.size(), 1U);
  EXPECT_EQ(plan.signatures[0], (Signature{.batch = 5, .text = 80, .mel = 496}));
  EXPECT_EQ(plan.notes.front(),
            "20 utterances fill fewer than 4 batches of 16; the batch size is 5");
  EXPECT_EQ(sample_epoch(1, 0, plan, 1, lengths).size(), 4U);
  EXPECT_EQ(split.signatures[0].batch, 1);
  EXPECT_EQ(make_shape_plan(std::vector<Lengths>{{3, 9}}, settings_with(16)).signatures[0],
            (Signature{.batch = 1, .text = 8, .mel = 16}));
}

TEST(MakeShapePlan, RejectsInvalidSettingsAndNamesTheNearestValidOnes) {
  const std::vector<Lengths> lengths = two_kinds(100);

  EXPECT_EQ(error_of(lengths, settings_with(16, 3)),
            "grad_accum 3 does not divide batch_size 16; use grad_accum 2 or 4, or batch_size 18");
  EXPECT_EQ(error_of(lengths, settings_with(16, 20)),
            "grad_accum 20 does not divide batch_size 16; use grad_accum 16, or batch_size 20");
  EXPECT_EQ(error_of(lengths, settings_with(17, 5)),
            "grad_accum 5 does not divide batch_size 17; use grad_accum 1 or 17, or batch_size 20");
  EXPECT_NE(error_of({}, settings_with(16)), "");
  EXPECT_NE(error_of(lengths, settings_with(0)), "");
  EXPECT_NE(error_of(lengths, settings_with(16, 0)), "");
  EXPECT_NE(error_of(lengths, settings_with(16, 1, 0)), "");
  EXPECT_NE(error_of({{1, 1}, {1, 1}}, settings_with(16, 4)), "");
}

TEST(FixedShapePlan, HasExactlyTheGivenSignature) {
  const Signature signature{.batch = 4, .text = 200, .mel = 800};

  const ShapePlan plan = fixed_shape_plan(signature);

  ASSERT_EQ(plan.signatures.size(), 1U);
  EXPECT_EQ(plan.signatures[0], signature);
  EXPECT_EQ(plan.find_signature({201, 1}), std::nullopt);
  EXPECT_EQ(plan.mode, ShapeMode::kFixed);
}

TEST(ShapePlan, KnowsItsShapesUnlessTheyAreDynamic) {
  ShapePlan plan{.signatures = {{.batch = 4, .text = 16, .mel = 104}}, .notes = {}};

  EXPECT_EQ(plan.known_shapes(), plan.signatures);
  plan.mode = ShapeMode::kDynamic;
  EXPECT_TRUE(plan.known_shapes().empty());
}

TEST(ShapePlan, FindsNoSignatureForUtterancesAboveTheLimits) {
  ShapePlan plan{.signatures = {{.batch = 4, .text = 16, .mel = 104}}, .notes = {}};
  EXPECT_EQ(plan.find_signature({10, 104}), 0U);

  plan.limits = {kNoLimit, 101};

  EXPECT_EQ(plan.find_signature({10, 101}), 0U);
  EXPECT_EQ(plan.find_signature({10, 102}), std::nullopt);
}

}  // namespace
}  // namespace myxtts::data
