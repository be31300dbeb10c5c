// myxtts bench: how fast this machine does what a training spends its time on.

#include <cstdio>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/terminal.h"
#include "base/version.h"
#include "cli/bench_loader.h"
#include "cli/bench_mel.h"
#include "cli/bench_speak.h"
#include "cli/commands.h"
#include "cli/speak_tasks.h"
#include "cli/tensor_library.h"
#include "config/training_config.h"

namespace xtts::cli {
namespace {

constexpr const char* kBenchMelExamples = R"(
Examples:
  myxtts bench mel                    the fast mel beside the plain one and LibTorch's, one thread
  myxtts bench mel --seconds 60       the same on a minute of sound
  myxtts bench mel --audio clip.wav   the same on a recording of yours
  myxtts bench mel --json             for machines)";

constexpr const char* kBenchLoaderExamples = R"(
Examples:
  myxtts bench loader --train-data demo_corpus                   files, cache and memory to batches
  myxtts bench loader --train-data demo_corpus --num-workers 1   the same with one worker
  myxtts bench loader --train-data demo_corpus --json            for machines)";

constexpr const char* kBenchStepExamples = R"(
Examples:
  myxtts bench step                                fixed, planned and dynamic shapes, some minutes
  myxtts bench step --rounds 5 --operators --json  more rounds, where the time goes, for machines)";

constexpr const char* kBenchSpeakExamples = R"(
Examples:
  myxtts bench speak --checkpoint runs/voice                 text to sound on one thread
  myxtts bench speak --checkpoint runs/voice --precision bf16
  myxtts bench speak --checkpoint runs/voice --vocoder runs/vocoder --threads 2 --json)";

constexpr const char* kBenchExamples = R"(
Examples:
  myxtts bench mel                                sound to mel frames
  myxtts bench loader --train-data demo_corpus    recordings to padded batches
  myxtts bench step                               an update of training
  myxtts bench speak --checkpoint runs/voice      text to sound)";

constexpr double kFewestSeconds = 0.1;
constexpr double kMostSeconds = 3600.0;

void print_bench_json(const std::vector<BenchResult>& results) {
  nlohmann::json report = {{"results", nlohmann::json::array()},
                           {"machine", base::machine_text()},
                           {"version", base::version()}};
  for (const BenchResult& result : results) {
    report["results"].push_back(
        {{"name", result.name}, {"value", result.value}, {"unit", result.unit}});
  }
  fmt::print("{}\n", report.dump());
}

void print_bench_text(const std::vector<BenchResult>& results) {
  for (const BenchResult& result : results) {
    fmt::print("{:<42} {:>12.4g} {}\n", result.name, result.value, result.unit);
  }
  fmt::print("{}\n", base::machine_text());
  if (!has_tensor_verbs()) base::say("This build is without LibTorch: nothing beside.\n");
  base::say("Next: make bench puts peers in Python beside it, where pip can install them.\n");
}

void run_bench_loader(const BenchLoaderArgs& args) {
  require_usage(args.rounds >= 1 && args.rounds <= 1000, "--rounds {}: 1 to 1000", args.rounds);
  require_usage(
      args.batch_size >= 1 && args.batch_size <= 256, "--batch-size {}: 1 to 256", args.batch_size);
  require_usage(args.num_workers >= 0 && args.num_workers <= 256,
                "--num-workers {}: 0 (as many as cores) to 256",
                args.num_workers);
  const std::vector<BenchResult> results = bench_loader(args);
  args.json ? print_bench_json(results) : print_bench_text(results);
}

void run_bench_step(BenchStepArgs args) {
  require_usage(args.updates >= 1 && args.updates <= 1000, "--updates {}: 1 to 1000", args.updates);
  require_usage(args.rounds >= 1 && args.rounds <= 1000, "--rounds {}: 1 to 1000", args.rounds);
  require_usage(
      args.batch_size >= 1 && args.batch_size <= 256, "--batch-size {}: 1 to 256", args.batch_size);
  const std::vector<BenchResult> results = tensor_verbs(config::threads_of({})).bench_step(args);
  args.json ? print_bench_json(results) : print_bench_text(results);
}

void run_bench_speak(const BenchSpeakArgs& args) {
  require_usage(args.threads >= 1 && args.threads <= 1024, "--threads {}: 1 to 1024", args.threads);
  static_cast<void>(is_bf16(args.precision));  // a wrong one is told before anything is loaded
  require_voice({.checkpoint = args.checkpoint,
                 .reference = "",
                 .speaker = "",
                 .vocoder = args.vocoder,
                 .tasks = {},
                 .on_file = {}});
  const std::vector<BenchResult> results = tensor_verbs(args.threads).bench_speak(args);
  args.json ? print_bench_json(results) : print_bench_text(results);
}

