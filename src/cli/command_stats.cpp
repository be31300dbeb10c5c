// myxtts stats: reports length statistics of a corpus and recommends length limits.

#include <algorithm>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "base/error.h"
#include "base/files.h"
#include "base/format.h"
#include "base/progress.h"
#include "base/terminal.h"
#include "cli/commands.h"
#include "cli/config_args.h"
#include "cli/output_style.h"
#include "cli/shell_command.h"
#include "cli/stats_output.h"
#include "corpus/held_out.h"
#include "corpus/histogram_text.h"
#include "corpus/locate.h"
#include "corpus/measure.h"
#include "corpus/reader.h"
#include "corpus/reasons.h"
#include "corpus/report.h"
#include "corpus/statistics.h"

namespace myxtts::cli {
namespace {

constexpr const char* kStatsExamples = R"(
Text lengths are in symbols, mel lengths in frames after trimming. Percentiles are nearest-rank.
Recommended limits are rounded up to a multiple of 8 symbols and 32 frames. The shape plan is the
one that train would use with the same flags; its padding is compared with one fixed shape and with
dynamic shapes.

Examples:
  myxtts stats --train-data demo_corpus
  myxtts stats --train-data demo_corpus --html stats.html
  myxtts stats --train-data demo_corpus --max-text-length 120 --max-mel-frames 800
  myxtts stats --train-data demo_corpus --shape-buckets 4 --batch-size 32
  myxtts stats --train-data demo_corpus --json > stats.json)";

struct StatsArgs {
  std::string train_data;
  std::string html;
  bool json = false;
  ConfigArgs config;
};

// Refuses an output file that is part of the corpus.
void require_not_of_corpus(const std::filesystem::path& output, const corpus::Corpus& corpus) {
  std::error_code error;
  if (output.empty() || !std::filesystem::exists(output, error)) return;
  const auto is_output = [&](const std::filesystem::path& file) {
    std::error_code ignored;
    return std::filesystem::equivalent(output, corpus.root / file, ignored);
  };
  const bool is_corpus_file =
      is_output(corpus.metadata_file) ||
      std::ranges::any_of(corpus.utterances,
                          [&](const corpus::Utterance& one) { return is_output(one.audio); });
  require_usage(!is_corpus_file,
                "--html {} is a file of the corpus; choose another name",
                corpus::printable(output.string(), 400));
}

// Lengths of the usable utterances, split as `train` splits them.
struct SplitLengths {
  std::vector<data::Lengths> training, validation;
};

SplitLengths split_lengths(const corpus::Corpus& corpus,
                           std::span<const corpus::Measurement> measured,
                           double val_split) {
  SplitLengths lengths;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    if (measured[i].problem) continue;
    const bool is_held_out = corpus::is_held_out(corpus.utterances[i].id, val_split);
    (is_held_out ? lengths.validation : lengths.training)
        .push_back({measured[i].text_length, measured[i].mel_length});
  }
  return lengths;
}

StatsOutput measure(const std::filesystem::path& dir,
                    const config::Config& config,
                    const std::filesystem::path& html) {
  corpus::Corpus corpus = corpus::read_corpus(dir, config.data);
  base::log("[corpus] {}\n", corpus::format_corpus(corpus));
  require_not_of_corpus(html, corpus);
  std::vector<corpus::Measurement> measured;
  {
    base::ProgressBar bar("measuring", corpus.utterances.size());
    measured = corpus::measure_corpus(
        corpus, config, config::num_workers_of(config.data), [&](std::size_t count) {
          bar.advance(count);
        });
  }
  StatsOutput output;
  output.stats = corpus::make_stats(corpus, measured);
  const bool needs_split = corpus::splits_in(dir, config.data).size() == 1;
  if (needs_split) {
    output.held_out = corpus::count_held_out(corpus.utterances, measured, config.data.val_split);
  }
  const SplitLengths lengths =
      split_lengths(corpus, measured, needs_split ? config.data.val_split : 0.0);
  if (!lengths.training.empty()) {
    output.shapes = shapes_of(config, lengths.training, lengths.validation);
    output.configured =
        corpus::evaluate_limits(measured, output.shapes->limits.text, output.shapes->limits.mel);
  }
  output.corpus = std::move(corpus);
  return output;
}

void print_lengths(const char* title,
                   const corpus::LengthStats& stats,
                   const corpus::Histogram& histogram) {
  fmt::print("{}\n  min {}   mean {:.1f}   max {}   p50 {}   p90 {}   p95 {}   p99 {}\n",
             title,
             stats.min,
             stats.mean,
             stats.max,
             stats.percentile_50,
             stats.percentile_90,
             stats.percentile_95,
             stats.percentile_99);
  fmt::print("{}\n", corpus::draw_histogram(histogram, terminal_chart_style()));
}

void print_limits(const std::string& title, const corpus::LengthLimits& limits) {
  fmt::print("  {:<4} {:>6} utterances ({:>5.2f} %) {:>7.3f} h ({:>5.2f} %)  {}\n",
             title,
             limits.filtered_utterances,
             100 * limits.utterance_share,
             limits.filtered_hours,
             100 * limits.hour_share,
             format_set_limits(limits));
}

