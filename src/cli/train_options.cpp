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
#include "cli/run_config.h"
#include "cli/shell_words.h"
#include "cli/tensor_library.h"
#include "config/training_config.h"
#include "speak/vocoder_place.h"
#include "train/progress_line.h"
#include "train/run_folder.h"

namespace xtts::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kMostProfiled = 4096;  // a run remembers no more of its steps

// A vocoder has a run folder of its own, where nobody says which.
void name_vocoder_folder(config::Layers& layers) {
  constexpr const char* kFolderKey = "training.checkpoint_dir";
  if (config::resolve(layers).origins.contains(kFolderKey)) return;
  layers.flags.push_back({kFolderKey, "runs/vocoder"});
}

config::Resolved resolve_typed(const TrainArgs& args) {
  config::Layers layers{
      .run_file = {}, .file = {}, .sets = args.config.sets, .flags = args.config.flags};
  if (!args.config.file.empty()) layers.file = args.config.file;
  if (args.trained == train::Task::kVocoder) name_vocoder_folder(layers);
  config::Resolved resolved = resolve_run(std::move(layers), args.reset_training);
  if (args.trained == train::Task::kVocoder)
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
  fmt::print("speech trained   {:.1f} s per second\n", summary.audio_s_per_s);
  fmt::print("waited for data  {:.1f} %\n", 100.0 * summary.wait_share);
  fmt::print("memory           {:.0f} MB at most\n",
             static_cast<double>(summary.peak_rss_bytes) / 1e6);
  if (summary.judged) {
    fmt::print("judged           {} (step {})\n",
               train::describe(summary.judged->answer),
               summary.judged->step);
  }
  if (summary.judged_best) {
    fmt::print("best judged      {} (step {})\n",
               train::describe(summary.judged_best->answer),
               summary.judged_best->step);
  }
  if (summary.skipped_steps > 0) fmt::print("refused steps    {}\n", summary.skipped_steps);
}

nlohmann::ordered_json preview_json(const train::RunPreview& preview) {
  nlohmann::ordered_json shapes = nlohmann::ordered_json::array();
  for (const train::PlannedShape& shape : preview.shapes) {
    const pipeline::Signature& signature = shape.plan.signature;
    shapes.push_back({{"batch", signature.batch},
                      {"text", signature.text},
                      {"mel", signature.mel},
                      {"samples", signature.samples},
                      {"share_of_steps", shape.plan.share},
                      {"padding", shape.plan.padding},
                      {"memory_bytes", shape.step_bytes}});
  }
  return {{"description", preview.words},
          {"signatures", std::move(shapes)},
          {"padding", preview.padding},
          {"parameters", preview.num_parameters},
          {"updates_per_epoch", preview.updates_per_epoch},
          {"memory_bytes", preview.memory.total_bytes()},
          {"multiply_adds_per_step", preview.multiply_adds}};
}

// One with the usual mels needs no more than this to get a vocoder.
bool has_usual_mels(const config::Config& voice) {
  return audio::mel_spec_of(voice) == audio::MelSpec{};
}

// What makes the sound of a voice clearer, to be typed where it has no vocoder yet.
std::vector<std::string> vocoder_words(const config::Config& voice) {
  const std::string& run = voice.training.checkpoint_dir;
  std::vector<std::string> words = {"train-vocoder", "--train-data", voice.data.dataset_path};
  if (voice.data.language != config::DataConfig{}.language)
    words.insert(words.end(), {"--language", voice.data.language});
  if (voice.data.val_dataset_path)
    words.insert(words.end(), {"--val-data", *voice.data.val_dataset_path});
  words.insert(words.end(),
               {"--checkpoint-dir",
                speak::vocoder_folder_of(run).string(),
                "--max-minutes",
                "10",
                "--mels-from",
                run});
  return words;
}

void say_whose_vocoder(const config::Config& config) {
  const std::optional<fs::path> voice = speak::voice_of_vocoder(config.training.checkpoint_dir);
  if (!voice || config.data.mels_from) return;
  base::say(
      "[train] hint: this is the vocoder of a voice; with --mels-from {} it learns from what that "
      "says, too, and sounds more like it\n",
      voice->string());
}

