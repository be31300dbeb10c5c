// myxtts demo: from nothing to a voice and a page that shows how it came about.

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
#include "cli/demo_answer.h"
#include "cli/demo_voice.h"
#include "cli/shell_words.h"
#include "cli/stats_answer.h"
#include "cli/tensor_library.h"
#include "corpus/check.h"
#include "corpus/demo_corpus.h"
#include "corpus/demo_voice.h"
#include "corpus/reasons.h"
#include "corpus/report.h"
#include "speak/external_judge.h"
#include "train/run_folder.h"

namespace xtts::cli {
namespace {

constexpr const char* kDemoExamples = R"(
Makes OUT/corpus (as corpus demo does), checks and measures it, trains a tiny voice on it in
OUT/voice and its vocoder in OUT/voice/vocoder for --minutes together (time in steps; a third is the
vocoder's), lets it speak five sentences that were held back, and writes OUT/report.html: a page with
curves, pictures and players that opens without a network. Run again, it makes only what is missing;
with more --minutes the training goes on.

The judge counts the words that are understood, of the recordings and of the voice. It is a command;
"--text OUT/sentences.txt --wavs DIR --json" is added to it. tools/judge_words.py is one.

Examples:
  myxtts demo
  myxtts demo --minutes 10 --judge '.venv/bin/python tools/judge_words.py'
  myxtts demo --out runs/small --utterances 40 --voices rms,slt --minutes 0     the corpus alone
  myxtts demo --out runs/persian --language fa --utterances 200 --json)";

constexpr const char* kTitle = "A demo voice, seen and heard";
constexpr const char* kCorpusTitle = "A demo corpus, seen and heard";
constexpr double kMaxExampleSeconds = 9.0;  // keeps the page below 4 MB, see cli/demo_voice.cpp

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

// "[3/7] drawing ...": what is being done, for people.
class Stages {
 public:
  explicit Stages(int total) : total_(total) {}
  void begin(const std::string& what) { base::say("[{}/{}] {}\n", ++number_, total_, what); }

