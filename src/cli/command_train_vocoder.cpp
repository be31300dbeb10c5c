// myxtts train-vocoder: trains a vocoder, which converts mel frames to audio.

#include <memory>

#include <CLI/CLI.hpp>

#include "cli/commands.h"
#include "cli/config_args.h"
#include "cli/train_options.h"

namespace myxtts::cli {
namespace {

constexpr const char* kTrainVocoderExamples = R"(
Trains a vocoder on random crops of the recordings. With --mels-from every second crop uses
ground-truth-aligned (GTA) mels of that voice, which improves its quality. Ends at --max-steps,
--max-minutes or --epochs; resumes from the newest intact checkpoint of --checkpoint-dir (default
runs/vocoder); Ctrl-C writes a checkpoint and stops. A voice in RUN uses the vocoder in
RUN/vocoder.

Examples:
  myxtts train-vocoder --train-data demo_corpus --checkpoint-dir runs/voice/vocoder \
    --mels-from runs/voice --max-minutes 10                          vocoder for one voice
  myxtts train-vocoder --checkpoint-dir runs/voice/vocoder --max-minutes 20     resumes
  myxtts train-vocoder --train-data demo_corpus --max-minutes 10     vocoder for any voice
  myxtts train-vocoder --train-data demo_corpus --dry-run            shows plan, parameters and memory
  myxtts train-vocoder --train-data demo_corpus --vocoder-size full --max-steps 200000
  myxtts train-vocoder --train-data demo_corpus --max-steps 2000 \
    --set training.val_step=500 --set training.vocoder_complex_loss_weight=1)";

}  // namespace

void add_train_vocoder_command(CLI::App& app) {
  auto args = std::make_shared<TrainArgs>();
  args->task = train::Task::kVocoder;
  CLI::App* command = app.add_subcommand("train-vocoder", "Train a vocoder; resumes automatically");
  command->footer(kTrainVocoderExamples);
  add_config_options(*command,
                     args->config,
                     {
                         "data.dataset_path",
                         "data.val_dataset_path",
                         "data.mels_from",
                         "training.checkpoint_dir",
                         "training.epochs",
                         "training.max_steps",
                         "training.max_minutes",
                         "model.vocoder_size",
                         "data.batch_size",
                         "model.vocoder_crop_frames",
                         "training.gradient_accumulation_steps",
                         "training.vocoder_learning_rate",
                         "training.device",
                         "training.precision",
                         "training.threads",
                         "training.memory_budget",
                         "data.num_workers",
                         "data.pipeline_buffer_size",
                         "data.data_gpu",
                         "data.model_gpu",
                         "data.data_device",
                         "data.model_device",
                         "data.model_start_delay",
                         "data.use_native_loading",
                         "data.feature_cache",
                         "data.cache_dir",
                         "data.cache_limit",
                         "training.seed",
                         "training.keep_checkpoints",
                         "training.hang_minutes",
                         "training.metrics_file",
                         "training.tensorboard_log_dir",
                         "data.language",
                         "data.use_phonemes",
                     });
  add_training_options(*command, args);
}

}  // namespace myxtts::cli
