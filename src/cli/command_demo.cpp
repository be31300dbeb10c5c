// myxtts demo: from nothing to a checked corpus and a page that shows it, in about a minute.

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "base/terminal.h"
#include "cli/answer_style.h"
#include "cli/commands.h"
#include "cli/shell_words.h"
#include "cli/stats_answer.h"
#include "corpus/check.h"
#include "corpus/demo_corpus.h"
#include "corpus/demo_voice.h"
#include "corpus/histogram_text.h"
#include "corpus/reasons.h"
#include "corpus/report.h"

namespace xtts::cli {
namespace {

constexpr const char* kExamples = R"(
Makes OUT/corpus (as corpus demo does), checks it, measures it and writes OUT/report.html, a page
with histograms, mel pictures and players that opens without a network. Run again, it makes only
what is missing.

Examples:
  myxtts demo
  myxtts demo --out runs/small --utterances 40 --voices rms,slt
  myxtts demo --out runs/persian --language fa --utterances 60 --json)";

constexpr const char* kTitle = "A demo corpus, seen and heard";
constexpr double kMaxExampleSeconds = 45.0;  // keeps the page below 6 MB

struct Args {
  std::string out = "runs/demo";
  std::size_t utterances = 600;
  std::size_t num_examples = 6;
  corpus::DemoRequest request;
  bool json = false;
};

// A split, as it was read and measured.
struct Part {
  corpus::Split split = corpus::Split::kTrain;
  corpus::Corpus corpus;
  std::vector<corpus::Measured> measured;
};

// A page that somebody else wrote stays; ours is known by its title.
void require_our_page(const std::filesystem::path& page) {
  constexpr std::size_t kMaxPageBytes = std::size_t{64} << 20U;
  const base::ReadResult found = base::read_regular_file(page, kMaxPageBytes);
  if (found.fault == base::FileFault::kMissing) return;
  const bool ours = found.bytes.find(fmt::format("<title>{}</title>", kTitle)) != std::string::npos;
  require_usage(ours,
                "{} exists and is not a page of this command; choose another --out",
                corpus::printable(page.string(), 400));
}

// What a browser and a terminal take for one address, whatever is in the name.
std::string file_address(const std::filesystem::path& path) {
  std::string address = "file://";
  for (const char letter : std::filesystem::absolute(path).lexically_normal().string()) {
    const auto byte = static_cast<unsigned char>(letter);
    const bool plain = byte < 0x80 && (std::isalnum(byte) != 0 || letter == '/' || letter == '-' ||
                                       letter == '_' || letter == '.' || letter == '~');
    address += plain ? std::string(1, letter) : fmt::format("%{:02X}", byte);
  }
  return address;
}

void make_corpus(const corpus::DemoRequest& request) {
  base::say("[1/4] speaking a corpus into {}\n", corpus::printable(request.out.string()));
  const std::vector<corpus::DemoUtterance> plan = corpus::plan_demo_corpus(request);
  corpus::DemoResult result;
  {
    base::ProgressBar bar("speaking", plan.size());
    result =
        corpus::write_demo_corpus(request, plan, [&](std::size_t count) { bar.advance(count); });
  }
  base::say("[corpus] {:.1f} min of speech; made {}, kept {}, removed {}\n",
            result.seconds / 60.0,
            result.made,
            result.kept,
            result.removed);
}

std::vector<Part> measure_parts(const std::filesystem::path& dir,
                                const config::Config& config,
                                int num_workers) {
  base::say("[2/4] checking and measuring it\n");
  std::vector<Part> parts;
  for (const corpus::Split split : corpus::splits_in(dir, config.data)) {
    Part part{split, corpus::read_corpus(dir, config.data, split), {}};
    base::say("[corpus] {}\n", corpus::describe(part.corpus));
    base::ProgressBar bar("checking", part.corpus.utterances.size());
    part.measured = corpus::measure_corpus(
        part.corpus, config, num_workers, [&](std::size_t count) { bar.advance(count); });
    parts.push_back(std::move(part));
  }
  return parts;
}

std::vector<corpus::Example> draw_examples(const Part& part,
                                           const Args& args,
                                           const config::Config& config) {
  base::say("[3/4] drawing mels and turning them back into sound\n");
  const std::vector<std::size_t> chosen =
      corpus::choose_examples(part.measured, args.num_examples, kMaxExampleSeconds);
  base::ProgressBar bar("drawing", chosen.size());
  return corpus::make_examples(
      part.corpus, chosen, part.measured, config, args.request.num_workers, [&](std::size_t count) {
        bar.advance(count);
      });
}

std::vector<std::string> next_commands(const corpus::DemoRequest& request,
                                       const corpus::DemoReport& report) {
  const std::string dir = request.out.string();
  const auto in_language = [&](std::vector<std::string> words) {
    if (request.language != "en") words.insert(words.end(), {"--language", request.language});
    return command_line(words);
  };
  std::vector<std::string> commands;
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

corpus::DemoReport make_report(const Args& args,
                               const corpus::DemoRequest& request,
                               const std::vector<Part>& parts,
                               const config::Config& config) {
  corpus::DemoReport report;
  report.title = kTitle;
  report.corpus_dir = corpus::printable(request.out.string(), 400);
  report.layout = parts.front().corpus.layout;
  report.stats = corpus::make_stats(parts.front().corpus, parts.front().measured);
  for (const Part& part : parts) {
    report.checked.push_back({part.split, corpus::judge(part.corpus, part.measured)});
  }
  report.examples = draw_examples(parts.front(), args, config);
  report.next_commands = next_commands(request, report);
  return report;
}

std::size_t count_bad(const corpus::DemoReport& report) {
  std::size_t num_bad = 0;
  for (const corpus::CheckedPart& part : report.checked)
    num_bad += part.report.bad.size();
  return num_bad;
}

void print_json(const corpus::DemoReport& report,
                const StatsAnswer& answer,
                const std::filesystem::path& page) {
  const nlohmann::json json = {{"corpus", report.corpus_dir},
                               {"report", corpus::printable(page.string(), 4096)},
                               {"bad", count_bad(report)},
                               {"examples", report.examples.size()},
                               {"stats", to_json(answer)},
                               {"next", report.next_commands}};
  fmt::print("{}\n", json.dump());
}

void print_lengths(const char* name,
                   const corpus::LengthStats& lengths,
                   const corpus::Histogram& histogram) {
  fmt::print("\n{}: min {}   mean {:.1f}   max {}   p50 {}   p95 {}   p99 {}\n",
             name,
             lengths.min,
             lengths.mean,
             lengths.max,
             lengths.percentile_50,
             lengths.percentile_95,
             lengths.percentile_99);
  fmt::print("{}", corpus::draw_histogram(histogram, terminal_chart_style()));
}

void print_text(const corpus::DemoReport& report, const std::filesystem::path& page) {
  const corpus::CorpusStats& stats = report.stats;
  fmt::print("{} to train on, {:.2f} h, {}, {} bad\n",
             counted(stats.utterances, "utterance"),
             stats.hours,
             counted(stats.speakers.size(), "speaker"),
             count_bad(report));
  print_lengths("Text length (symbols)", stats.text_length, stats.text_histogram);
  print_lengths("Mel length (frames)", stats.mel_length, stats.mel_histogram);
  fmt::print("\nRecommended: {}\n", corpus::flags_of(stats.recommended()));
  fmt::print("Open in a browser: {}\n", file_address(page));
}

void run(const Args& args) {
  corpus::DemoRequest request = args.request;
  request.out = std::filesystem::path(args.out) / "corpus";
  request.utterances = args.utterances;
  config::Config config;
  config.data.language = request.language;

  const std::filesystem::path page = std::filesystem::path(args.out) / "report.html";
  require_our_page(page);
  make_corpus(request);
  std::vector<Part> parts = measure_parts(request.out, config, request.num_workers);
  const corpus::DemoReport report = make_report(args, request, parts, config);
  base::say("[4/4] writing {}\n", corpus::printable(page.string()));
  base::write_file_atomically(page, corpus::demo_page(report));

  if (args.json) {
    const Part& train = parts.front();
    StatsAnswer answer;
    answer.stats = report.stats;
    answer.configured =
        corpus::cost_of_limits(train.measured, config.data.max_text_length, kNoLimit);
    answer.corpus = train.corpus;
    print_json(report, answer, page);
  } else {
    print_text(report, page);
  }
  base::say("Next: {}\n", report.next_commands.front());
  if (count_bad(report) > 0) throw FoundSomething();
}

}  // namespace

void add_demo_command(CLI::App& app) {
  auto args = std::make_shared<Args>();
  args->request.num_workers = base::num_usable_cores();
  CLI::App* command = app.add_subcommand(
      "demo", "Make a corpus, check it, and write a page to look at and listen to");
  command->footer(kExamples);
  command->add_option("--out", args->out, "Folder for the corpus and the page")
      ->capture_default_str();
  command->add_option("--utterances", args->utterances, "How many sentences")
      ->check(CLI::Range(1, static_cast<int>(corpus::kMaxDemoUtterances)))
      ->capture_default_str();
  command
      ->add_option("--voices", args->request.voices, "Speakers, separated by commas; default rms")
      ->delimiter(',');
  command->add_option("--language", args->request.language, "en or fa")->capture_default_str();
  command->add_option("--seed", args->request.seed, "Which sentences")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command->add_option("--examples", args->num_examples, "Utterances to look at and listen to")
      ->check(CLI::Range(0, 12))
      ->capture_default_str();
  command->add_option("--num-workers", args->request.num_workers, "Threads")
      ->check(CLI::Range(0, 256))
      ->capture_default_str();
  command->add_flag("--json", args->json, "Print one JSON object instead of text");
  command->callback([args] { run(*args); });
}

}  // namespace xtts::cli
