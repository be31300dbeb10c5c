#include "train/format_shapes.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "pipeline/run_plan.h"
#include "train/format_run.h"

namespace xtts::train {
namespace {

pipeline::FeatureSet set_of(const std::string& name, const std::vector<pipeline::Lengths>& all) {
  pipeline::FeatureSet set;
  for (const pipeline::Lengths& lengths : all) {
    pipeline::Features one;
    one.id = fmt::format("{}{}", name, set.utterances.size());
    one.text.resize(static_cast<std::size_t>(lengths.text));
    one.num_frames = lengths.mel;
    set.utterances.push_back(one);
  }
  return set;
}

// 200 utterances of 20 symbols and 100 frames, as many of 60 and 500.
Corpora two_kinds() {
  std::vector<pipeline::Lengths> lengths(200, {.text = 20, .mel = 100});
  lengths.insert(lengths.end(), 200, {.text = 60, .mel = 500});
  Corpora corpora;
  corpora.training = set_of("t", lengths);
  corpora.validation = set_of("v", {{.text = 10, .mel = 90}, {.text = 70, .mel = 600}});
  return corpora;
}

std::string words_of(const config::Config& config, const Corpora& corpora) {
  const pipeline::ShapePlan plan = pipeline::plan_run(pipeline::shape_settings_of(config),
                                                      corpora.training.lengths(),
                                                      corpora.validation.lengths());
  return describe_shapes({.config = config,
                          .corpora = corpora,
                          .plan = plan,
                          .num_parameters = 5'600'000,
                          .reference_frames = 258});
}

void expect_words(const std::string& text, const std::vector<std::string>& all) {
  for (const std::string& words : all)
    EXPECT_NE(text.find(words), std::string::npos) << "'" << words << "' is not in\n" << text;
}

TEST(DescribeShapes, AFixedShapeIsSaidInTheWordsOfTheOriginal) {
  config::Config config;
  config.data.pad_to_fixed_length = true;
  config.data.max_mel_frames = 800;

  const std::string text = words_of(config, two_kinds());

  EXPECT_TRUE(
      text.starts_with("Static shapes (pad_to_fixed_length): True\nMax text length: 200\n"
                       "Max mel frames: 800\nSignatures:            1 (fixed)\n"))
      << text;
  expect_words(text, {"16x200x800          16          100.0 %    62.5 %", "62.5 % of the mel"});
  EXPECT_EQ(text.find("Left out"), std::string::npos) << text;
}

TEST(DescribeShapes, APlanIsATableWithARowForEachSignature) {
  const std::string text = words_of({}, two_kinds());

  // 600 frames and 70 symbols because of validation.
  expect_words(
      text,
      {"Static shapes (pad_to_fixed_length): True\nMax text length: 72\nMax mel frames: 600",
       "Signatures:            2 (buckets)",
       "  signature        batch   share of steps   padding      memory\n",
       "  46x24x104           46 ",
       "  8x72x600             8 ",
       " MB\n"});
}

TEST(DescribeShapes, DynamicShapesAreNotStaticAndHaveAWarning) {
  config::Config config;
  config.data.pad_to_fixed_length = false;

  expect_words(words_of(config, two_kinds()),
               {"Static shapes (pad_to_fixed_length): False\nMax text length: 70\n"
                "Max mel frames: 600\n",
                "none: a shape per batch",
                "16x70x600",
                "warning: dynamic shapes"});
}

TEST(DescribeShapes, WhoIsLeftOutIsCountedAndNamedButNotWithoutEnd) {
  config::Config config;
  config.data.pad_to_fixed_length = true;
  config.data.max_text_length = 59;
  Corpora corpora = two_kinds();
  corpora.training = set_of("t", std::vector<pipeline::Lengths>(300, {.text = 20, .mel = 100}));
  for (std::size_t i = 0; i < 23; ++i)
    corpora.training.utterances[10 * i].text.resize(60);

  const std::string text = words_of(config, corpora);

  expect_words(text,
               {"Left out of training: 23 of 300 utterances (7.7 %), too long\n  t0: 60 symbols, "
                "100 frames\n  t10: ",
                "  t190: 60 symbols, 100 frames\n  and 3 more\n",
                "Left out of validation: 1 of 2 utterances (50.0 %), too long\n  v1: 70 symbols, "
                "600 frames\n",
                "warning: 23 of 300 utterances (7.7 %)",
                "--max-text-length 64 keeps 99 %"});
  EXPECT_EQ(text.find("  t200: "), std::string::npos) << text;
  EXPECT_EQ(text.find("nothing validates"), std::string::npos) << text;

  corpora.validation.utterances.erase(corpora.validation.utterances.begin());
  expect_words(words_of(config, corpora), {"warning: all of validation is left out"});
}

}  // namespace
}  // namespace xtts::train