void run_mel(const BenchMelArgs& args) {
  // Not CLI::Range: it lets "nan" through.
  require_usage(args.seconds >= kFewestSeconds && args.seconds <= kMostSeconds,
                "--seconds {}: expected {} to {}",
                args.seconds,
                kFewestSeconds,
                kMostSeconds);
  const std::vector<BenchResult> results =
      has_tensor_verbs() ? tensor_verbs(/*num_threads=*/1).bench_mel(args) : bench_our_mels(args);
  args.json ? print_bench_json(results) : print_bench_text(results);
}

}  // namespace

void add_bench_command(CLI::App& app) {
  auto args = std::make_shared<BenchMelArgs>();
  CLI::App* command = app.add_subcommand("bench", "Measure the hot paths on this machine");
  command->require_subcommand(1);
  command->footer(kBenchExamples);

  CLI::App* mel =
      command->add_subcommand("mel", "Sound to mel frames: fast, plain, and by LibTorch");
  mel->footer(kBenchMelExamples);
  mel->add_option("--seconds", args->seconds, "Seconds of sound, 0.1 to 3600")
      ->capture_default_str();
  mel->add_option("--audio", args->audio, "A recording to take instead, of at most an hour")
      ->type_name("FILE");
  mel->add_option("--device", args->device, "Where LibTorch works: cpu, cuda or cuda:N")
      ->capture_default_str();
  mel->add_flag("--json", args->json, "Print one JSON object instead of text");
  mel->callback([args] { run_mel(*args); });

  auto loader_args = std::make_shared<BenchLoaderArgs>();
  CLI::App* loader = command->add_subcommand(
      "loader", "Recordings to padded batches: computed, out of the cache, out of memory");
  loader->footer(kBenchLoaderExamples);
  loader->add_option("--train-data", loader_args->train_data, "A corpus, as for train")
      ->type_name("DIR");
  loader->add_option("--batch-size", loader_args->batch_size, "Utterances of a batch")
      ->capture_default_str();
  loader->add_option("--num-workers", loader_args->num_workers, "Threads; 0: one per core")
      ->capture_default_str();
  loader->add_option("--rounds", loader_args->rounds, "Rounds; the median counts")
      ->capture_default_str();
  loader->add_flag("--json", loader_args->json, "Print one JSON object instead of text");
  loader->callback([loader_args] { run_bench_loader(*loader_args); });

  auto step_args = std::make_shared<BenchStepArgs>();
  CLI::App* step = command->add_subcommand(
      "step", "An update of training: one fixed shape, a plan, dynamic shapes; eager and prepared");
  step->footer(kBenchStepExamples);
  step->add_option("--updates", step_args->updates, "Updates of each setting in a round")
      ->capture_default_str();
  step->add_option("--rounds", step_args->rounds, "Rounds; the median counts")
      ->capture_default_str();
  step->add_option("--batch-size", step_args->batch_size, "Utterances of an update")
      ->capture_default_str();
  step->add_option("--model-size", step_args->model_size, "tiny, small, normal or big")
      ->check(CLI::IsMember({"tiny", "small", "normal", "big"}))
      ->capture_default_str();
  step->add_option(
          "--precision", step_args->precision, "auto: fp32, and bf16 where the processor has it")
      ->check(CLI::IsMember({"auto", "fp32", "bf16"}))
      ->capture_default_str();
  step->add_flag("--operators",
                 step_args->operators,
                 "Also what each operator takes of the time, of the default setting");
  step->add_flag("--json", step_args->json, "Print one JSON object instead of text");
  step->callback([step_args] { run_bench_step(*step_args); });

  auto speak_args = std::make_shared<BenchSpeakArgs>();
  CLI::App* speak = command->add_subcommand(
      "speak",
      "A text to sound, with the vocoder and with Griffin-Lim; the first sound of a stream");
  speak->footer(kBenchSpeakExamples);
  speak->add_option("--checkpoint", speak_args->checkpoint, "The run folder, or one of its saves")
      ->required();
  speak->add_option(
      "--vocoder",
      speak_args->vocoder,
      "Run of train-vocoder, or griffin-lim; default: RUN/vocoder if there, else griffin-lim");
  speak->add_option("--text", speak_args->text, "The text")->capture_default_str();
  speak->add_option("--threads", speak_args->threads, "Threads of the arithmetic")
      ->capture_default_str();
  speak->add_option("--precision", speak_args->precision, "As that of speak: fp32 or bf16")
      ->capture_default_str();
  speak->add_flag("--json", speak_args->json, "Print one JSON object instead of text");
  speak->callback([speak_args] { run_bench_speak(*speak_args); });
}

}  // namespace xtts::cli
