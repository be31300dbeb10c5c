// myxtts stats: how long the utterances of a corpus are, and the limits to train with.

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
#include "base/progress.h"
#include "base/terminal.h"
#include "cli/answer_style.h"
#include "cli/commands.h"
#include "cli/config_args.h"
#include "cli/shell_words.h"
#include "cli/stats_answer.h"
#include "corpus/held_back.h"
#include "corpus/histogram_text.h"
#include "corpus/locate.h"
#include "corpus/measure.h"
#include "corpus/reader.h"
#include "corpus/reasons.h"
#include "corpus/report.h"
#include "corpus/statistics.h"

namespace xtts::cli {
namespace {

constexpr const char* kStatsExamples = R"(
Text lengths are symbols of the text front end, mel lengths are frames after trimming. Percentiles
are nearest-rank: the smallest length that at least so many percent of the utterances do not
exceed. Recommended lengths are rounded up, to a multiple of 8 symbols and of 32 frames. The shape
plan is the one that train would make with the same flags; beside it the padding of one fixed shape
and of dynamic ones.

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

// A page must not take the place of what it is about.
void require_not_of_corpus(const std::filesystem::path& page, const corpus::Corpus& corpus) {
  std::error_code error;
  if (page.empty() || !std::filesystem::exists(page, error)) return;
  const auto is_page = [&](const std::filesystem::path& file) {
    std::error_code ignored;
    return std::filesystem::equivalent(page, corpus.root / file, ignored);
  };
  const bool taken = is_page(corpus.metadata_file) ||
                     std::ranges::any_of(corpus.utterances, [&](const corpus::Utterance& one) {
                       return is_page(one.audio);
                     });
  require_usage(!taken,
                "--html {} is a file of the corpus itself; choose another name",
                corpus::printable(page.string(), 400));
}

// The lengths of the good utterances, as a training would part them.
struct Parts {
  std::vector<pipeline::Lengths> training, validation;
};

Parts parts_of(const corpus::Corpus& corpus,
               std::span<const corpus::Measured> measured,
               double val_split) {
  Parts parts;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    if (measured[i].problem) continue;
    const bool validates = corpus::is_held_back(corpus.utterances[i].id, val_split);
    (validates ? parts.validation : parts.training)
        .push_back({measured[i].text_length, measured[i].mel_length});
  }
  return parts;
}

StatsAnswer measure(const std::filesystem::path& dir,
                    const config::Config& config,
                    const std::filesystem::path& page) {
  corpus::Corpus corpus = corpus::read_corpus(dir, config.data);
  base::say("[corpus] {}\n", corpus::describe(corpus));
  require_not_of_corpus(page, corpus);
  std::vector<corpus::Measured> measured;
  {
    base::ProgressBar bar("measuring", corpus.utterances.size());
    measured = corpus::measure_corpus(
        corpus, config, config::num_workers_of(config.data), [&](std::size_t count) {
          bar.advance(count);
        });
  }
  StatsAnswer answer;
  answer.stats = corpus::make_stats(corpus, measured);
  const bool holds_back = corpus::splits_in(dir, config.data).size() == 1;
  if (holds_back) {
    answer.held_back = corpus::count_held_back(corpus.utterances, measured, config.data.val_split);
  }
  const Parts parts = parts_of(corpus, measured, holds_back ? config.data.val_split : 0.0);
  if (!parts.training.empty()) {
    answer.shapes = shapes_of(config, parts.training, parts.validation);
    answer.configured =
        corpus::cost_of_limits(measured, answer.shapes->limits.text, answer.shapes->limits.mel);
  }
  answer.corpus = std::move(corpus);
  return answer;
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

void print_limits(const std::string& title, const corpus::Recommendation& limits) {
  fmt::print("  {:<4} {:>6} utterances ({:>5.2f} %) {:>7.3f} h ({:>5.2f} %)  {}\n",
             title,
             limits.utterances_left_out,
             100 * limits.utterance_share,
             limits.hours_left_out,
             100 * limits.hour_share,
             flags_of_set_limits(limits));
}

void print_stats_text(const StatsAnswer& answer) {
  const corpus::CorpusStats& stats = answer.stats;
  fmt::print("{}, {:.2f} h, {}\n",
             counted(stats.utterances, "utterance"),
             stats.hours,
             counted(stats.speakers.size(), "speaker"));
  constexpr std::size_t kMaxSpeakersListed = 20;
  for (std::size_t i = 0; i < std::min(stats.speakers.size(), kMaxSpeakersListed); ++i) {
    const corpus::SpeakerShare& speaker = stats.speakers[i];
    if (speaker.name.empty()) continue;
    fmt::print("  {:<16} {:>6} utterances {:>8.2f} h\n",
               corpus::printable(speaker.name),
               speaker.utterances,
               speaker.hours);
  }
  if (answer.held_back > 0) {
    fmt::print("no validation set: {} of them are held back for it (data.val_split)\n",
               answer.held_back);
  }
  fmt::print("\n");
  print_lengths("Text length (symbols)", stats.text_length, stats.text_histogram);
  print_lengths("Mel length (frames)", stats.mel_length, stats.mel_histogram);
  fmt::print("Limits and what they leave out\n");
  print_limits("now", answer.configured);
  for (const corpus::Recommendation& limits : stats.recommendations)
    print_limits(fmt::format("p{}", limits.percent), limits);
  fmt::print("\nRecommended: {}\n", corpus::flags_of(stats.recommended()));
  if (answer.shapes) fmt::print("\n{}", shapes_text(*answer.shapes));
}

// Nothing silent: what was skipped is counted and named.
void report_skipped(const corpus::CorpusStats& stats) {
  constexpr std::size_t kMaxListed = 20;
  if (stats.skipped.empty()) return;
  base::say("[corpus] skipped {}:\n", counted(stats.skipped.size(), "bad utterance"));
  for (std::size_t i = 0; i < std::min(stats.skipped.size(), kMaxListed); ++i) {
    base::say("  {}: {}\n", stats.skipped[i].id, stats.skipped[i].reason);
  }
  if (stats.skipped.size() > kMaxListed) {
    base::say("  and {} more\n", stats.skipped.size() - kMaxListed);
  }
}

void append(std::vector<std::string>& words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
}

// With --set alone, which every verb with a configuration has.
std::vector<std::string> typed_config(const StatsArgs& args) {
  return config_words(
      args.config, {"data.language", "data.use_phonemes", "data.add_blank", "data.trim_silence"});
}

std::string check_command(const StatsArgs& args, const std::filesystem::path& dir) {
  std::vector<std::string> words = {"corpus", "check", dir.string()};
  append(words, typed_config(args));
  return command_line(words);
}

void run_stats(const StatsArgs& args) {
  const config::Config config = resolve(args.config);
  const std::filesystem::path dir = corpus::locate_corpus(args.train_data, config.data);
  const std::string shown_dir = corpus::printable(dir.string(), 400);
  const StatsAnswer answer = measure(dir, config, args.html);
  report_skipped(answer.stats);
  require(answer.stats.utterances > 0,
          "{} has no usable utterance; see why with: {}",
          shown_dir,
          check_command(args, dir));

  if (args.json) {
    fmt::print("{}\n", to_json(answer).dump());
  } else {
    print_stats_text(answer);
  }
  if (!args.html.empty()) {
    const std::string title = fmt::format("Statistics of {}", shown_dir);
    const std::string shapes = answer.shapes ? shapes_section(*answer.shapes) : "";
    base::write_file_atomically(args.html, corpus::statistics_page(answer.stats, title, shapes));
    base::say("Wrote {}\n", args.html);
  }
  if (answer.stats.skipped.empty()) {
    std::vector<std::string> next = {"config", "show"};
    append(next, typed_config(args));
    base::say("Next: {} --set data.max_text_length={} --set data.max_mel_frames={}\n",
              command_line(next),
              answer.stats.recommended().max_text_length,
              answer.stats.recommended().max_mel_frames);
  } else {
    base::say("Next: {}\n", check_command(args, dir));
  }
}

}  // namespace

void add_stats_command(CLI::App& app) {
  auto args = std::make_shared<StatsArgs>();
  CLI::App* command =
      app.add_subcommand("stats", "Lengths, histograms and speakers of a corpus; limits to use");
  command->footer(kStatsExamples);
  command->add_option(
      "--train-data", args->train_data, "Corpus folder; default: data.dataset_path");
  command->add_option("--html", args->html, "Also write a page with the histograms to FILE");
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

}  // namespace xtts::cli
