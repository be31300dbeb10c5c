#include "cli/train_options.h"

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "audio/mel_spec.h"
#include "base/error.h"
#include "base/terminal.h"
#include "checkpoint/checkpoint_name.h"
#include "checkpoint/checkpoint_store.h"
#include "cli/shell_command.h"
#include "cli/torch_library.h"
#include "config/training_config.h"
#include "synthesis/find_vocoder.h"
#include "train/progress_line.h"
#include "train/run_config.h"
#include "train/run_folder.h"

namespace myxtts::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxProfiledSteps = 4096;  // a run keeps at most this many step times

// Sets the default run folder of a vocoder.
void set_default_vocoder_folder(config::Layers& layers) {
  constexpr const char* kFolderKey = "training.checkpoint_dir";
  if (config::resolve(layers).origins.contains(kFolderKey)) return;
  layers.flags.push_back({kFolderKey, "runs/vocoder"});
}

config::Resolved resolve_arguments(const TrainArgs& args) {
  config::Layers layers{
      .run_file = {}, .file = {}, .sets = args.config.sets, .flags = args.config.flags};
  if (!args.config.file.empty()) layers.file = args.config.file;
  if (args.task == train::Task::kVocoder) set_default_vocoder_folder(layers);
  config::Resolved resolved = train::resolve_run(std::move(layers), args.reset_training);
  if (args.task == train::Task::kVocoder)
    resolved.config = config::for_vocoder(std::move(resolved.config));
  return resolved;
}

void print_train_text(const train::TrainSummary& summary) {
  const auto loss = [](const std::optional<double>& value) {
    return value ? fmt::format("{:.4f}", *value) : std::string("none");
  };
  fmt::print("steps            {}\n", summary.steps);
  fmt::print("loss             {} (validation {})\n",
             loss(summary.final_loss),
             loss(summary.validation_loss));
  fmt::print("time per step    {:.0f} ms (p50), {:.0f} ms (p99)\n",
             1e3 * summary.step_s.p50,
             1e3 * summary.step_s.p99);
  fmt::print("throughput       {:.1f} s of audio per s\n", summary.audio_s_per_s);
  fmt::print("data wait        {:.1f} %\n", 100.0 * summary.wait_share);
  fmt::print("peak memory      {:.0f} MB\n", static_cast<double>(summary.peak_rss_bytes) / 1e6);
  if (summary.judged) {
    fmt::print("judged           {} (step {})\n",
               train::format_judgement(summary.judged->judgement),
               summary.judged->step);
  }
  if (summary.judged_best) {
    fmt::print("best judged      {} (step {})\n",
               train::format_judgement(summary.judged_best->judgement),
               summary.judged_best->step);
  }
  if (summary.skipped_steps > 0) fmt::print("skipped steps    {}\n", summary.skipped_steps);
}

nlohmann::ordered_json preview_json(const train::RunPreview& preview) {
  nlohmann::ordered_json shapes = nlohmann::ordered_json::array();
  for (const train::PlannedShape& shape : preview.shapes) {
    const data::Signature& signature = shape.plan.signature;
    shapes.push_back({{"batch", signature.batch},
                      {"text", signature.text},
                      {"mel", signature.mel},
                      {"samples", signature.samples},
                      {"share_of_steps", shape.plan.share},
                      {"padding", shape.plan.padding},
                      {"memory_bytes", shape.step_bytes}});
  }
  return {{"description", preview.text},
          {"signatures", std::move(shapes)},
          {"padding", preview.padding},
          {"parameters", preview.num_parameters},
          {"steps_per_epoch", preview.steps_per_epoch},
          {"memory_bytes", preview.memory.total_bytes()},
          {"multiply_adds_per_step", preview.multiply_adds}};
}

// train_vocoder_arguments() has no audio flags, so it fits only the default mel spec.
bool has_default_mel_spec(const config::Config& voice) {
  return audio::mel_spec_of(voice) == audio::MelSpec{};
}

// Returns the arguments that train a vocoder for this voice.
std::vector<std::string> train_vocoder_arguments(const config::Config& voice) {
  const std::string& run = voice.training.checkpoint_dir;
  std::vector<std::string> arguments = {"train-vocoder", "--train-data", voice.data.dataset_path};
  if (voice.data.language != config::DataConfig{}.language)
    arguments.insert(arguments.end(), {"--language", voice.data.language});
  if (voice.data.val_dataset_path)
    arguments.insert(arguments.end(), {"--val-data", *voice.data.val_dataset_path});
  arguments.insert(arguments.end(),
                   {"--checkpoint-dir",
                    synthesis::vocoder_folder_of(run).string(),
                    "--max-minutes",
                    "10",
                    "--mels-from",
                    run});
  return arguments;
}

