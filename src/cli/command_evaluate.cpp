// myxtts evaluate: synthesises sentences with a trained voice and scores them with a judge.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "base/format.h"
#include "base/nearest.h"
#include "base/printable.h"
#include "base/progress.h"
#include "base/temporary_folder.h"
#include "base/terminal.h"
#include "cli/commands.h"
#include "cli/evaluate_output.h"
#include "cli/output_style.h"
#include "cli/shell_command.h"
#include "cli/speak_tasks.h"
#include "cli/torch_library.h"
#include "config/training_config.h"
#include "synthesis/external_judge.h"
#include "synthesis/speak_request.h"

namespace myxtts::cli {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr const char* kEvaluateExamples = R"(
Synthesises every non-blank line of the text file into a folder (0001.wav, 0002.wav, ..., and
sentences.txt), then calls the judge: a command that gets "--text FILE --wavs DIR" appended and
prints one JSON object. All its numbers are reported; tools/judge_wer.py computes the word error
rate with pocketsphinx. --recordings names a folder with recordings of the same sentences, which are
judged for comparison. Without a judge only duration and real-time factor are reported.

Examples:
  myxtts evaluate runs/voice --text lines.txt
  myxtts evaluate runs/voice --text lines.txt --judge '.venv/bin/python tools/judge_wer.py'
  myxtts evaluate runs/voice --text lines.txt --judge '.venv/bin/python tools/judge_wer.py' \
    --recordings recorded --out spoken --json
  myxtts evaluate runs/voice --text lines.txt --reference clip.wav --out spoken_like_clip)";

constexpr const char* kSentences = "sentences.txt";
constexpr const char* kDefaultJudge = ".venv/bin/python tools/judge_wer.py";

struct EvaluateArgs {
  synthesis::SpeakRequest request;
  std::string text;
  std::string recordings;
  std::string judge;
  std::string out;
  double judge_timeout_s = std::chrono::duration<double>(synthesis::kJudgeTimeout).count();
  bool json = false;
};

// Returns the sorted names of the WAV files in a folder.
std::vector<std::string> wav_names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const std::string& name : base::sibling_names(folder / "x")) {
    if (name.ends_with(".wav")) names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
}

std::vector<std::string> output_names_of(const std::vector<synthesis::SpeakTask>& tasks) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < tasks.size(); ++i)
    names.push_back(synthesis::judge_wav_name(i));
  std::ranges::sort(names);
  return names;
}

// Requires a recording for every sentence; a judge would count missing ones as errors.
void require_recordings(const EvaluateArgs& args, const std::vector<synthesis::SpeakTask>& tasks) {
  if (args.recordings.empty()) return;
  const fs::path folder = args.recordings;
  std::error_code ignored;
  require_usage(!args.judge.empty(), "--recordings needs a judge: add --judge COMMAND");
  require_usage(fs::is_directory(folder, ignored),
                "--recordings {}: no such folder{}",
                args.recordings,
                base::did_you_mean(folder.filename().string(), base::sibling_names(folder)));
  std::vector<std::string> missing;
  std::ranges::set_difference(
      output_names_of(tasks), wav_names_in(folder), std::back_inserter(missing));
  require_usage(missing.empty(),
                "--recordings {} lacks {} of {}, first missing: {}; expected one per sentence of "
                "{}, in the same order",
                args.recordings,
                missing.size(),
                base::format_count(tasks.size(), "file"),
                missing.empty() ? "" : missing.front(),
                args.text);
}

// Refuses an output folder with other WAV files, which a judge would score too.
void require_clean_folder(const EvaluateArgs& args,
                          const std::vector<synthesis::SpeakTask>& tasks) {
  if (args.out.empty()) return;
  require_usage(!is_audio_file(args.out),
                "--out {} names a file; expected a folder for 0001.wav, 0002.wav, ...",
                args.out);
  std::error_code ignored;
  require_usage(args.recordings.empty() || !fs::equivalent(args.out, args.recordings, ignored),
                "--out {} is the folder of --recordings; choose another folder",
                args.out);
  std::vector<std::string> others;
  std::ranges::set_difference(
      wav_names_in(args.out), output_names_of(tasks), std::back_inserter(others));
  require_usage(others.empty(),
                "--out {} has {}, which belongs to no sentence of {} and would be judged; choose "
                "another folder or remove the file",
                args.out,
                others.empty() ? "" : base::printable(others.front()),
                args.text);
}

// Reads the sentences; output files are assigned later.
std::vector<synthesis::SpeakTask> read_sentences(const EvaluateArgs& args) {
  std::vector<synthesis::SpeakTask> tasks = tasks_of_lines(read_text_file(args.text, "--text"));
  require_usage(!tasks.empty(), "--text {} is empty; expected one sentence per line", args.text);
  require_recordings(args, tasks);
  require_clean_folder(args, tasks);
  return tasks;
}

void check_evaluate(const EvaluateArgs& args) {
  require_usage(args.text != "-",
                "--text: expected a file, because the judge reads it; found standard input");
  // CLI::Range would accept "nan".
  require_usage(args.judge_timeout_s > 0.0 && args.judge_timeout_s <= 1e6,
                "--judge-timeout {}: expected more than 0 s and at most 1000000",
                args.judge_timeout_s);
  require_voice(args.request);
}

