// A vocoder through the loop of a run.
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

namespace xtts::train {
namespace {

namespace fs = std::filesystem;

// A corpus of hums, some shorter than a crop, and the configuration of a short training on it.
struct SungCorpus {
  SungCorpus() {
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
    config.training.vocoder_learning_rate = 1e-3;  // few steps, so slow ones
    config.training.max_steps = max_steps;
    config.training.schedule_steps = 100;
    config.training.warmup_steps = 2;
    config.training.val_step = 4;
    config.training.save_step = 5;
    config.training.text2audio_interval_steps = 6;
    TrainRequest request;
    request.trained = Task::kVocoder;
    request.resolved.config = config::for_vocoder(config);
    return request;
  }

  // The lines of metrics.jsonl without times.
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

TEST(TrainVocoder, LearnsValidatesSavesAndIsHeard) {
  const SungCorpus sung;

  const TrainSummary summary = train_silently(sung.request("vocoder", 12));

  EXPECT_EQ(summary.steps, 12);
  EXPECT_EQ(summary.retraces, 0);
  EXPECT_EQ(summary.skipped_steps, 0);
  const std::vector<nlohmann::json> lines = sung.lines_of("vocoder");
  ASSERT_GE(lines.size(), 12U);
  EXPECT_EQ(lines[0]["signature"], "4x41x10240");
  EXPECT_TRUE(lines[0].contains("loss_mel"));
  EXPECT_LT(summary.final_loss.value(), lines[0]["loss"].get<double>());
  EXPECT_TRUE(summary.validation_loss.has_value());
  const fs::path run = sung.dir.path() / "vocoder";
  EXPECT_TRUE(fs::exists(run / "samples/step_00000000_1_recorded.wav"));
  EXPECT_TRUE(fs::exists(run / "samples/step_00000006_1_vocoder.wav"));
  EXPECT_TRUE(fs::exists(run / "samples/step_00000012_2_vocoder.wav"));
  std::ifstream facts(run / "checkpoints/step_00000012/config.json");
  EXPECT_EQ(nlohmann::json::parse(facts)["kind"], "vocoder");
}

TEST(TrainVocoder, GoesOnAsIfItHadNeverStoppedWhateverLoadsIt) {
  const SungCorpus sung;
  train_silently(sung.request("whole", 12));
  train_silently(sung.request("halves", 7));
  TrainRequest other_half = sung.request("halves", 12);
  other_half.resolved.config.data.num_workers = 2;
  other_half.resolved.config.data.feature_cache = "off";  // decodes every crop again
  train_silently(other_half);

  const std::vector<nlohmann::json> expected = sung.lines_of("whole");
  ASSERT_GE(expected.size(), 12U);
  EXPECT_EQ(sung.lines_of("halves"), expected);
}

TEST(TrainVocoder, GoesOnWithTheMelsOfAVoiceAsIfItHadNeverStopped) {
  const SungCorpus sung;
  TrainRequest voice = sung.request("voice", 2);
  voice.trained = Task::kVoice;
  const int n_mels = voice.resolved.config.model.n_mels;
  voice.resolved.config.model = model::small_config();
  voice.resolved.config.model.n_mels = n_mels;
  voice.resolved.config.training.enable_text2audio_eval = false;
  voice.resolved.config.training.spectrogram_log_interval = 0;
  train_silently(voice);
  const auto request = [&](const std::string& run, int max_steps) {
    TrainRequest one = sung.request(run, max_steps);
    one.resolved.config.data.mels_from = (sung.dir.path() / "voice").string();
    return one;
  };
  train_silently(request("whole", 8));
  train_silently(request("halves", 3));
  train_silently(request("halves", 8));
  train_silently(sung.request("recorded", 8));

  const std::vector<nlohmann::json> expected = sung.lines_of("whole");
  ASSERT_GE(expected.size(), 8U);
  EXPECT_EQ(sung.lines_of("halves"), expected);
  EXPECT_NE(sung.lines_of("recorded"), expected);
  // Who asks beforehand is told of their memory, though they are not made.
  const config::Config config = request("none", 2).resolved.config;
  testing::internal::CaptureStderr();
  const RunPreview preview =
      describe_without_training(config, find_lanes(config).plan, Task::kVocoder);
  testing::internal::GetCapturedStderr();
  EXPECT_GT(preview.memory.coming_bytes, 0.0);
}

TEST(TrainVocoder, ComingBackToASaveWithoutDiscriminatorsTheyStartAnew) {
  const SungCorpus sung;
  train_silently(sung.request("run", 2));
  config::Config config = sung.request("run", 2).resolved.config;
  config.training.vocoder_adversarial_weight = 0.1;
  RunParts parts(config, /*its_num_symbols=*/1, Task::kVocoder);
  const torch::Tensor first = parts.parameters().values().clone();
  const std::int64_t learned = first.numel() - parts.first_discriminators.numel();
  parts.parameters().values().add_(1.0);
  parts.optimizer.average.add_(1.0);
  const checkpoint::LoadedCheckpoint save = checkpoint::find_checkpoint(sung.dir.path() / "run");
  const checkpoint::CheckpointMetadata saved =
      checkpoint::parse_checkpoint_metadata(save.config_json, "");

  restore(save,
          parts,
          {.trained = Task::kVocoder,
           .config_yaml = "",
           .contract = audio::mel_spec_of(config),
           .symbols = saved.symbols,
           .precision = "fp32",
           .threads = 1});

  for (const torch::Tensor& values : {parts.parameters().values(), parts.optimizer.average})
    EXPECT_TRUE(at::equal(values.narrow(0, learned, first.numel() - learned),
                          first.narrow(0, learned, first.numel() - learned)));
}

TEST(TrainVocoder, TheAdversarialStageGoesOnFromASaveWithoutIt) {
  const SungCorpus sung;
  const auto request = [&](int max_steps, double weight) {
    TrainRequest one = sung.request("run", max_steps);
    one.resolved.config.model.vocoder_crop_frames = 8;
    one.resolved.config.training.vocoder_adversarial_weight = weight;
    return one;
  };
  train_silently(request(10, 0.0));

  EXPECT_EQ(train_silently(request(16, 0.1)).steps, 16);

  // The optimiser starts anew with them, so that their first steps are no longer than others.
  const checkpoint::LoadedCheckpoint save = checkpoint::find_checkpoint(sung.dir.path() / "run");
  EXPECT_EQ(checkpoint::tensor_of(save.trainer, "optimizer.count").item<double>(), 6.0);
  int num_adversarial = 0;
  for (const nlohmann::json& line : sung.lines_of("run")) {
    if (!line.contains("grad_norm")) continue;  // a validation
    const bool is_adversarial = line["step"].get<int>() > 10;
    EXPECT_EQ(line.contains("loss_telling"), is_adversarial) << line;
    if (!is_adversarial) continue;
    ++num_adversarial;
    EXPECT_GT(line["loss_telling"].get<double>(), 0.0);
    EXPECT_GT(line["loss_fooling"].get<double>(), 0.0);
    EXPECT_GT(line["loss_features"].get<double>(), 0.0);
  }
  EXPECT_EQ(num_adversarial, 6);
  // And back: one without discriminators goes on from a save with them.
  EXPECT_EQ(train_silently(request(18, 0.0)).steps, 18);
}

TEST(TrainVocoder, TheContestIsResumedAndPreparedToTheBit) {
  const SungCorpus sung;
  const auto request = [&](const std::string& run, int max_steps, bool is_prepared) {
    TrainRequest one = sung.request(run, max_steps);
    one.resolved.config.model.vocoder_crop_frames = 8;
    one.resolved.config.training.vocoder_adversarial_weight = 0.1;
    one.resolved.config.training.compile_step = is_prepared;
    return one;
  };
  EXPECT_EQ(train_silently(request("whole", 8, true)).retraces, 0);
  train_silently(request("halves", 3, true));
  train_silently(request("halves", 8, true));
  train_silently(request("eager", 8, false));

  const std::vector<nlohmann::json> expected = sung.lines_of("whole");
  ASSERT_GE(expected.size(), 8U);
  EXPECT_TRUE(expected[0].contains("loss_telling"));
  EXPECT_EQ(sung.lines_of("halves"), expected);
  EXPECT_EQ(sung.lines_of("eager"), expected);
}

TEST(TrainVocoder, TheEagerStepHasTheSameLosses) {
  const SungCorpus sung;
  TrainRequest eager = sung.request("eager", 8);
  eager.resolved.config.training.compile_step = false;
  train_silently(sung.request("prepared", 8));
  train_silently(eager);

  EXPECT_EQ(sung.lines_of("eager"), sung.lines_of("prepared"));
}

TEST(TrainVocoder, AVoiceAndAVocoderDoNotShareARunFolder) {
  const SungCorpus sung;
  train_silently(sung.request("vocoder", 2));
  TrainRequest voice = sung.request("vocoder", 4);
  voice.trained = Task::kVoice;

  try {
    train_silently(voice);
    FAIL() << "it was not refused";
  } catch (const UsageError& error) {
    testing::internal::GetCapturedStderr();
    EXPECT_NE(std::string(error.what()).find("is the run of a vocoder"), std::string::npos)
        << error.what();
  }
}

TEST(TrainVocoder, IsDescribedWithoutTraining) {
  const SungCorpus sung;
  const TrainRequest request = sung.request("none", 2);
  testing::internal::CaptureStderr();
  const RunPreview preview = describe_without_training(
      request.resolved.config, find_lanes(request.resolved.config).plan, Task::kVocoder);
  testing::internal::GetCapturedStderr();

  EXPECT_NE(preview.words.find("vocoder cpu"), std::string::npos) << preview.words;
  EXPECT_NE(preview.words.find("Crops:                 10240 samples"), std::string::npos);
  ASSERT_EQ(preview.shapes.size(), 1U);
  EXPECT_EQ(preview.shapes[0].plan.signature.samples, 10240);
  EXPECT_GT(preview.multiply_adds, 0.0);
}

}  // namespace
}  // namespace xtts::train
