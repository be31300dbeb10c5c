// myxtts bench: measures the hot paths of training and synthesis on this machine.

#include <cstdio>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/terminal.h"
#include "base/version.h"
#include "bench/bench_loader.h"
#include "bench/bench_mel.h"
#include "bench/bench_speak.h"
#include "cli/commands.h"
#include "cli/speak_tasks.h"
#include "cli/torch_library.h"
#include "config/training_config.h"

namespace myxtts::cli {
namespace {

constexpr const char* kBenchMelExamples = R"(
Examples:
  myxtts bench mel                    fast, reference and LibTorch mel, one thread
  myxtts bench mel --seconds 60       on a minute of generated audio
  myxtts bench mel --audio clip.wav   on a recording
  myxtts bench mel --json             as JSON)";

constexpr const char* kBenchLoaderExamples = R"(
Examples:
  myxtts bench loader --train-data demo_corpus                   from files, cache and memory
  myxtts bench loader --train-data demo_corpus --num-workers 1   with one worker
  myxtts bench loader --train-data demo_corpus --json            as JSON)";

constexpr const char* kBenchStepExamples = R"(
Examples:
  myxtts bench step                                fixed, planned and dynamic shapes; takes minutes
  myxtts bench step --rounds 5 --operators --json  more rounds, time per operator, as JSON)";

constexpr const char* kBenchSpeakExamples = R"(
Examples:
  myxtts bench speak --checkpoint runs/voice                 end-to-end synthesis, one thread
  myxtts bench speak --checkpoint runs/voice --precision bf16
  myxtts bench speak --checkpoint runs/voice --vocoder runs/vocoder --threads 2 --json)";

constexpr const char* kBenchExamples = R"(
Examples:
  myxtts bench mel                                audio to mel frames
  myxtts bench loader --train-data demo_corpus    recordings to padded batches
  myxtts bench step                               one training step
  myxtts bench speak --checkpoint runs/voice      text to audio)";

constexpr double kMinBenchAudioSeconds = 0.1;
constexpr double kMaxBenchAudioSeconds = 3600.0;

void print_bench_json(const std::vector<bench::BenchResult>& results) {
  nlohmann::json report = {{"results", nlohmann::json::array()},
                           {"machine", base::machine_text()},
                           {"version", base::version()}};
  for (const bench::BenchResult& result : results) {
    report["results"].push_back(
        {{"name", result.name}, {"value", result.value}, {"unit", result.unit}});
  }
  fmt::print("{}\n", report.dump());
}

void print_bench_text(const std::vector<bench::BenchResult>& results) {
  for (const bench::BenchResult& result : results) {
    fmt::print("{:<42} {:>12.4g} {}\n", result.name, result.value, result.unit);
  }
  fmt::print("{}\n", base::machine_text());
  if (!has_torch_commands()) base::log("This build is without LibTorch: no LibTorch results.\n");
  base::log("Next: make bench compares with Python peers (needs pip).\n");
}

void run_bench_loader(const bench::BenchLoaderArgs& args) {
  require_usage(
      args.rounds >= 1 && args.rounds <= 1000, "--rounds {}: expected 1 to 1000", args.rounds);
  require_usage(args.batch_size >= 1 && args.batch_size <= 256,
                "--batch-size {}: expected 1 to 256",
                args.batch_size);
  require_usage(args.num_workers >= 0 && args.num_workers <= 256,
                "--num-workers {}: expected 0 (one per core) to 256",
                args.num_workers);
  const std::vector<bench::BenchResult> results = bench::bench_loader(args);
  args.json ? print_bench_json(results) : print_bench_text(results);
}

void run_bench_step(bench::BenchStepArgs args) {
  require_usage(
      args.steps >= 1 && args.steps <= 1000, "--steps {}: expected 1 to 1000", args.steps);
  require_usage(
      args.rounds >= 1 && args.rounds <= 1000, "--rounds {}: expected 1 to 1000", args.rounds);
  require_usage(args.batch_size >= 1 && args.batch_size <= 256,
                "--batch-size {}: expected 1 to 256",
                args.batch_size);
  const std::vector<bench::BenchResult> results =
      torch_commands(config::threads_of({})).bench_step(args);
  args.json ? print_bench_json(results) : print_bench_text(results);
}

void run_bench_speak(const bench::BenchSpeakArgs& args) {
  require_usage(
      args.threads >= 1 && args.threads <= 1024, "--threads {}: expected 1 to 1024", args.threads);
  static_cast<void>(
      synthesis::is_bf16(args.precision));  // reports a wrong value before anything is loaded
  require_voice({.checkpoint = args.checkpoint,
                 .reference = "",
                 .speaker = "",
                 .vocoder = args.vocoder,
                 .tasks = {},
                 .on_file = {}});
  const std::vector<bench::BenchResult> results = torch_commands(args.threads).bench_speak(args);
  args.json ? print_bench_json(results) : print_bench_text(results);
}

