// Training runs of a vocoder.
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "checkpoint/checkpoint_metadata.h"
#include "checkpoint/checkpoint_store.h"
#include "checkpoint/tensors_torch.h"
#include "support/temp_dir.h"
#include "train/run_parts_torch.h"
#include "train/run_preview_torch.h"
#include "train/trainer_torch.h"
#include "unit/corpus/corpus_folder.h"
#include "unit/model/small_model_torch.h"

namespace myxtts::train {
namespace {

namespace fs = std::filesystem;

// A corpus of hums, some shorter than a crop, and requests for short training runs on it.
struct VocoderCorpus {
  VocoderCorpus() {
    std::string metadata;
    for (int i = 0; i < 24; ++i) {
      const std::string id = "u" + std::to_string(i);
      metadata += id + "|la la la\n";
      dir.write("wavs/" + id + ".wav", corpus::hum_wav(0.3 + 0.05 * (i % 9)));
    }
    dir.write("metadata.csv", metadata);
  }

  TrainRequest request(const std::string& run, int max_steps) const {
    config::Config config = corpus::grapheme_config();
    config.model.vocoder_initial_channel = 16;
    config.model.vocoder_layers = 1;
    config.model.vocoder_ffn_dim = 16;
    config.model.vocoder_crop_frames = 40;
    config.data.dataset_path = dir.path().string();
    config.data.batch_size = 4;
    config.data.val_split = 0.25;
    config.data.num_workers = 0;
    config.training.checkpoint_dir = (dir.path() / run).string();
    config.training.precision = "fp32";
    config.training.vocoder_learning_rate = 1e-3;  // low, because there are few steps
    config.training.max_steps = max_steps;
    config.training.schedule_steps = 100;
    config.training.warmup_steps = 2;
    config.training.val_step = 4;
    config.training.save_step = 5;
    config.training.text2audio_interval_steps = 6;
    TrainRequest request;
    request.task = Task::kVocoder;
    request.resolved.config = config::for_vocoder(config);
    return request;
  }

  // Returns the lines of metrics.jsonl without times.
  std::vector<nlohmann::json> lines_of(const std::string& run) const {
    std::vector<nlohmann::json> lines;
    std::ifstream file(dir.path() / run / "metrics.jsonl");
    for (std::string line; std::getline(file, line);) {
      nlohmann::json one = nlohmann::json::parse(line);
      nlohmann::json kept;
      for (const auto& [key, value] : one.items()) {
        if (key == "step" || key.starts_with("loss") || key == "grad_norm" || key == "signature")
          kept[key] = value;
      }
      lines.push_back(kept);
    }
    return lines;
  }

