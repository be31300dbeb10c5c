// myxtts demo: generates a corpus, trains a voice and a vocoder on it, and writes an HTML report.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "base/error.h"
#include "base/files.h"
#include "base/progress.h"
#include "base/terminal.h"
#include "base/threads.h"
#include "cli/commands.h"
#include "cli/demo_output.h"
#include "cli/demo_training.h"
#include "cli/shell_command.h"
#include "cli/stats_output.h"
#include "cli/torch_library.h"
#include "corpus/check.h"
#include "corpus/demo_corpus.h"
#include "corpus/demo_voice.h"
#include "corpus/reasons.h"
#include "corpus/report.h"
#include "synthesis/external_judge.h"
#include "train/run_folder.h"

namespace myxtts::cli {
namespace {

constexpr const char* kDemoExamples = R"(
Generates OUT/corpus (see corpus demo) and checks it. Trains a tiny acoustic model in OUT/voice and
a vocoder in OUT/voice/vocoder; the vocoder gets a third of --minutes. Only steps count. Synthesises
five held-out sentences and writes OUT/report.html with loss curves, spectrograms and audio players;
the page needs no network. A second call keeps what exists; with more --minutes training resumes.

The judge is a command that measures the word error rate (WER) of the recordings and of the voice.
"--text OUT/sentences.txt --wavs DIR --json" is appended to it. Example: tools/judge_wer.py.

Examples:
  myxtts demo
  myxtts demo --minutes 10 --judge '.venv/bin/python tools/judge_wer.py'
  myxtts demo --out runs/small --utterances 40 --voices rms,slt --minutes 0     corpus only
  myxtts demo --out runs/persian --language fa --utterances 200 --json)";

constexpr const char* kTitle = "myxtts demo: voice";
constexpr const char* kCorpusTitle = "myxtts demo: corpus";
constexpr double kMaxExampleSeconds = 9.0;  // keeps the report below 4 MB, see cli/demo_voice.cpp

struct DemoArgs {
  std::string out = "runs/demo";
  std::size_t utterances = 600;
  std::size_t num_examples = 6;
  double minutes = 5.0;
  std::string judge;
  corpus::DemoRequest request;
  bool json = false;

  bool trains() const { return minutes > 0.0; }
};

// Logs the stages of the demo, e.g. "[3/7] drawing spectrograms".
class Stages {
 public:
  explicit Stages(int total) : total_(total) {}
  void begin(const std::string& stage) { base::log("[{}/{}] {}\n", ++number_, total_, stage); }

