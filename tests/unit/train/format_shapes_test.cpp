#include "train/format_shapes.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "data/run_plan.h"
#include "train/format_run.h"

namespace myxtts::train {
namespace {

data::FeatureSet set_of(const std::string& name, const std::vector<data::Lengths>& all) {
  data::FeatureSet set;
  for (const data::Lengths& lengths : all) {
    data::Features one;
    one.id = fmt::format("{}{}", name, set.utterances.size());
    one.text.resize(static_cast<std::size_t>(lengths.text));
    one.num_frames = lengths.mel;
    set.utterances.push_back(one);
  }
  return set;
}

// Returns 200 utterances of 20 symbols and 100 frames and 200 of 60 symbols and 500 frames.
Corpora two_lengths() {
  std::vector<data::Lengths> lengths(200, {.text = 20, .mel = 100});
  lengths.insert(lengths.end(), 200, {.text = 60, .mel = 500});
  Corpora corpora;
  corpora.training = set_of("t", lengths);
  corpora.validation = set_of("v", {{.text = 10, .mel = 90}, {.text = 70, .mel = 600}});
  return corpora;
}

std::string shapes_text(const config::Config& config, const Corpora& corpora) {
  const data::ShapePlan plan = data::plan_run(
      data::shape_settings_of(config), corpora.training.lengths(), corpora.validation.lengths());
  return format_shapes({.config = config,
                        .corpora = corpora,
                        .plan = plan,
                        .num_parameters = 5'600'000,
                        .reference_frames = 258});
}

void expect_parts(const std::string& text, const std::vector<std::string>& all) {
  for (const std::string& part : all)
    EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in\n" << text;
}

TEST(FormatShapes, ShowsAFixedShapeInTheWordingOfTheOriginal) {
  config::Config config;
  config.data.pad_to_fixed_length = true;
  config.data.max_mel_frames = 800;

  const std::string text = shapes_text(config, two_lengths());

  EXPECT_TRUE(
      text.starts_with("Static shapes (pad_to_fixed_length): True\nMax text length: 200\n"
                       "Max mel frames: 800\nSignatures:            1 (fixed)\n"))
      << text;
  expect_parts(text, {"16x200x800          16          100.0 %    62.5 %", "62.5 % of the mel"});
  EXPECT_EQ(text.find("Filtered by length"), std::string::npos) << text;
}

TEST(FormatShapes, ShowsAPlanAsATableWithARowPerSignature) {
  const std::string text = shapes_text({}, two_lengths());

  // The limits of 600 frames and 70 symbols come from the validation set.
  expect_parts(
      text,
      {"Static shapes (pad_to_fixed_length): True\nMax text length: 72\nMax mel frames: 600",
       "Signatures:            2 (buckets)",
       "  signature        batch   share of steps   padding      memory\n",
       "  46x24x104           46 ",
       "  8x72x600             8 ",
       " MB\n"});
}

TEST(FormatShapes, WarnsAboutDynamicShapes) {
  config::Config config;
  config.data.pad_to_fixed_length = false;

  expect_parts(shapes_text(config, two_lengths()),
               {"Static shapes (pad_to_fixed_length): False\nMax text length: 70\n"
                "Max mel frames: 600\n",
                "none: each batch has its own shape",
                "16x70x600",
                "warning: dynamic shapes"});
}

TEST(FormatShapes, CountsFilteredUtterancesAndListsALimitedNumber) {
  config::Config config;
  config.data.pad_to_fixed_length = true;
  config.data.max_text_length = 59;
  Corpora corpora = two_lengths();
  corpora.training = set_of("t", std::vector<data::Lengths>(300, {.text = 20, .mel = 100}));
  for (std::size_t i = 0; i < 23; ++i)
    corpora.training.utterances[10 * i].text.resize(60);

  const std::string text = shapes_text(config, corpora);

  expect_parts(
      text,
      {"Filtered by length in the training set: 23 of 300 utterances (7.7 %)\n  t0: 60 symbols, "
       "100 frames\n  t10: ",
       "  t190: 60 symbols, 100 frames\n  and 3 more\n",
       "Filtered by length in the validation set: 1 of 2 utterances (50.0 %)\n  v1: 70 symbols, "
       "600 frames\n",
       "warning: 23 of 300 utterances (7.7 %)",
       "--max-text-length 64 keeps 99 %"});
  EXPECT_EQ(text.find("  t200: "), std::string::npos) << text;
  EXPECT_EQ(text.find("all validation utterances"), std::string::npos) << text;

  corpora.validation.utterances.erase(corpora.validation.utterances.begin());
  expect_parts(shapes_text(config, corpora),
               {"warning: all validation utterances are filtered by length"});
}

}  // namespace
}  // namespace myxtts::train