void print_stats_text(const StatsOutput& output) {
  const corpus::CorpusStats& stats = output.stats;
  fmt::print("{}, {:.2f} h, {}\n",
             base::format_count(stats.utterances, "utterance"),
             stats.hours,
             base::format_count(stats.speakers.size(), "speaker"));
  constexpr std::size_t kMaxSpeakersListed = 20;
  for (std::size_t i = 0; i < std::min(stats.speakers.size(), kMaxSpeakersListed); ++i) {
    const corpus::SpeakerShare& speaker = stats.speakers[i];
    if (speaker.name.empty()) continue;
    fmt::print("  {:<16} {:>6} utterances {:>8.2f} h\n",
               corpus::printable(speaker.name),
               speaker.utterances,
               speaker.hours);
  }
  if (output.held_out > 0) {
    fmt::print("no validation set: {} utterances are held out (data.val_split)\n", output.held_out);
  }
  fmt::print("\n");
  print_lengths("Text length (symbols)", stats.text_length, stats.text_histogram);
  print_lengths("Mel length (frames)", stats.mel_length, stats.mel_histogram);
  fmt::print("Length limits and the utterances they filter\n");
  print_limits("now", output.configured);
  for (const corpus::LengthLimits& limits : stats.recommendations)
    print_limits(fmt::format("p{}", limits.percent), limits);
  fmt::print("\nRecommended: {}\n", corpus::flags_of(stats.recommended()));
  if (output.shapes) fmt::print("\n{}", shapes_text(*output.shapes));
}

// Logs the number and the ids of skipped utterances.
void log_skipped(const corpus::CorpusStats& stats) {
  constexpr std::size_t kMaxListed = 20;
  if (stats.skipped.empty()) return;
  base::log("[corpus] skipped {}:\n",
            base::format_count(stats.skipped.size(), "unusable utterance"));
  for (std::size_t i = 0; i < std::min(stats.skipped.size(), kMaxListed); ++i) {
    base::log("  {}: {}\n", stats.skipped[i].id, stats.skipped[i].reason);
  }
  if (stats.skipped.size() > kMaxListed) {
    base::log("  and {} more\n", stats.skipped.size() - kMaxListed);
  }
}

void append(std::vector<std::string>& arguments, const std::vector<std::string>& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
}

// Returns the configuration arguments as --set, which every command with a configuration accepts.
std::vector<std::string> typed_config(const StatsArgs& args) {
  return config_arguments(
      args.config, {"data.language", "data.use_phonemes", "data.add_blank", "data.trim_silence"});
}

std::string check_command(const StatsArgs& args, const std::filesystem::path& dir) {
  std::vector<std::string> arguments = {"corpus", "check", dir.string()};
  append(arguments, typed_config(args));
  return command_line(arguments);
}

void run_stats(const StatsArgs& args) {
  const config::Config config = resolve(args.config);
  const std::filesystem::path dir = corpus::locate_corpus(args.train_data, config.data);
  const std::string shown_dir = corpus::printable(dir.string(), 400);
  const StatsOutput output = measure(dir, config, args.html);
  log_skipped(output.stats);
  require(output.stats.utterances > 0,
          "{} has no usable utterance; list the reasons with: {}",
          shown_dir,
          check_command(args, dir));

  if (args.json) {
    fmt::print("{}\n", to_json(output).dump());
  } else {
    print_stats_text(output);
  }
  if (!args.html.empty()) {
    const std::string title = fmt::format("Statistics of {}", shown_dir);
    const std::string shapes = output.shapes ? shapes_section(*output.shapes) : "";
    base::write_file_atomically(args.html, corpus::statistics_page(output.stats, title, shapes));
    base::log("Wrote {}\n", args.html);
  }
  if (output.stats.skipped.empty()) {
    std::vector<std::string> next = {"config", "show"};
    append(next, typed_config(args));
    base::log("Next: {} --set data.max_text_length={} --set data.max_mel_frames={}\n",
              command_line(next),
              output.stats.recommended().max_text_length,
              output.stats.recommended().max_mel_frames);
  } else {
    base::log("Next: {}\n", check_command(args, dir));
  }
}

}  // namespace

void add_stats_command(CLI::App& app) {
  auto args = std::make_shared<StatsArgs>();
  CLI::App* command =
      app.add_subcommand("stats", "Show length statistics of a corpus and recommend limits");
  command->footer(kStatsExamples);
  command->add_option("--train-data", args->train_data, "Corpus folder; default: data.dataset_path")
      ->type_name("DIR");
  command->add_option("--html", args->html, "Output HTML report with histograms")
      ->type_name("FILE");
  command->add_flag("--json", args->json, "Print one JSON object instead of text");
  add_config_options(*command,
                     args->config,
                     {"data.language",
                      "data.use_phonemes",
                      "data.add_blank",
                      "data.trim_silence",
                      "data.max_text_length",
                      "data.max_mel_frames",
                      "data.batch_size",
                      "training.gradient_accumulation_steps",
                      "data.pad_to_fixed_length",
                      "data.shape_buckets",
                      "data.num_workers"});
  command->callback([args] { run_stats(*args); });
}

}  // namespace myxtts::cli