  support::TempDir dir;
};

TrainSummary train_silently(const TrainRequest& request) {
  testing::internal::CaptureStderr();
  TrainSummary summary = train(request);
  testing::internal::GetCapturedStderr();
  return summary;
}

TEST(TrainVocoder, TrainsValidatesAndWritesCheckpointsAndSamples) {
  const VocoderCorpus corpus;

  const TrainSummary summary = train_silently(corpus.request("vocoder", 12));

  EXPECT_EQ(summary.steps, 12);
  EXPECT_EQ(summary.retraces, 0);
  EXPECT_EQ(summary.skipped_steps, 0);
  const std::vector<nlohmann::json> lines = corpus.lines_of("vocoder");
  ASSERT_GE(lines.size(), 12U);
  EXPECT_EQ(lines[0]["signature"], "4x41x10240");
  EXPECT_TRUE(lines[0].contains("loss_mel"));
  EXPECT_LT(summary.final_loss.value(), lines[0]["loss"].get<double>());
  EXPECT_TRUE(summary.validation_loss.has_value());
  const fs::path run = corpus.dir.path() / "vocoder";
  EXPECT_TRUE(fs::exists(run / "samples/step_00000000_1_recorded.wav"));
  EXPECT_TRUE(fs::exists(run / "samples/step_00000006_1_vocoder.wav"));
  EXPECT_TRUE(fs::exists(run / "samples/step_00000012_2_vocoder.wav"));
  std::ifstream metadata(run / "checkpoints/step_00000012/config.json");
  EXPECT_EQ(nlohmann::json::parse(metadata)["kind"], "vocoder");
}

TEST(TrainVocoder, ResumesExactlyWithOtherLoaderSettings) {
  const VocoderCorpus corpus;
  train_silently(corpus.request("whole", 12));
  train_silently(corpus.request("halves", 7));
  TrainRequest other_half = corpus.request("halves", 12);
  other_half.resolved.config.data.num_workers = 2;
  other_half.resolved.config.data.feature_cache = "off";  // decodes every crop again
  train_silently(other_half);

  const std::vector<nlohmann::json> expected = corpus.lines_of("whole");
  ASSERT_GE(expected.size(), 12U);
  EXPECT_EQ(corpus.lines_of("halves"), expected);
}

TEST(TrainVocoder, ResumesExactlyOnGtaMels) {
  const VocoderCorpus corpus;
  TrainRequest voice = corpus.request("voice", 2);
  voice.task = Task::kVoice;
  const int n_mels = voice.resolved.config.model.n_mels;
  voice.resolved.config.model = model::small_config();
  voice.resolved.config.model.n_mels = n_mels;
  voice.resolved.config.training.enable_text2audio_eval = false;
  voice.resolved.config.training.spectrogram_log_interval = 0;
  train_silently(voice);
  const auto request = [&](const std::string& run, int max_steps) {
    TrainRequest one = corpus.request(run, max_steps);
    one.resolved.config.data.mels_from = (corpus.dir.path() / "voice").string();
    return one;
  };
  train_silently(request("whole", 8));
  train_silently(request("halves", 3));
  train_silently(request("halves", 8));
  train_silently(corpus.request("recorded", 8));

  const std::vector<nlohmann::json> expected = corpus.lines_of("whole");
  ASSERT_GE(expected.size(), 8U);
  EXPECT_EQ(corpus.lines_of("halves"), expected);
  EXPECT_NE(corpus.lines_of("recorded"), expected);
  // The preview includes the memory of GTA mels without computing them.
  const config::Config config = request("none", 2).resolved.config;
  testing::internal::CaptureStderr();
  const RunPreview preview = preview_run(config, find_lanes(config).plan, Task::kVocoder);
  testing::internal::GetCapturedStderr();
  EXPECT_GT(preview.memory.pending_bytes, 0.0);
}

TEST(TrainVocoder, DiscriminatorsRestartFromACheckpointWithoutThem) {
  const VocoderCorpus corpus;
  train_silently(corpus.request("run", 2));
  config::Config config = corpus.request("run", 2).resolved.config;
  config.training.vocoder_adversarial_weight = 0.1;
  RunParts parts(config, /*vocabulary_size=*/1, Task::kVocoder);
  const torch::Tensor first = parts.parameters().values().clone();
  const std::int64_t learned = first.numel() - parts.initial_discriminators.numel();
  parts.parameters().values().add_(1.0);
  parts.optimizer.ema.add_(1.0);
  const checkpoint::LoadedCheckpoint loaded =
      checkpoint::find_checkpoint(corpus.dir.path() / "run");
  const checkpoint::CheckpointMetadata saved =
      checkpoint::parse_checkpoint_metadata(loaded.config_json, "");

  restore(loaded,
          parts,
          {.task = Task::kVocoder,
           .config_yaml = "",
           .mel_spec = audio::mel_spec_of(config),
           .symbols = saved.symbols,
           .precision = "fp32",
           .threads = 1});

  for (const torch::Tensor& values : {parts.parameters().values(), parts.optimizer.ema})
    EXPECT_TRUE(at::equal(values.narrow(0, learned, first.numel() - learned),
                          first.narrow(0, learned, first.numel() - learned)));
}

TEST(TrainVocoder, AdversarialStageResumesFromACheckpointWithoutDiscriminators) {
  const VocoderCorpus corpus;
  const auto request = [&](int max_steps, double weight) {
    TrainRequest one = corpus.request("run", max_steps);
    one.resolved.config.model.vocoder_crop_frames = 8;
    one.resolved.config.training.vocoder_adversarial_weight = weight;
    return one;
  };
  train_silently(request(10, 0.0));

  EXPECT_EQ(train_silently(request(16, 0.1)).steps, 16);

  // The optimiser restarts, so that the first steps of the discriminators are not too large.
  const checkpoint::LoadedCheckpoint loaded =
      checkpoint::find_checkpoint(corpus.dir.path() / "run");
  EXPECT_EQ(checkpoint::tensor_of(loaded.trainer, "optimizer.count").item<double>(), 6.0);
  int num_adversarial = 0;
  for (const nlohmann::json& line : corpus.lines_of("run")) {
    if (!line.contains("grad_norm")) continue;  // a validation
    const bool is_adversarial = line["step"].get<int>() > 10;
    EXPECT_EQ(line.contains("loss_disc"), is_adversarial) << line;
    if (!is_adversarial) continue;
    ++num_adversarial;
    EXPECT_GT(line["loss_disc"].get<double>(), 0.0);
    EXPECT_GT(line["loss_gen"].get<double>(), 0.0);
    EXPECT_GT(line["loss_fm"].get<double>(), 0.0);
  }
  EXPECT_EQ(num_adversarial, 6);
  // A run without discriminators resumes from a checkpoint with them.
  EXPECT_EQ(train_silently(request(18, 0.0)).steps, 18);
}

TEST(TrainVocoder, AdversarialStageIsExactWhenResumedAndWhenPrepared) {
  const VocoderCorpus corpus;
  const auto request = [&](const std::string& run, int max_steps, bool is_prepared) {
    TrainRequest one = corpus.request(run, max_steps);
    one.resolved.config.model.vocoder_crop_frames = 8;
    one.resolved.config.training.vocoder_adversarial_weight = 0.1;
    one.resolved.config.training.compile_step = is_prepared;
    return one;
  };
  EXPECT_EQ(train_silently(request("whole", 8, true)).retraces, 0);
  train_silently(request("halves", 3, true));
  train_silently(request("halves", 8, true));
  train_silently(request("eager", 8, false));

  const std::vector<nlohmann::json> expected = corpus.lines_of("whole");
  ASSERT_GE(expected.size(), 8U);
  EXPECT_TRUE(expected[0].contains("loss_disc"));
  EXPECT_EQ(corpus.lines_of("halves"), expected);
  EXPECT_EQ(corpus.lines_of("eager"), expected);
}

TEST(TrainVocoder, EagerStepHasTheSameLosses) {
  const VocoderCorpus corpus;
  TrainRequest eager = corpus.request("eager", 8);
  eager.resolved.config.training.compile_step = false;
  train_silently(corpus.request("prepared", 8));
  train_silently(eager);

  EXPECT_EQ(corpus.lines_of("eager"), corpus.lines_of("prepared"));
}

TEST(TrainVocoder, VoiceAndVocoderCannotShareARunFolder) {
  const VocoderCorpus corpus;
  train_silently(corpus.request("vocoder", 2));
  TrainRequest voice = corpus.request("vocoder", 4);
  voice.task = Task::kVoice;

  try {
    train_silently(voice);
    FAIL() << "no error";
  } catch (const UsageError& error) {
    testing::internal::GetCapturedStderr();
    EXPECT_NE(std::string(error.what()).find("is the run of a vocoder"), std::string::npos)
        << error.what();
  }
}

TEST(TrainVocoder, HasAPreviewWithoutTraining) {
  const VocoderCorpus corpus;
  const TrainRequest request = corpus.request("none", 2);
  testing::internal::CaptureStderr();
  const RunPreview preview = preview_run(
      request.resolved.config, find_lanes(request.resolved.config).plan, Task::kVocoder);
  testing::internal::GetCapturedStderr();

  EXPECT_NE(preview.text.find("vocoder cpu"), std::string::npos) << preview.text;
  EXPECT_NE(preview.text.find("Crops:                 10240 samples"), std::string::npos);
  ASSERT_EQ(preview.shapes.size(), 1U);
  EXPECT_EQ(preview.shapes[0].plan.signature.samples, 10240);
  EXPECT_GT(preview.multiply_adds, 0.0);
}

}  // namespace
}  // namespace myxtts::train
