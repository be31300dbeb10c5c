// myxtts train: trains an acoustic model.

#include <memory>

#include <CLI/CLI.hpp>

#include "cli/commands.h"
#include "cli/config_args.h"
#include "cli/train_options.h"

namespace myxtts::cli {
namespace {

constexpr const char* kTrainExamples = R"(
Trains until --max-steps, --max-minutes (only steps count) or --epochs is reached. If --checkpoint-dir
has a run, training resumes bit for bit from its newest intact checkpoint with the settings of that
run; flags override them. Ctrl-C writes a checkpoint and stops.

Examples:
  myxtts train --train-data demo_corpus --checkpoint-dir runs/voice --max-minutes 5
  myxtts train --checkpoint-dir runs/voice --max-minutes 10       resumes for five more minutes
  myxtts train --train-data demo_corpus --dry-run                 shows plan, parameters and memory
  myxtts train --train-data demo_corpus --model-size small --batch-size 32 --grad-accum 2 \
    --max-steps 20000 --set training.val_step=500
  myxtts train --train-data demo_corpus --enable-static-shapes --max-text-length 200 \
    --max-mel-frames 800 --max-steps 20000                        one fixed shape
  myxtts train --train-data demo_corpus --data-device cpu:0 --model-device cpu:1 \
    --cache disk --cache-dir mels --trace trace.json --max-steps 2000   two lanes, with a trace
  myxtts train --train-data demo_corpus --checkpoint-dir runs/voice --max-minutes 5 \
    --profile 50                                                  profiles 50 steps
  myxtts train --train-data demo_corpus --checkpoint-dir runs/judged --max-steps 2000 \
    --evaluate-every 200 --evaluate-text lines.txt \
    --judge '.venv/bin/python tools/judge_wer.py'               keeps the best-scored checkpoint
  myxtts train --train-data demo_corpus --shape-buckets 4 --dry-run)";

}  // namespace

void add_train_command(CLI::App& app) {
  auto args = std::make_shared<TrainArgs>();
  CLI::App* command = app.add_subcommand("train", "Train an acoustic model; resumes automatically");
  command->footer(kTrainExamples);
  add_config_options(*command,
                     args->config,
                     {
                         "data.dataset_path",
                         "data.val_dataset_path",
                         "training.checkpoint_dir",
                         "training.epochs",
                         "training.max_steps",
                         "training.max_minutes",
                         "model.model_size",
                         "model.decoder",
                         "training.optimization_level",
                         "data.batch_size",
                         "data.pad_to_fixed_length",
                         "data.shape_buckets",
                         "data.max_text_length",
                         "data.max_mel_frames",
                         "training.gradient_accumulation_steps",
                         "training.learning_rate",
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
                         "data.prefetch_buffer_size",
                         "data.prefetch_to_gpu",
                         "data.use_native_loading",
                         "data.feature_cache",
                         "data.cache_dir",
                         "data.cache_limit",
                         "training.seed",
                         "training.keep_checkpoints",
                         "training.hang_minutes",
                         "training.evaluate_every",
                         "training.evaluate_text",
                         "training.evaluate_judge",
                         "training.metrics_file",
                         "training.tensorboard_log_dir",
                         "data.language",
                         "data.use_phonemes",
                     });
  add_training_options(*command, args);
}

}  // namespace myxtts::cli