 private:
  int number_ = 0;
  int total_;
};

// A split with the measurements of its utterances.
struct MeasuredSplit {
  corpus::Split split = corpus::Split::kTrain;
  corpus::Corpus corpus;
  std::vector<corpus::Measurement> measured;
};

// Refuses to overwrite a file that this command did not write. Reports are recognised by their
// title.
void require_own_report(const std::filesystem::path& file) {
  constexpr std::size_t kMaxReportBytes = std::size_t{64} << 20U;
  const base::ReadResult found = base::read_regular_file(file, kMaxReportBytes);
  if (found.fault == base::FileFault::kMissing) return;
  const auto has_title = [&](const char* title) {
    return found.bytes.find(fmt::format("<title>{}</title>", title)) != std::string::npos;
  };
  const bool is_own = has_title(kTitle) || has_title(kCorpusTitle);
  require_usage(is_own,
                "{} exists and is not a report of this command; choose another --out",
                corpus::printable(file.string(), 400));
}

// Generates the corpus. Returns true if it differs from the existing one.
bool generate_corpus(const corpus::DemoRequest& request) {
  const std::vector<corpus::DemoUtterance> plan = corpus::plan_demo_corpus(request);
  corpus::DemoResult result;
  {
    base::ProgressBar bar("generating", plan.size());
    result =
        corpus::write_demo_corpus(request, plan, [&](std::size_t count) { bar.advance(count); });
  }
  base::log("[corpus] {:.1f} min of speech; created {}, kept {}, removed {}\n",
            result.seconds / 60.0,
            result.created,
            result.kept,
            result.removed);
  return result.created > 0 || result.removed > 0;
}

std::vector<MeasuredSplit> measure_splits(const std::filesystem::path& dir,
                                          const config::Config& config,
                                          int num_workers) {
  std::vector<MeasuredSplit> splits;
  for (const corpus::Split split : corpus::splits_in(dir, config.data)) {
    MeasuredSplit measured_split{split, corpus::read_corpus(dir, config.data, split), {}};
    base::log("[corpus] {}\n", corpus::format_corpus(measured_split.corpus));
    base::ProgressBar bar("checking", measured_split.corpus.utterances.size());
    measured_split.measured = corpus::measure_corpus(
        measured_split.corpus, config, num_workers, [&](std::size_t count) { bar.advance(count); });
    splits.push_back(std::move(measured_split));
  }
  return splits;
}

std::vector<corpus::Example> draw_examples(const MeasuredSplit& measured_split,
                                           const DemoArgs& args,
                                           const config::Config& config) {
  const std::vector<std::size_t> chosen =
      corpus::choose_examples(measured_split.measured, args.num_examples, kMaxExampleSeconds);
  base::ProgressBar bar("drawing", chosen.size());
  return corpus::make_examples(measured_split.corpus,
                               chosen,
                               measured_split.measured,
                               config,
                               args.request.num_workers,
                               [&](std::size_t count) { bar.advance(count); });
}

std::vector<std::string> next_commands(const corpus::DemoRequest& request,
                                       const corpus::DemoReport& report,
                                       bool trains) {
  const std::string dir = request.out.string();
  const auto in_language = [&](std::vector<std::string> arguments) {
    if (request.language != "en")
      arguments.insert(arguments.end(), {"--language", request.language});
    return command_line(arguments);
  };
  std::vector<std::string> commands;
  if (trains) {
    const std::string run = DemoPaths(request.out.parent_path()).run.string();
    commands.push_back(command_line({"speak",
                                     "--checkpoint",
                                     run,
                                     "--text",
                                     request.language == "fa" ? "سلام." : "Good morning.",
                                     "--out",
                                     "speech.wav"}));
  }
  if (!report.examples.empty()) {
    const corpus::Example& example = report.examples.front();
    const std::string wav = fmt::format("{}/train/wavs/{}.wav", dir, example.id);
    commands.push_back(command_line({"audio", wav, "--png", "mel.png"}));
    commands.push_back(in_language({"text", example.text}));
  }
  commands.push_back(in_language({"stats", "--train-data", dir}));
  commands.push_back(in_language({"corpus", "check", dir}));
  return commands;
}

corpus::DemoReport make_report(const DemoArgs& args,
                               const corpus::DemoRequest& request,
                               const std::vector<MeasuredSplit>& splits,
                               const config::Config& config) {
  corpus::DemoReport report;
  report.title = args.trains() ? kTitle : kCorpusTitle;
  report.corpus_dir = corpus::printable(request.out.string(), 400);
  report.layout = splits.front().corpus.layout;
  report.stats = corpus::make_stats(splits.front().corpus, splits.front().measured);
  for (const MeasuredSplit& measured_split : splits) {
    report.checked.push_back(
        {measured_split.split,
         corpus::check_measured(measured_split.corpus, measured_split.measured)});
  }
  report.examples = draw_examples(splits.front(), args, config);
  report.next_commands = next_commands(request, report, args.trains());
  return report;
}

// Adds the judge's transcripts. Judging the recordings first detects a broken judge before
// training.
void judge_sentences(std::vector<HeldOutSentence>& held_out,
                     const std::string& command,
                     const DemoPaths& paths,
                     const std::filesystem::path& wavs,
                     train::SentenceAudio train::SynthesisedSentence::*side) {
  if (command.empty() || held_out.empty()) return;
  std::vector<synthesis::Transcript> transcripts = synthesis::run_judge_per_file(
      {.command = command, .text = paths.sentences, .wavs = wavs}, held_out.size());
  for (std::size_t i = 0; i < held_out.size(); ++i)
    (held_out[i].sentence.*side).transcript = std::move(transcripts[i]);
}

// Archives runs that were trained on another corpus.
void archive_old_runs(const DemoPaths& paths) {
  if (train::has_checkpoints(paths.vocoder)) train::archive_run(paths.vocoder);
  if (!train::has_checkpoints(paths.run)) return;
  const std::filesystem::path moved = train::archive_run(paths.run);
  base::log("[train] the corpus has changed; the old run is archived in {}\n",
            corpus::printable(moved.string(), 400));
}

TrainedVoice train_voice(const DemoArgs& args,
                         const MeasuredSplit& validation,
                         const config::Config& config,
                         const DemoPaths& paths,
                         const api::TorchCommands& torch,
                         Stages& stages) {
  TrainedVoice voice;
  stages.begin(args.judge.empty() ? "selecting held-out sentences" : "judging held-out recordings");
  voice.held_out = select_held_out(validation.corpus, validation.measured, config, paths);
  judge_sentences(
      voice.held_out, args.judge, paths, paths.recorded, &train::SynthesisedSentence::recorded);

  const double minutes = kVoiceShare * args.minutes;
  stages.begin(
      fmt::format("training the acoustic model for {:.3g} min (only steps count)", minutes));
  const train::TrainRequest request = demo_training(
      paths, args.request.language, minutes, args.request.num_workers, voice.held_out);
  voice.config = request.resolved.config;
  voice.summary = torch.train(request);

  stages.begin(fmt::format("training the vocoder for {:.3g} min (only steps count)",
                           args.minutes - minutes));
  voice.vocoder_summary = torch.train(demo_vocoder_training(
      paths, args.request.language, args.minutes - minutes, args.request.num_workers));

  stages.begin("synthesising held-out sentences");
  {
    base::ProgressBar bar("synthesising", voice.held_out.size());
    synthesise_held_out(
        voice.held_out, torch, config::threads_of(voice.config.training), paths, config, [&] {
          bar.advance();
        });
  }
  judge_sentences(
      voice.held_out, args.judge, paths, paths.spoken, &train::SynthesisedSentence::spoken);
  return voice;
}

void run_demo(const DemoArgs& args) {
  require_usage(std::isfinite(args.minutes) && args.minutes >= 0.0,
                "--minutes {}: expected 0 (no training) or more",
                args.minutes);
  const DemoPaths paths(args.out);
  corpus::DemoRequest request = args.request;
  request.out = paths.corpus;
  request.utterances = args.utterances;
  config::Config config;
  config.data.language = request.language;
  require_own_report(paths.report);
  require(!args.trains() || has_torch_commands(),
          "this build is without LibTorch and cannot train; run make build, or pass --minutes 0");
  const api::TorchCommands* torch =
      args.trains() ? &torch_commands(config::threads_of(config.training)) : nullptr;

  Stages stages(args.trains() ? 8 : 4);
  stages.begin("generating the demo corpus in " + corpus::printable(request.out.string()));
  if (generate_corpus(request) && args.trains()) archive_old_runs(paths);
  stages.begin("checking and measuring the corpus");
  std::vector<MeasuredSplit> splits = measure_splits(request.out, config, request.num_workers);
  stages.begin("drawing spectrograms and resynthesising audio");
  corpus::DemoReport report = make_report(args, request, splits, config);
  std::optional<TrainedVoice> voice;
  if (args.trains()) {
    const MeasuredSplit none;
    const bool has_validation = splits.back().split == corpus::Split::kValidation;
    voice = train_voice(args, has_validation ? splits.back() : none, config, paths, *torch, stages);
    add_voice_sections(*voice, paths, report);
  }
  stages.begin("writing " + corpus::printable(paths.report.string()));
  base::write_file_atomically(paths.report, corpus::demo_page(report));

  if (args.json) {
    const MeasuredSplit& train = splits.front();
    StatsOutput stats;
    stats.stats = report.stats;
    stats.configured = corpus::evaluate_limits(train.measured, data::kNoLimit, data::kNoLimit);
    stats.corpus = train.corpus;
    print_demo_json(report, stats, voice, paths);
  } else {
    print_demo_text(report, voice, paths.report);
  }
  base::log("Next: {}\n", report.next_commands.front());
  if (count_bad(report) > 0) throw ProblemsFound();
}

}  // namespace