void run_train(const TrainArgs& args) {
  require_usage(args.profile >= 0 && args.profile <= kMostProfiled,
                "--profile {}: 1 to {} steps",
                args.profile,
                kMostProfiled);
  train::TrainRequest request{.resolved = resolve_typed(args),
                              .trained = args.trained,
                              .reset_training = args.reset_training,
                              .profiled_steps = args.profile,
                              .trace_file = args.trace};
  config::Config& config = request.resolved.config;
  make_paths_absolute(config);
  if (!args.reset_training) train::require_run_of(config.training.checkpoint_dir, args.trained);
  if (args.trained == train::Task::kVocoder) choose_voice_for(config);
  const TensorVerbs& verbs = tensor_verbs(config::threads_of(config.training));
  for (const std::string& warning : request.resolved.warnings)
    base::say("[config] warning: {}\n", warning);
  if (config.training.evaluate_every == 0 &&
      (config.training.evaluate_text || config.training.evaluate_judge)) {
    base::say("[config] warning: nothing is judged: training.evaluate_every is 0\n");
  }
  if (args.resume)
    base::say("[train] --resume is not needed: a run with saves goes on by itself\n");

  if (args.trained == train::Task::kVocoder) say_whose_vocoder(config);

  const std::string run = config.training.checkpoint_dir;
  request.suggestion_flags = suggestion_flags_of_run(run);
  if (args.dry_run) {
    const train::RunPreview preview = verbs.describe_training(request);
    if (args.json) {
      fmt::print("{}\n", preview_json(preview).dump());
    } else {
      fmt::print("{}", preview.words);
    }
    base::say("Nothing was written. Next: the same command without --dry-run\n");
    return;
  }
  const train::TrainSummary summary = verbs.train(request);
  if (args.json) {
    fmt::print("{}\n", to_json(summary).dump());
  } else {
    print_train_text(summary);
  }
  const std::string save = summary.judged_best
                               ? (checkpoint::checkpoints_of(run) /
                                  checkpoint::checkpoint_name(summary.judged_best->step))
                                     .string()
                               : run;
  base::say("Next: {}\n", command_line(speaking_words(save, args.trained, "good_morning.wav")));
  const bool wants_vocoder = args.trained == train::Task::kVoice && !speak::vocoder_of_run(run);
  if (wants_vocoder && has_usual_mels(config))
    base::say("Clearer with a vocoder: {}\n", command_line(vocoder_words(config)));
}

}  // namespace

std::vector<std::string> speaking_words(const std::string& run_or_save,
                                        train::Task trained,
                                        const std::string& out) {
  std::vector<std::string> words = {"speak", "--checkpoint"};
  const std::optional<fs::path> voice = speak::voice_of_vocoder(run_or_save);
  if (trained == train::Task::kVoice) {
    words.push_back(run_or_save);
  } else if (voice) {
    words.push_back(voice->string());
  } else {
    words.insert(words.end(), {"runs/voice", "--vocoder", run_or_save});
  }
  words.insert(words.end(), {"--text", "Good morning.", "--out", out});
  return words;
}

void add_training(CLI::App& command, const std::shared_ptr<TrainArgs>& args) {
  command.add_flag("--dry-run", args->dry_run, "Say what would be done; write nothing");
  command.add_flag("--reset-training",
                   args->reset_training,
                   "Start anew; what the run folder holds is moved aside, never deleted");
  command.add_option("--trace", args->trace, "Write where the time went, for ui.perfetto.dev")
      ->type_name("FILE");
  command
      .add_option("--profile",
                  args->profile,
                  "Look closely at this many steps: operators, lanes, what limits them")
      ->type_name("STEPS");
  command.add_flag("--resume", args->resume, "Not needed: resuming is automatic");
  command.add_flag("--json", args->json, "Print one JSON object instead of text");
  command.callback([args] { run_train(*args); });
}

}  // namespace xtts::cli
