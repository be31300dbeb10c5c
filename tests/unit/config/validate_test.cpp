#include "config/validate.h"

#include <algorithm>
#include <functional>

#include <gtest/gtest.h>

#include "base/error.h"

namespace myxtts::config {
namespace {

// Returns the validation errors after one change of the defaults.
std::vector<std::string> errors_after(const std::function<void(Config&)>& change) {
  Config config;
  change(config);
  return validation_errors(config);
}

void expect_one(const std::function<void(Config&)>& change, const std::string& expected) {
  const std::vector<std::string> found = errors_after(change);
  ASSERT_EQ(found.size(), 1U) << expected << (found.empty() ? "" : ": " + found.back());
  EXPECT_NE(found[0].find(expected), std::string::npos) << found[0];
}

TEST(Validate, TheDefaultsAreValid) {
  EXPECT_EQ(validation_errors(Config{}), std::vector<std::string>{});
}

TEST(Validate, TheLimitsOfACropAreValid) {
  for (const int frames : {0, 64, 4000}) {
    EXPECT_TRUE(errors_after([&](Config& c) { c.model.decoder_crop_frames = frames; }).empty())
        << frames;
  }
}

TEST(Validate, ErrorsNameRangesAndChoices) {
  expect_one([](Config& c) { c.data.val_split = 1.0; },
             "data.val_split is 1.0; expected a value in [0, 1)");
  expect_one([](Config& c) { c.data.batch_size = 0; }, "data.batch_size is 0");
  expect_one([](Config& c) { c.data.shape_buckets = 0; }, "data.shape_buckets is 0");
  expect_one([](Config& c) { c.training.gradient_clip_norm = 0; }, "above 0");
  expect_one([](Config& c) { c.training.scheduler = "cosin"; },
             "expected cosine, linear, noam, exponential, none; did you mean 'cosine'?");
  expect_one([](Config& c) { c.data.language = "english"; }, "data.language is 'english'");
  expect_one(
      [](Config& c) {
        c.data.text_cleaners = {"no_cleaners", "persian_cleaner"};
      },
      "data.text_cleaners contains 'persian_cleaner'; expected english_cleaners, "
      "persian_cleaners, basic_cleaners, no_cleaners; did you mean 'persian_cleaners'?");
}

TEST(Validate, RejectsInconsistentMelSettings) {
  expect_one([](Config& c) { c.model.n_fft = 1500; }, "power of two");
  expect_one([](Config& c) { c.model.win_length = 2048; }, "longer than model.n_fft (1024)");
  expect_one([](Config& c) { c.model.hop_length = 1025; }, "longer than model.win_length");
  expect_one([](Config& c) { c.model.mel_fmax = 12000; },
             "above half of model.sample_rate (11025 Hz)");
  expect_one([](Config& c) { c.model.mel_fmin = 8000; }, "not below model.mel_fmax");
  expect_one([](Config& c) { c.model.n_mels = 512; },
             "mel channel 0 covers no FFT bin; lower model.n_mels (512)");
}

TEST(Validate, SuggestsTheNearestSizes) {
  expect_one([](Config& c) { c.training.gradient_accumulation_steps = 6; },
             "the nearest batch sizes are 12 or 18");
  expect_one([](Config& c) { c.training.gradient_accumulation_steps = 32; },
             "the nearest batch sizes are 32");
  expect_one([](Config& c) { c.model.text_encoder_heads = 5; },
             "the nearest widths are 190 or 195");
  expect_one([](Config& c) { c.model.text_encoder_heads = 64; },
             "a head width of 3; expected an even width");
}

TEST(Validate, RejectsSettingsThatContradictEachOther) {
  expect_one([](Config& c) { c.data.min_audio_length = 30; }, "not below data.max_audio_length");
  expect_one([](Config& c) { c.training.min_learning_rate = 0.01; },
             "above training.learning_rate");
  expect_one(
      [](Config& c) { c.training.min_learning_rate = 1e-4, c.training.learning_rate = 8e-5; },
      "lower it or remove it");
  expect_one([](Config& c) { c.training.schedule_steps = 100; },
             "not below training.schedule_steps");
  expect_one([](Config& c) { c.model.decoder_crop_frames = 63; },
             "expected 0 (whole utterances) or at least 64");
  expect_one([](Config& c) { c.model.decoder_crop_frames = 4001; }, "in [0, 4000]");
  expect_one([](Config& c) { c.model.dropout_rate = 1; }, "in [0, 1)");
  expect_one(
      [](Config& c) {
        c.training.early_stopping_patience = 3;
        c.training.lr_plateau_patience = 3;
      },
      "stops training before training.lr_plateau_patience (3) takes effect");
  expect_one([](Config& c) { c.training.checkpoint_dir = ""; }, "expected the name of a run");
  expect_one([](Config& c) { c.training.metrics_file = ""; }, "training.metrics_file is empty");
  expect_one([](Config& c) { c.training.tensorboard_log_dir = ""; }, "or null for the run folder");
  expect_one([](Config& c) { c.training.device = "gpu"; }, "expected auto, cpu or cuda:N");
  expect_one([](Config& c) { c.data.data_device = "cpu"; }, "expected a lane such as cpu:0");
  expect_one([](Config& c) { c.data.speaker_id_pattern = "(["; }, "is not a regular expression");
  expect_one(
      [](Config& c) {
        c.data.mixed_precision = true;
        c.training.precision = "fp32";
      },
      "training.precision is fp32");
  expect_one(
      [](Config& c) {
        c.data.pad_to_fixed_length = false;
        c.data.shape_buckets = 4;
      },
      "dynamic shapes");
  expect_one(
      [](Config& c) {
        c.data.pad_to_fixed_length = true;
        c.data.shape_buckets = 4;
      },
      "one shape");
  expect_one(
      [](Config& c) {
        c.data.data_gpu = 0;
        c.data.data_device = "cpu:0";
      },
      "both set the data lane");
}

TEST(Validate, OneErrorListsAllProblems) {
  Config config;
  config.model.n_fft = 1000;
  config.data.batch_size = -1;
  config.training.optimizer = "sgd";

  try {
    validate(config);
    FAIL() << "accepted";
  } catch (const UsageError& error) {
    const std::string message = error.what();
    EXPECT_TRUE(message.starts_with("4 problems in the configuration:\n  - ")) << message;
    for (const char* key :
         {"model.n_fft", "model.win_length", "data.batch_size", "training.optimizer"}) {
      EXPECT_NE(message.find(key), std::string::npos) << key;
    }
  }
}

}  // namespace
}  // namespace myxtts::config
