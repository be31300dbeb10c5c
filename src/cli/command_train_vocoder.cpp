// myxtts train-vocoder: from the recordings of a corpus to a vocoder, which makes sound of mels.

#include <memory>

#include <CLI/CLI.hpp>

#include "cli/commands.h"
#include "cli/config_args.h"
#include "cli/train_options.h"

namespace xtts::cli {
namespace {

constexpr const char* kTrainVocoderExamples = R"(
Trains a vocoder on crops of the recordings: what it makes of their mels is compared with them.
With --mels-from it hears every second one as that voice says it, and makes it sound more alike.
Goes through the same loop as `train`: ends by --max-steps, --max-minutes or --epochs, goes on by
itself from the newest good save of --checkpoint-dir (runs/vocoder), Ctrl-C saves and stops.
A vocoder in RUN/vocoder of a voice is the one that the voice speaks with.

Examples:
  myxtts train-vocoder --train-data demo_corpus --checkpoint-dir runs/voice/vocoder \
    --mels-from runs/voice --max-minutes 10                          the vocoder of this voice
  myxtts train-vocoder --checkpoint-dir runs/voice/vocoder --max-minutes 20     goes on
  myxtts train-vocoder --train-data demo_corpus --max-minutes 10     one for any voice
  myxtts train-vocoder --train-data demo_corpus --dry-run            plan, parameters, memory
  myxtts train-vocoder --train-data demo_corpus --vocoder-size full --max-steps 200000
  myxtts train-vocoder --train-data demo_corpus --max-steps 2000 \
    --set training.val_step=500 --set training.vocoder_complex_loss_weight=1)";

}  // namespace

void add_train_vocoder_command(CLI::App& app) {
  auto args = std::make_shared<TrainArgs>();
  args->trained = train::Task::kVocoder;
  CLI::App* command =
      app.add_subcommand("train-vocoder", "Train a vocoder; goes on where a run stopped");
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
  add_training(*command, args);
}

}  // namespace xtts::cli
