// myxtts corpus demo: generates a corpus with flite or espeak-ng.

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/format.h"
#include "base/progress.h"
#include "base/terminal.h"
#include "base/threads.h"
#include "cli/corpus_commands.h"
#include "cli/output_style.h"
#include "cli/shell_command.h"
#include "corpus/demo_corpus.h"
#include "corpus/demo_voice.h"
#include "corpus/reasons.h"

namespace myxtts::cli {
namespace {

constexpr const char* kCorpusDemoExamples = R"(
English voices (flite, 16 kHz): rms slt awb kal16. Persian voices (espeak-ng, 22.05 kHz): fa fa-f2
fa-m3 fa-f4. One voice gives the LJSpeech layout; several voices alternate and give the layout
file|speaker|text. The same options give the same bytes for every --num-workers. Existing matching
files are kept, so an interrupted call continues; files of other options are removed.

Examples:
  myxtts corpus demo --out demo_corpus
  myxtts corpus demo --out demo_small --utterances 40 --voices slt,awb --words 3-12
  myxtts corpus demo --out demo_persian --language fa --utterances 50
  printf 'Good morning.\nHow are you?\n' > lines.txt && \
    myxtts corpus demo --out demo_lines --text lines.txt --json)";

struct CorpusDemoArgs {
  corpus::DemoRequest request;
  std::string words;
  bool json = false;
};

struct Counts {
  std::size_t train = 0;
  std::size_t val = 0;
};

Counts count_splits(const std::vector<corpus::DemoUtterance>& plan) {
  const auto val = static_cast<std::size_t>(
      std::ranges::count(plan, true, &corpus::DemoUtterance::for_validation));
  return {plan.size() - val, val};
}

void print_corpus_demo_json(const corpus::DemoRequest& request,
                            const Counts& counts,
                            const corpus::DemoResult& result) {
  const nlohmann::json output = {{"out", corpus::printable(request.out.string(), 4096)},
                                 {"utterances", counts.train + counts.val},
                                 {"train", counts.train},
                                 {"val", counts.val},
                                 {"hours", result.seconds / 3600.0},
                                 {"language", request.language},
                                 {"voices", request.voices},
                                 {"seed", request.seed},
                                 {"created", result.created},
                                 {"kept", result.kept},
                                 {"removed", result.removed}};
  fmt::print("{}\n", output.dump());
}

void print_corpus_demo_text(const corpus::DemoRequest& request,
                            const Counts& counts,
                            const corpus::DemoResult& result) {
  fmt::print("{}: {} for training, {} for validation, {:.1f} min, voices {}\n",
             corpus::printable(request.out.string(), 400),
             base::format_count(counts.train, "utterance"),
             counts.val,
             result.seconds / 60.0,
             fmt::join(request.voices, ", "));
  fmt::print("created {}, kept {}, removed {}\n", result.created, result.kept, result.removed);
}

corpus::DemoRequest request_of(const CorpusDemoArgs& args) {
  corpus::DemoRequest request = args.request;
  if (request.voices.empty()) request.voices = {corpus::demo_voices(request.language).front()};
  if (!args.words.empty()) request.words = corpus::parse_word_range(args.words);
  return request;
}

void run_corpus_demo(const CorpusDemoArgs& args) {
  const corpus::DemoRequest request = request_of(args);
  const std::vector<corpus::DemoUtterance> plan = corpus::plan_demo_corpus(request);
  corpus::DemoResult result;
  {
    base::ProgressBar bar("generating", plan.size());
    result =
        corpus::write_demo_corpus(request, plan, [&](std::size_t count) { bar.advance(count); });
  }
  const Counts counts = count_splits(plan);
  args.json ? print_corpus_demo_json(request, counts, result)
            : print_corpus_demo_text(request, counts, result);
  std::vector<std::string> next = {"corpus", "check", request.out.string()};
  if (request.language != "en") next.insert(next.end(), {"--language", request.language});
  base::log("Next: {}\n", command_line(next));
}

}  // namespace

void add_corpus_demo_command(CLI::App& corpus) {
  auto args = std::make_shared<CorpusDemoArgs>();
  args->request.num_workers = base::num_usable_cores();
  CLI::App* command =
      corpus.add_subcommand("demo", "Generate a small synthetic corpus; needs no download");
  command->footer(kCorpusDemoExamples);
  command->add_option("--out", args->request.out, "Output folder; empty or from an earlier call")
      ->type_name("DIR")
      ->required();
  command
      ->add_option("--utterances",
                   args->request.utterances,
                   "Utterances; default 600, or all lines of --text")
      ->check(CLI::Range(1, static_cast<int>(corpus::kMaxDemoUtterances)).description(""));
  command
      ->add_option("--voices",
                   args->request.voices,
                   "Voices, separated by commas; default: rms, or fa for Persian")
      ->type_name("LIST")
      ->delimiter(',');
  command->add_option("--language", args->request.language, "Text language")
      ->type_name("en|fa")
      ->capture_default_str();
  command
      ->add_option("--text",
                   args->request.text_file,
                   "Text file, one utterance per line; default: built-in text")
      ->type_name("FILE");
  command->add_option("--words", args->words, "Words per sentence; default 2-25")->type_name("N-N");
  command->add_option("--seed", args->request.seed, "Random seed of the sentences")
      ->check(CLI::NonNegativeNumber.description(""))
      ->capture_default_str();
  command
      ->add_option("--val-share", args->request.val_share, "Share held out for validation, 0 to 1")
      ->capture_default_str();
  command->add_option("--num-workers", args->request.num_workers, "Parallel synthesiser processes")
      ->check(CLI::Range(0, 256).description("0 to 256"))
      ->capture_default_str();
  command->add_flag("--json", args->json, "Print one JSON object instead of text");
  command->callback([args] { run_corpus_demo(*args); });
}

}  // namespace myxtts::cli