 private:
  int number_ = 0;
  int total_;
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
  const auto has_title = [&](const char* title) {
    return found.bytes.find(fmt::format("<title>{}</title>", title)) != std::string::npos;
  };
  const bool ours = has_title(kTitle) || has_title(kCorpusTitle);
  require_usage(ours,
                "{} exists and is not a page of this command; choose another --out",
                corpus::printable(page.string(), 400));
}

// True if the corpus is not the one that was there before.
bool make_corpus(const corpus::DemoRequest& request) {
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
  return result.made > 0 || result.removed > 0;
}

std::vector<Part> measure_parts(const std::filesystem::path& dir,
                                const config::Config& config,
                                int num_workers) {
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
                                           const DemoArgs& args,
                                           const config::Config& config) {
  const std::vector<std::size_t> chosen =
      corpus::choose_examples(part.measured, args.num_examples, kMaxExampleSeconds);
  base::ProgressBar bar("drawing", chosen.size());
  return corpus::make_examples(
      part.corpus, chosen, part.measured, config, args.request.num_workers, [&](std::size_t count) {
        bar.advance(count);
      });
}

std::vector<std::string> next_commands(const corpus::DemoRequest& request,
                                       const corpus::DemoReport& report,
                                       bool trains) {
  const std::string dir = request.out.string();
  const auto in_language = [&](std::vector<std::string> words) {
    if (request.language != "en") words.insert(words.end(), {"--language", request.language});
    return command_line(words);
  };
  std::vector<std::string> commands;
  if (trains) {
    const std::string run = DemoPlaces(request.out.parent_path()).run.string();
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
                               const std::vector<Part>& parts,
                               const config::Config& config) {
  corpus::DemoReport report;
  report.title = args.trains() ? kTitle : kCorpusTitle;
  report.corpus_dir = corpus::printable(request.out.string(), 400);
  report.layout = parts.front().corpus.layout;
  report.stats = corpus::make_stats(parts.front().corpus, parts.front().measured);
  for (const Part& part : parts) {
    report.checked.push_back({part.split, corpus::judge(part.corpus, part.measured)});
  }
  report.examples = draw_examples(parts.front(), args, config);
  report.next_commands = next_commands(request, report, args.trains());
  return report;
}

// A judge that does not work is found out before minutes of training are spent.
void judge(std::vector<UnseenSentence>& unseen,
           const std::string& command,
           const DemoPlaces& places,
           const std::filesystem::path& wavs,
           train::Voiced train::SpokenSentence::*side) {
  if (command.empty() || unseen.empty()) return;
  std::vector<speak::Heard> heard = speak::ask_judge_for_each(
      {.command = command, .text = places.sentences, .wavs = wavs}, unseen.size());
  for (std::size_t i = 0; i < unseen.size(); ++i)
    (unseen[i].sentence.*side).heard = std::move(heard[i]);
}

// A voice of another corpus is no beginning for this one.
void set_old_voice_aside(const DemoPlaces& places) {
  if (train::has_checkpoints(places.vocoder)) train::archive_run(places.vocoder);
  if (!train::has_checkpoints(places.run)) return;
  const std::filesystem::path moved = train::archive_run(places.run);
  base::say("[train] the corpus is another one: the voice that was there is now in {}\n",
            corpus::printable(moved.string(), 400));
}

TrainedVoice train_voice(const DemoArgs& args,
                         const Part& held_back,
                         const config::Config& config,
                         const DemoPlaces& places,
                         const TensorVerbs& verbs,
                         Stages& stages) {
  TrainedVoice voice;
  stages.begin(args.judge.empty() ? "taking sentences that were held back"
                                  : "asking the judge about recordings that were held back");
  voice.unseen = take_unseen(held_back.corpus, held_back.measured, config, places);
  judge(voice.unseen, args.judge, places, places.recorded, &train::SpokenSentence::recorded);

  const double minutes = kVoiceShare * args.minutes;
  stages.begin(fmt::format("training a voice for {:.3g} min, time in steps", minutes));
  const train::TrainRequest request =
      demo_training(places, args.request.language, minutes, args.request.num_workers, voice.unseen);
  voice.config = request.resolved.config;
  voice.summary = verbs.train(request);

  stages.begin(
      fmt::format("training its vocoder for {:.3g} min, time in steps", args.minutes - minutes));
  voice.vocoder_summary = verbs.train(demo_vocoder_training(
      places, args.request.language, args.minutes - minutes, args.request.num_workers));

  stages.begin("speaking sentences that it has never seen");
  {
    base::ProgressBar bar("speaking", voice.unseen.size());
    speak_unseen(
        voice.unseen, verbs, config::threads_of(voice.config.training), places, config, [&] {
          bar.advance();
        });
  }
  judge(voice.unseen, args.judge, places, places.spoken, &train::SpokenSentence::spoken);
  return voice;
}

void run_demo(const DemoArgs& args) {
  require_usage(std::isfinite(args.minutes) && args.minutes >= 0.0,
                "--minutes {}: expected 0 (no training) or more",
                args.minutes);
  const DemoPlaces places(args.out);
  corpus::DemoRequest request = args.request;
  request.out = places.corpus;
  request.utterances = args.utterances;
  config::Config config;
  config.data.language = request.language;
  require_our_page(places.page);
  require(!args.trains() || has_tensor_verbs(),
          "this build is without LibTorch and cannot train; build with: make build, or pass "
          "--minutes 0");
  const TensorVerbs* verbs =
      args.trains() ? &tensor_verbs(config::threads_of(config.training)) : nullptr;

  Stages stages(args.trains() ? 8 : 4);
  stages.begin("speaking a corpus into " + corpus::printable(request.out.string()));
  if (make_corpus(request) && args.trains()) set_old_voice_aside(places);
  stages.begin("checking and measuring it");
  std::vector<Part> parts = measure_parts(request.out, config, request.num_workers);
  stages.begin("drawing mels and turning them back into sound");
  corpus::DemoReport report = make_report(args, request, parts, config);
  std::optional<TrainedVoice> voice;
  if (args.trains()) {
    const Part nobody;
    const bool held_back = parts.back().split == corpus::Split::kValidation;
    voice = train_voice(args, held_back ? parts.back() : nobody, config, places, *verbs, stages);
    describe_voice(*voice, places, report);
  }
  stages.begin("writing " + corpus::printable(places.page.string()));
  base::write_file_atomically(places.page, corpus::demo_page(report));

  if (args.json) {
    const Part& train = parts.front();
    StatsAnswer answer;
    answer.stats = report.stats;
    answer.configured =
        corpus::cost_of_limits(train.measured, pipeline::kNoLimit, pipeline::kNoLimit);
    answer.corpus = train.corpus;
    print_demo_json(report, answer, voice, places);
  } else {
    print_demo_text(report, voice, places.page);
  }
  base::say("Next: {}\n", report.next_commands.front());
  if (count_bad(report) > 0) throw FoundSomething();
}

}  // namespace

void add_demo_command(CLI::App& app) {
  auto args = std::make_shared<DemoArgs>();
  args->request.num_workers = base::num_usable_cores();
  CLI::App* command = app.add_subcommand(
      "demo", "Make a corpus, train a voice on it, and write a page to look at and listen to");
  command->footer(kDemoExamples);
  command->add_option("--out", args->out, "Folder for the corpus, the voice and the page")
      ->capture_default_str();
  command->add_option("--minutes", args->minutes, "Time of training, in steps; 0: no training")
      ->capture_default_str();
  command->add_option("--judge", args->judge, "Command that counts the words it understands");
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
  command->callback([args] { run_demo(*args); });
}

}  // namespace xtts::cli