void add_demo_command(CLI::App& app) {
  auto args = std::make_shared<DemoArgs>();
  args->request.num_workers = base::num_usable_cores();
  CLI::App* command = app.add_subcommand(
      "demo", "Generate a corpus, train a voice and a vocoder, write an HTML report");
  command->footer(kDemoExamples);
  command->add_option("--out", args->out, "Output folder for corpus, runs and report")
      ->type_name("DIR")
      ->capture_default_str();
  command
      ->add_option(
          "--minutes", args->minutes, "Training time in minutes; only steps count; 0: no training")
      ->capture_default_str();
  command->add_option("--judge", args->judge, "Command that measures the word error rate")
      ->type_name("COMMAND");
  command->add_option("--utterances", args->utterances, "Utterances of the corpus")
      ->check(CLI::Range(1, static_cast<int>(corpus::kMaxDemoUtterances)).description(""))
      ->capture_default_str();
  command
      ->add_option("--voices",
                   args->request.voices,
                   "Voices, separated by commas; default: rms, or fa for Persian")
      ->type_name("LIST")
      ->delimiter(',');
  command->add_option("--language", args->request.language, "Text language")
      ->type_name("en|fa")
      ->capture_default_str();
  command->add_option("--seed", args->request.seed, "Random seed of the sentences")
      ->check(CLI::NonNegativeNumber.description(""))
      ->capture_default_str();
  command
      ->add_option(
          "--examples", args->num_examples, "Utterances with audio and spectrogram in the report")
      ->check(CLI::Range(0, 12).description("0 to 12"))
      ->capture_default_str();
  command->add_option("--num-workers", args->request.num_workers, "Worker threads")
      ->check(CLI::Range(0, 256).description("0 to 256"))
      ->capture_default_str();
  command->add_flag("--json", args->json, "Print one JSON object instead of text");
  command->callback([args] { run_demo(*args); });
}

}  // namespace myxtts::cli