void log_gta_hint(const config::Config& config) {
  const std::optional<fs::path> voice = synthesis::voice_of_vocoder(config.training.checkpoint_dir);
  if (!voice || config.data.mels_from) return;
  base::log(
      "[train] hint: this vocoder belongs to a voice; --mels-from {} adds its GTA mels and "
      "improves "
      "quality\n",
      voice->string());
}

void run_train(const TrainArgs& args) {
  require_usage(args.profile >= 0 && args.profile <= kMaxProfiledSteps,
                "--profile {}: expected 1 to {} steps",
                args.profile,
                kMaxProfiledSteps);
  train::TrainRequest request{.resolved = resolve_arguments(args),
                              .task = args.task,
                              .reset_training = args.reset_training,
                              .profiled_steps = args.profile,
                              .trace_file = args.trace};
  config::Config& config = request.resolved.config;
  train::make_paths_absolute(config);
  if (!args.reset_training) train::require_run_kind(config.training.checkpoint_dir, args.task);
  if (args.task == train::Task::kVocoder) train::select_mels_checkpoint_for(config);
  const api::TorchCommands& torch = torch_commands(config::threads_of(config.training));
  for (const std::string& warning : request.resolved.warnings)
    base::log("[config] warning: {}\n", warning);
  if (config.training.evaluate_every == 0 &&
      (config.training.evaluate_text || config.training.evaluate_judge)) {
    base::log(
        "[config] warning: no evaluation: training.evaluate_every is 0; add --evaluate-every N\n");
  }
  if (args.resume)
    base::log("[train] --resume is not needed: runs with checkpoints resume automatically\n");

  if (args.task == train::Task::kVocoder) log_gta_hint(config);

  const std::string run = config.training.checkpoint_dir;
  request.suggestion_flags = suggestion_flags_of_run(run);
  if (args.dry_run) {
    const train::RunPreview preview = torch.preview_training(request);
    if (args.json) {
      fmt::print("{}\n", preview_json(preview).dump());
    } else {
      fmt::print("{}", preview.text);
    }
    base::log("Nothing was written. Next: run without --dry-run\n");
    return;
  }
  const train::TrainSummary summary = torch.train(request);
  if (args.json) {
    fmt::print("{}\n", to_json(summary).dump());
  } else {
    print_train_text(summary);
  }
  const std::string best = summary.judged_best
                               ? (checkpoint::checkpoints_of(run) /
                                  checkpoint::checkpoint_name(summary.judged_best->step))
                                     .string()
                               : run;
  base::log("Next: {}\n", command_line(speak_arguments(best, args.task, "good_morning.wav")));
  const bool wants_vocoder = args.task == train::Task::kVoice && !synthesis::vocoder_of_run(run);
  if (wants_vocoder && has_default_mel_spec(config))
    base::log("Train a vocoder for better quality: {}\n",
              command_line(train_vocoder_arguments(config)));
}

}  // namespace

std::vector<std::string> speak_arguments(const std::string& run_or_checkpoint,
                                         train::Task task,
                                         const std::string& out) {
  std::vector<std::string> arguments = {"speak", "--checkpoint"};
  const std::optional<fs::path> voice = synthesis::voice_of_vocoder(run_or_checkpoint);
  if (task == train::Task::kVoice) {
    arguments.push_back(run_or_checkpoint);
  } else if (voice) {
    arguments.push_back(voice->string());
  } else {
    arguments.insert(arguments.end(), {"runs/voice", "--vocoder", run_or_checkpoint});
  }
  arguments.insert(arguments.end(), {"--text", "Good morning.", "--out", out});
  return arguments;
}

void add_training_options(CLI::App& command, const std::shared_ptr<TrainArgs>& args) {
  command.add_flag(
      "--dry-run", args->dry_run, "Show shape plan, parameters and memory; write nothing");
  command.add_flag("--reset-training",
                   args->reset_training,
                   "Restart training; the old run is archived in before_reset_N");
  command.add_option("--trace", args->trace, "Output trace for ui.perfetto.dev")->type_name("FILE");
  command
      .add_option(
          "--profile", args->profile, "Number of steps to profile: operators, lanes, bottleneck")
      ->type_name("N");
  command.add_flag("--resume", args->resume, "Not needed: runs resume automatically");
  command.add_flag("--json", args->json, "Print one JSON object instead of text");
  command.callback([args] { run_train(*args); });
}

}  // namespace myxtts::cli
