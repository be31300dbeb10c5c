#include "train/format_run.h"

#include <gtest/gtest.h>

#include "corpus/reasons.h"

namespace myxtts::train {
namespace {

constexpr data::Signature kSignature{.batch = 8, .text = 40, .mel = 200, .samples = 0};
constexpr std::int64_t kClip = 258;

double multiply_adds_for(const config::ModelConfig& model, const data::Signature& signature) {
  return multiply_adds_of(model, signature, kClip);
}

config::ModelConfig whole_utterances() {
  config::ModelConfig model;
  model.decoder_crop_frames = 0;
  model.mel_discriminator_channels = 0;
  return model;
}

TEST(MultiplyAddsOf, AreProportionalToTheRows) {
  data::Signature twice = kSignature;
  twice.batch *= 2;

  EXPECT_DOUBLE_EQ(multiply_adds_for(whole_utterances(), twice),
                   2.0 * multiply_adds_for(whole_utterances(), kSignature));
}

TEST(MultiplyAddsOf, CountOnlyTheFramesOfTheDecoderCrop) {
  config::ModelConfig cropped = whole_utterances();
  cropped.decoder_crop_frames = 100;
  config::ModelConfig no_decoder = whole_utterances();
  no_decoder.decoder_layers = 0;

  const double whole = multiply_adds_for(whole_utterances(), kSignature);
  const double half = multiply_adds_for(cropped, kSignature);
  const double none = multiply_adds_for(no_decoder, kSignature);

  EXPECT_NEAR(whole - half, (whole - none) / 2.0, 1.0);
}

// Counted by hand for a decoder of one block: 2 x 256 x 768 weights of the two linear layers and
// 7 x 256 of the convolution, for each of 8 x 200 frames, once forward and twice backward.
TEST(MultiplyAddsOf, MatchAHandCountForADecoderBlock) {
  config::ModelConfig none = whole_utterances();
  none.decoder_layers = 0;
  config::ModelConfig one = whole_utterances();
  one.decoder_layers = 1;

  const double difference =
      multiply_adds_for(one, kSignature) - multiply_adds_for(none, kSignature);

  EXPECT_NEAR(difference, 3.0 * 1600.0 * (2.0 * 256 * 768 + 7.0 * 256), 1.0);
}

// Counted by hand for a width of 1: 15 weights at a quarter of the values, 18 at a sixteenth, 72
// and 36 at a sixty-fourth; two mels forward and backward, and one more pass for the generator
// loss.
TEST(MultiplyAddsOf, MatchAHandCountForTheMelDiscriminator) {
  config::ModelConfig one = whole_utterances();
  one.mel_discriminator_channels = 1;

  const double difference =
      multiply_adds_for(one, kSignature) - multiply_adds_for(whole_utterances(), kSignature);

  const double weights = 15.0 / 4 + 18.0 / 16 + 108.0 / 64;
  EXPECT_NEAR(difference, 8.0 * 1600.0 * 80.0 * weights, 1.0);
}

Corpora two_utterances() {
  Corpora corpora;
  corpora.notes = {"training: here", "validation: there"};
  corpora.training.speakers = {"ann"};
  for (int i = 0; i < 2; ++i) {
    data::Features one;
    one.text = {1, 2, 3};
    one.num_frames = 100;
    corpora.training.utterances.push_back(one);
  }
  return corpora;
}

// With crops, many short rows cost more than few long ones.
TEST(MaxMultiplyAdds, IsTheMaximumOverAllSignatures) {
  const config::Config config;
  const Corpora corpora = two_utterances();
  const data::ShapePlan plan{.signatures = {{32, 40, 200, 0}, {4, 160, 840, 0}}, .notes = {}};
  const RunDescription run{
      .config = config, .corpora = corpora, .plan = plan, .reference_frames = kClip};

  EXPECT_EQ(max_multiply_adds(run), multiply_adds_for(config.model, plan.signatures[0]));
  EXPECT_GT(max_multiply_adds(run), multiply_adds_for(config.model, plan.signatures[1]));
}

TEST(FormatRun, ShowsTheSettingsOfTheRun) {
  config::Config config;
  config.training.max_steps = 70;
  config.training.gradient_accumulation_steps = 2;
  const Corpora corpora = two_utterances();
  const data::ShapePlan plan{.signatures = {{8, 3, 200, 0}}, .notes = {"a note of the plan"}};

  const std::string text = format_run({.config = config,
                                       .corpora = corpora,
                                       .plan = plan,
                                       .steps_per_epoch = 11,
                                       .num_parameters = 5'600'000,
                                       .reference_frames = kClip,
                                       .threads = 2});

  EXPECT_TRUE(text.starts_with("=== Final Training Configuration ===\n"));
  for (const char* part : {"training: here\n",
                           "validation: there\n",
                           "2 (0.00 h, 1 speaker), 0 for validation, 0 skipped",
                           "tiny, 5.60 M parameters",
                           "16 utterances in 2 micro-batches",
                           "70 steps, 11 steps per epoch",
                           "8x3x200",
                           "50.0 % of the mel frames",
                           "billion multiply-adds",
                           "for a step",
                           "2 threads",
                           "a note of the plan\n"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " is not in\n" << text;
  }
}

TEST(FormatRun, ListsSkippedUtterancesWithReasons) {
  const config::Config config;
  Corpora corpora = two_utterances();
  corpora.training_root = "here/train";
  for (int i = 0; i < 23; ++i) {
    corpora.training.skipped.push_back(
        corpus::make_problem("bad" + std::to_string(i), "not_audio", "x.wav: MP4 or M4A"));
  }
  corpora.validation.skipped.push_back(
      corpus::make_problem("other", "too_short", "y.wav: 0.010 s, at least 0.1 s"));
  const data::ShapePlan plan{.signatures = {{8, 3, 200, 0}}, .notes = {}};

  const std::string text = format_run({.config = config, .corpora = corpora, .plan = plan});

  for (const char* part : {"0 for validation, 24 skipped",
                           "Skipped in the training set: 23 of 25 utterances\n"
                           "  bad0: not_audio: x.wav: MP4 or M4A\n",
                           "  bad19: not_audio: x.wav: MP4 or M4A\n"
                           "  and 3 more; all: myxtts corpus check here/train\n"
                           "Skipped in the validation set: 1 of 1 utterances\n"
                           "  other: too_short: y.wav: 0.010 s, at least 0.1 s\n"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " is not in\n" << text;
  }
}

TEST(FormatRun, NotesThatATimeLimitedRunIsNotReproducible) {
  config::Config config;
  const Corpora corpora = two_utterances();
  const data::ShapePlan plan{.signatures = {{8, 3, 200, 0}}, .notes = {}};
  const auto length = [&] {
    const std::string text = format_run({.config = config, .corpora = corpora, .plan = plan});
    return text.substr(text.find("Length:"), 80);
  };

  EXPECT_NE(length().find("100 epochs"), std::string::npos) << length();
  config.training.max_minutes = 5;
  EXPECT_NE(length().find("5 minutes of steps (not reproducible"), std::string::npos) << length();
}

}  // namespace
}  // namespace myxtts::train