// Calls the judge and shows its log lines as progress.
synthesis::Judgement judge_folder(const EvaluateArgs& args,
                                  const fs::path& text,
                                  const fs::path& wavs) try {
  base::log("[evaluate] judging {}\n", base::printable(wavs.string(), 400));
  const auto show = [](std::string_view line) {
    const auto room = static_cast<std::size_t>(std::max(base::terminal_width() - 12, 20));
    base::show_live_line("[judge] " + base::printable(line.substr(0, room), room));
  };
  synthesis::Judgement judgement = synthesis::run_judge(
      {.command = args.judge,
       .text = text,
       .wavs = wavs,
       .timeout = std::chrono::milliseconds(std::llround(1e3 * args.judge_timeout_s)),
       .on_line = show});
  base::show_live_line("");
  return judgement;
} catch (const UserError& error) {
  base::show_live_line("");
  if (!args.out.empty()) throw;
  throw UserError(
      fmt::format("{} (the temporary files are deleted; --out DIR keeps them)", error.what()));
}

synthesis::SpeakResult synthesise_all(EvaluateArgs& args, const api::TorchCommands& torch) {
  base::ProgressBar bar("synthesising", args.request.tasks.size());
  args.request.on_file = [&](const synthesis::SpokenFile&) { bar.advance(); };
  return torch.speak(args.request);
}

void write_sentences(const std::vector<synthesis::SpeakTask>& tasks, const fs::path& file) {
  std::vector<std::string> sentences;
  for (const synthesis::SpeakTask& task : tasks)
    sentences.push_back(task.text);
  base::write_file_atomically(file, synthesis::judge_text(sentences));
}

// Returns the text after "Next: ".
std::string next_line(const EvaluateArgs& args, const synthesis::SpeakResult& spoken) {
  if (!args.out.empty() && !spoken.files.empty()) return "listen to " + spoken.files.front().path;
  std::vector<std::string> arguments = {"evaluate", args.request.checkpoint, "--text", args.text};
  arguments.insert(arguments.end(), {"--judge", args.judge.empty() ? kDefaultJudge : args.judge});
  arguments.insert(arguments.end(), {"--out", "spoken"});
  return command_line(arguments);
}

Evaluation evaluate(EvaluateArgs& args, const api::TorchCommands& torch, const fs::path& folder) {
  Evaluation evaluation{
      .spoken = {}, .out = args.out, .judge = args.judge, .judgement = {}, .recordings = {}};
  const fs::path text = folder / kSentences;
  write_sentences(args.request.tasks, text);
  // Judging the recordings first detects a broken judge before the synthesis.
  if (!args.recordings.empty()) evaluation.recordings = judge_folder(args, text, args.recordings);
  evaluation.spoken = synthesise_all(args, torch);
  if (args.judge.empty() || evaluation.spoken.files.empty()) return evaluation;
  const Clock::time_point begin = Clock::now();
  evaluation.judgement = judge_folder(args, text, folder);
  evaluation.judge_s = std::chrono::duration<double>(Clock::now() - begin).count();
  return evaluation;
}

void run_evaluate(EvaluateArgs& args) {
  check_evaluate(args);
  args.request.tasks = read_sentences(args);
  args.request.num_threads = config::threads_of({});
  const api::TorchCommands& torch = torch_commands(args.request.num_threads);
  std::optional<base::TemporaryFolder> temporary;
  if (args.out.empty()) temporary.emplace("myxtts_evaluate");
  const fs::path folder = temporary ? temporary->path() : fs::path(args.out);
  assign_output_files(args.request.tasks, folder, args.request.reference);

  const Evaluation evaluation = evaluate(args, torch, folder);
  if (args.json) {
    fmt::print("{}\n", to_json(evaluation).dump());
  } else {
    fmt::print("{}", to_text(evaluation));
  }
  log_unspoken(evaluation.spoken, args.text);
  if (!evaluation.spoken.unspoken.empty()) throw ProblemsFound();
  base::log("Next: {}\n", next_line(args, evaluation.spoken));
}

}  // namespace

void add_evaluate_command(CLI::App& app) {
  auto args = std::make_shared<EvaluateArgs>();
  synthesis::SpeakRequest& request = args->request;
  CLI::App* command =
      app.add_subcommand("evaluate", "Synthesise sentences and score them with a judge (e.g. WER)");
  command->footer(kEvaluateExamples);
  command->add_option("RUN", request.checkpoint, "Run folder or checkpoint")
      ->type_name("")
      ->required();
  command->add_option("--text", args->text, "Text file, one sentence per line")
      ->type_name("FILE")
      ->required();
  CLI::Option* speaker =
      command->add_option("--speaker", request.speaker, "Speaker of the training corpus")
          ->type_name("NAME");
  command->add_option("--reference", request.reference, "Reference recording of the voice to clone")
      ->type_name("FILE")
      ->excludes(speaker);
  command
      ->add_option(
          "--vocoder",
          request.vocoder,
          "Vocoder run or griffin-lim; default: RUN/vocoder if it exists, else griffin-lim")
      ->type_name("DIR");
  command->add_option("--judge", args->judge, "Command that scores the WAV files")
      ->type_name("COMMAND");
  command
      ->add_option("--recordings",
                   args->recordings,
                   "Folder with recordings of the sentences, judged for comparison")
      ->type_name("DIR");
  command->add_option("--judge-timeout", args->judge_timeout_s, "Timeout of the judge in seconds")
      ->capture_default_str();
  command
      ->add_option("--out", args->out, "Output folder for WAV files; default: a temporary folder")
      ->type_name("DIR");
  command->add_flag("--json", args->json, "Print one JSON object instead of text");
  command->callback([args] { run_evaluate(*args); });
}

}  // namespace myxtts::cli