void run_bench_mel(const bench::BenchMelArgs& args) {
  // CLI::Range would accept "nan".
  require_usage(args.seconds >= kMinBenchAudioSeconds && args.seconds <= kMaxBenchAudioSeconds,
                "--seconds {}: expected {} to {}",
                args.seconds,
                kMinBenchAudioSeconds,
                kMaxBenchAudioSeconds);
  const std::vector<bench::BenchResult> results =
      has_torch_commands() ? torch_commands(/*num_threads=*/1).bench_mel(args)
                           : bench::bench_mel_extractors(args);
  args.json ? print_bench_json(results) : print_bench_text(results);
}

}  // namespace

void add_bench_command(CLI::App& app) {
  auto args = std::make_shared<bench::BenchMelArgs>();
  CLI::App* command =
      app.add_subcommand("bench", "Benchmark training and synthesis on this machine");
  command->require_subcommand(1);
  command->footer(kBenchExamples);

  CLI::App* mel =
      command->add_subcommand("mel", "Benchmark mel extraction: fast, reference and LibTorch");
  mel->footer(kBenchMelExamples);
  mel->add_option(
         "--seconds", args->seconds, "Length of the generated audio in seconds, 0.1 to 3600")
      ->capture_default_str();
  mel->add_option("--audio", args->audio, "Audio file to use instead, at most one hour")
      ->type_name("FILE");
  mel->add_option("--device", args->device, "Device of the LibTorch mel: cpu, cuda or cuda:N")
      ->type_name("DEVICE")
      ->capture_default_str();
  mel->add_flag("--json", args->json, "Print one JSON object instead of text");
  mel->callback([args] { run_bench_mel(*args); });

  auto loader_args = std::make_shared<bench::BenchLoaderArgs>();
  CLI::App* loader =
      command->add_subcommand("loader", "Benchmark the data loader: from files, cache and memory");
  loader->footer(kBenchLoaderExamples);
  loader->add_option("--train-data", loader_args->train_data, "Corpus folder, as for train")
      ->type_name("DIR");
  loader->add_option("--batch-size", loader_args->batch_size, "Utterances per batch")
      ->capture_default_str();
  loader->add_option("--num-workers", loader_args->num_workers, "Loader threads; 0: one per core")
      ->capture_default_str();
  loader->add_option("--rounds", loader_args->rounds, "Rounds; the median is reported")
      ->capture_default_str();
  loader->add_flag("--json", loader_args->json, "Print one JSON object instead of text");
  loader->callback([loader_args] { run_bench_loader(*loader_args); });

  auto step_args = std::make_shared<bench::BenchStepArgs>();
  CLI::App* step = command->add_subcommand(
      "step", "Benchmark a training step: fixed, planned and dynamic shapes; eager and prepared");
  step->footer(kBenchStepExamples);
  step->add_option("--steps", step_args->steps, "Steps per setting and round")
      ->capture_default_str();
  step->add_option("--rounds", step_args->rounds, "Rounds; the median is reported")
      ->capture_default_str();
  step->add_option("--batch-size", step_args->batch_size, "Utterances per step")
      ->capture_default_str();
  step->add_option("--model-size", step_args->model_size, "Model size")
      ->check(CLI::IsMember({"tiny", "small", "normal", "big"}))
      ->capture_default_str();
  step->add_option("--precision",
                   step_args->precision,
                   "Precision; auto: fp32, and bf16 if the processor supports it")
      ->check(CLI::IsMember({"auto", "fp32", "bf16"}))
      ->capture_default_str();
  step->add_flag("--operators",
                 step_args->operators,
                 "Also report the time share of each operator, default setting");
  step->add_flag("--json", step_args->json, "Print one JSON object instead of text");
  step->callback([step_args] { run_bench_step(*step_args); });

  auto speak_args = std::make_shared<bench::BenchSpeakArgs>();
  CLI::App* speak = command->add_subcommand(
      "speak", "Benchmark synthesis: vocoder, Griffin-Lim, time to first audio");
  speak->footer(kBenchSpeakExamples);
  speak->add_option("--checkpoint", speak_args->checkpoint, "Run folder or checkpoint")
      ->type_name("DIR")
      ->required();
  speak
      ->add_option(
          "--vocoder",
          speak_args->vocoder,
          "Vocoder run or griffin-lim; default: RUN/vocoder if it exists, else griffin-lim")
      ->type_name("DIR");
  speak->add_option("--text", speak_args->text, "Text to synthesise")->capture_default_str();
  speak->add_option("--threads", speak_args->threads, "Compute threads")->capture_default_str();
  speak->add_option("--precision", speak_args->precision, "Compute precision")
      ->type_name("fp32|bf16")
      ->capture_default_str();
  speak->add_flag("--json", speak_args->json, "Print one JSON object instead of text");
  speak->callback([speak_args] { run_bench_speak(*speak_args); });
}

}  // namespace myxtts::cli
