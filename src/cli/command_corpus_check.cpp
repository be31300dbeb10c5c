// myxtts corpus check: lists every utterance that training would skip, with the reason.

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/format.h"
#include "base/progress.h"
#include "base/terminal.h"
#include "cli/commands.h"
#include "cli/config_args.h"
#include "cli/corpus_commands.h"
#include "cli/corpus_json.h"
#include "cli/output_style.h"
#include "cli/shell_command.h"
#include "corpus/check.h"
#include "corpus/locate.h"
#include "corpus/reader.h"
#include "corpus/reasons.h"

namespace myxtts::cli {
namespace {

constexpr const char* kCorpusCheckExamples = R"(
Reads LJSpeech (id|text|normalized), metadata_train.csv + metadata_eval.csv, Piper (file|text,
file|speaker|text) and Hugging Face audiofolder (metadata.csv with a header, metadata.jsonl).
Exit code 1 if an utterance is unusable; warnings alone give 0.

Examples:
  myxtts corpus check demo_corpus
  myxtts corpus check demo_corpus --json > check.json
  myxtts corpus check demo_corpus --max-audio-length 20 --num-workers 1
  myxtts corpus check demo_corpus --long-silence 0.5    silences of half a second)";

struct CorpusCheckArgs {
  std::string dir;
  bool json = false;
  double long_silence_s = corpus::kDefaultLongSilenceS;
  ConfigArgs config;
};

struct CheckedSplit {
  corpus::Split split = corpus::Split::kTrain;
  corpus::Corpus corpus;
  corpus::CheckReport report;
};

std::vector<CheckedSplit> check_splits(const std::filesystem::path& dir,
                                       const config::Config& config,
                                       double long_silence_s) {
  std::vector<CheckedSplit> checked;
  for (const corpus::Split split : corpus::splits_in(dir, config.data)) {
    corpus::Corpus corpus = corpus::read_corpus(dir, config.data, split);
    base::log("[corpus] {}\n", corpus::format_corpus(corpus));
    base::ProgressBar bar("checking", corpus.utterances.size());
    corpus::CheckReport report = corpus::check_corpus(
        corpus,
        config,
        config::num_workers_of(config.data),
        [&](std::size_t count) { bar.advance(count); },
        long_silence_s);
    checked.push_back({split, std::move(corpus), std::move(report)});
  }
  return checked;
}

// Appends the problems of one split to a flat list. `split` names the split of each problem.
void append_problems(const std::vector<corpus::Problem>& problems,
                     corpus::Split split,
                     nlohmann::json& list) {
  for (const corpus::Problem& problem : problems) {
    nlohmann::json entry = to_json(problem);
    entry["split"] = corpus::name_of(split);
    list.push_back(std::move(entry));
  }
}

void print_corpus_check_json(const std::vector<CheckedSplit>& checked) {
  std::size_t num_utterances = 0;
  nlohmann::json output = {{"layout", machine_name(checked.front().corpus.layout)},
                           {"bad", nlohmann::json::array()},
                           {"warnings", nlohmann::json::array()},
                           {"splits", nlohmann::json::array()}};
  for (const CheckedSplit& one : checked) {
    const corpus::CheckReport& report = one.report;
    num_utterances += report.utterances;
    append_problems(report.bad, one.split, output["bad"]);
    append_problems(report.warnings, one.split, output["warnings"]);
    const std::filesystem::path file = one.corpus.root / one.corpus.metadata_file;
    output["splits"].push_back({{"split", corpus::name_of(one.split)},
                                {"layout", machine_name(one.corpus.layout)},
                                {"metadata_file", corpus::printable(file.string(), 4096)},
                                {"utterances", report.utterances},
                                {"bad", report.bad.size()},
                                {"warnings", report.warnings.size()}});
  }
  output["utterances"] = num_utterances;
  fmt::print("{}\n", output.dump());
}

// Prints problems grouped by reason, each group with its count and suggestion. Lists at most
// `max_listed` problems of a group.
void print_groups(const std::vector<corpus::Problem>& problems, std::size_t max_listed) {
  std::size_t id_width = 0;
  for (const corpus::Problem& problem : problems)
    id_width = std::min<std::size_t>(32, std::max(id_width, problem.id.size()));
  for (const corpus::Reason& group : corpus::all_reasons()) {
    const auto count = static_cast<std::size_t>(
        std::ranges::count(problems, group.reason, &corpus::Problem::reason));
    if (count == 0) continue;
    fmt::print("  {} ({}): {}\n", group.reason, count, group.suggestion);
    std::size_t num_listed = 0;
    for (const corpus::Problem& problem : problems) {
      if (problem.reason != group.reason || num_listed == max_listed) continue;
      ++num_listed;
      fmt::print("    {:<{}}  {}\n", problem.id, id_width, problem.detail);
    }
    if (num_listed < count) {
      fmt::print("    and {} more; --json lists them all\n", count - num_listed);
    }
  }
}

void print_corpus_check_text(const std::vector<CheckedSplit>& checked) {
  constexpr std::size_t kMaxWarningsListed = 10;
  for (const CheckedSplit& one : checked) {
    const corpus::CheckReport& report = one.report;
    fmt::print("{}: {}\n  {}, {} unusable, {}\n",
               corpus::name_of(one.split),
               corpus::format_corpus(one.corpus),
               base::format_count(report.utterances, "utterance"),
               report.bad.size(),
               base::format_count(report.warnings.size(), "warning"));
    if (!report.bad.empty()) fmt::print("\nUnusable, training skips these:\n");
    print_groups(report.bad, report.bad.size());
    if (!report.warnings.empty()) fmt::print("\nWarnings, usable but suspicious:\n");
    print_groups(report.warnings, kMaxWarningsListed);
    fmt::print("\n");
  }
}

bool is_clean(const std::vector<CheckedSplit>& checked) {
  return std::ranges::all_of(checked,
                             [](const CheckedSplit& one) { return one.report.bad.empty(); });
}

// Returns the command with this corpus and the configuration arguments of this call.
std::string next_command(std::vector<std::string> arguments, const CorpusCheckArgs& args) {
  const std::vector<std::string> typed = config_arguments(
      args.config, {"data.use_phonemes", "data.min_audio_length", "data.max_audio_length"});
  arguments.insert(arguments.end(), typed.begin(), typed.end());
  return command_line(arguments);
}

void run_corpus_check(const CorpusCheckArgs& args) {
  const config::Config config = resolve(args.config);
  const std::filesystem::path dir = corpus::locate_corpus(args.dir, config.data);
  const std::vector<CheckedSplit> checked = check_splits(dir, config, args.long_silence_s);
  args.json ? print_corpus_check_json(checked) : print_corpus_check_text(checked);
  if (is_clean(checked)) {
    base::log("No problems found. Next: {}\n",
              next_command({"stats", "--train-data", dir.string()}, args));
    return;
  }
  base::log("Next: repair or remove the unusable utterances, then check again: {}\n",
            next_command({"corpus", "check", dir.string()}, args));
  throw ProblemsFound();
}

}  // namespace

void add_corpus_check_command(CLI::App& corpus) {
  auto args = std::make_shared<CorpusCheckArgs>();
  CLI::App* command = corpus.add_subcommand(
      "check", "Check a corpus: list unusable utterances with reason and suggestion");
  command->footer(kCorpusCheckExamples);
  command->add_option("DIR", args->dir, "Corpus folder; default: data.dataset_path")->type_name("");
  command->add_flag("--json", args->json, "Print one JSON object instead of text");
  command
      ->add_option("--long-silence",
                   args->long_silence_s,
                   "Warn about silences of at least this many seconds")
      ->check(CLI::Range(0.1, 3600.0).description("0.1 to 3600"))
      ->capture_default_str();
  add_config_options(*command,
                     args->config,
                     {"data.language",
                      "data.use_phonemes",
                      "data.min_audio_length",
                      "data.max_audio_length",
                      "data.num_workers"});
  command->callback([args] { run_corpus_check(*args); });
}

}  // namespace myxtts::cli
