// myxtts evaluate: sentences spoken by a trained voice, and what a judge says of them.

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
#include "base/nearest.h"
#include "base/printable.h"
#include "base/progress.h"
#include "base/temporary_folder.h"
#include "base/terminal.h"
#include "cli/answer_style.h"
#include "cli/commands.h"
#include "cli/evaluate_answer.h"
#include "cli/shell_words.h"
#include "cli/speak_tasks.h"
#include "cli/speak_verb.h"
#include "cli/tensor_library.h"
#include "config/training_config.h"
#include "speak/external_judge.h"

namespace xtts::cli {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr const char* kEvaluateExamples = R"(
Speaks every line of the text file that is not blank into a folder (0001.wav, 0002.wav and so on,
and sentences.txt), then calls the judge: a command of yours, to which "--text FILE --wavs DIR" is
added and which prints one JSON object. All its numbers are reported; tools/judge_words.py counts
the words that pocketsphinx misunderstands. A score means little alone: --recordings names a folder
with recordings of the same sentences, which are judged too. Without a judge it says what can be
said without one.

Examples:
  myxtts evaluate runs/voice --text lines.txt
  myxtts evaluate runs/voice --text lines.txt --judge '.venv/bin/python tools/judge_words.py'
  myxtts evaluate runs/voice --text lines.txt --judge '.venv/bin/python tools/judge_words.py' \
    --recordings recorded --out spoken --json
  myxtts evaluate runs/voice --text lines.txt --reference clip.wav --out spoken_like_clip)";

constexpr const char* kSentences = "sentences.txt";
constexpr const char* kOurJudge = ".venv/bin/python tools/judge_words.py";

struct EvaluateArgs {
  SpeakRequest request;
  std::string text;
  std::string recordings;
  std::string judge;
  std::string out;
  double judge_timeout_s = std::chrono::duration<double>(speak::kJudgeDeadline).count();
  bool json = false;
};

// A folder is listed once: a list of sentences may be long.
std::vector<std::string> sounds_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const std::string& name : base::names_beside(folder / "x")) {
    if (name.ends_with(".wav")) names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
}

std::vector<std::string> file_names_of(const std::vector<SpeakTask>& tasks) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < tasks.size(); ++i)
    names.push_back(speak::judged_name(i));
  std::ranges::sort(names);
  return names;
}

// Judged as they are, missing ones would count as mistakes of the recordings.
void require_recordings(const EvaluateArgs& args, const std::vector<SpeakTask>& tasks) {
  if (args.recordings.empty()) return;
  const fs::path folder = args.recordings;
  std::error_code ignored;
  require_usage(!args.judge.empty(), "--recordings are for a judge: add --judge COMMAND");
  require_usage(fs::is_directory(folder, ignored),
                "--recordings {}: no such folder{}",
                args.recordings,
                base::did_you_mean(folder.filename().string(), base::names_beside(folder)));
  std::vector<std::string> missing;
  std::ranges::set_difference(file_names_of(tasks), sounds_in(folder), std::back_inserter(missing));
  require_usage(missing.empty(),
                "--recordings {} lacks {} of {}, the first is {}; expected one for each sentence "
                "of {}, in its order",
                args.recordings,
                missing.size(),
                counted(tasks.size(), "file"),
                missing.empty() ? "" : missing.front(),
                args.text);
}

// A judge may listen to whatever is in the folder.
void require_own_folder(const EvaluateArgs& args, const std::vector<SpeakTask>& tasks) {
  if (args.out.empty()) return;
  require_usage(!is_audio_file(args.out),
                "--out {} names one file; expected a folder, which gets 0001.wav and so on",
                args.out);
  std::error_code ignored;
  require_usage(args.recordings.empty() || !fs::equivalent(args.out, args.recordings, ignored),
                "--out {} has the recordings; write what is spoken to another folder",
                args.out);
  std::vector<std::string> others;
  std::ranges::set_difference(
      sounds_in(args.out), file_names_of(tasks), std::back_inserter(others));
  require_usage(others.empty(),
                "--out {} has {}, which no sentence of {} is written to and a judge would hear; "
                "choose another folder or remove it",
                args.out,
                others.empty() ? "" : base::printable(others.front()),
                args.text);
}

// The sentences, without their files yet.
std::vector<SpeakTask> read_sentences(const EvaluateArgs& args) {
  std::vector<SpeakTask> tasks = tasks_of_lines(read_text_file(args.text, "--text"));
  require_usage(!tasks.empty(), "--text {} is empty; expected one sentence per line", args.text);
  require_recordings(args, tasks);
  require_own_folder(args, tasks);
  return tasks;
}

void check_evaluate(const EvaluateArgs& args) {
  require_usage(args.text != "-", "--text: a judge needs a file; standard input is none");
  // Not CLI::Range: it lets "nan" through.
  require_usage(args.judge_timeout_s > 0.0 && args.judge_timeout_s <= 1e6,
                "--judge-timeout {}: expected more than 0 s and at most 1000000",
                args.judge_timeout_s);
  require_voice(args.request);
}

// Calls the judge and shows what it is at: its log has a line for each file.
speak::Judgement ask_about(const EvaluateArgs& args,
                           const fs::path& text,
                           const fs::path& wavs) try {
  base::say("[evaluate] asking the judge about {}\n", base::printable(wavs.string(), 400));
  const auto show = [](std::string_view line) {
    const auto room = static_cast<std::size_t>(std::max(base::terminal_width() - 12, 20));
    base::show_live_line("[judge] " + base::printable(line.substr(0, room), room));
  };
  speak::Judgement judgement = speak::ask_judge(
      {.command = args.judge,
       .text = text,
       .wavs = wavs,
       .deadline = std::chrono::milliseconds(std::llround(1e3 * args.judge_timeout_s)),
       .on_line = show});
  base::show_live_line("");
  return judgement;
} catch (const UserError& error) {
  base::show_live_line("");
  if (!args.out.empty()) throw;
  throw UserError(fmt::format("{} (those files are gone: --out DIR keeps them)", error.what()));
}

SpeakAnswer speak_all(EvaluateArgs& args, const TensorVerbs& verbs) {
  base::ProgressBar bar("speaking", args.request.tasks.size());
  args.request.on_file = [&](const SpokenFile&) { bar.advance(); };
  return verbs.speak(args.request);
}

void write_sentences(const std::vector<SpeakTask>& tasks, const fs::path& file) {
  std::vector<std::string> sentences;
  for (const SpeakTask& task : tasks)
    sentences.push_back(task.text);
  base::write_file_atomically(file, speak::judged_lines(sentences));
}

// What is worth typing after this.
std::string next_line(const EvaluateArgs& args, const SpeakAnswer& spoken) {
  if (!args.out.empty() && !spoken.files.empty()) return "listen to " + spoken.files.front().path;
  std::vector<std::string> words = {"evaluate", args.request.checkpoint, "--text", args.text};
  words.insert(words.end(), {"--judge", args.judge.empty() ? kOurJudge : args.judge});
  words.insert(words.end(), {"--out", "spoken"});
  return command_line(words);
}

Evaluation evaluate(EvaluateArgs& args, const TensorVerbs& verbs, const fs::path& folder) {
  Evaluation evaluation{
      .spoken = {}, .out = args.out, .judge = args.judge, .judgement = {}, .recordings = {}};
  const fs::path text = folder / kSentences;
  write_sentences(args.request.tasks, text);
  // First: a judge that does not work is found out before anything is spoken.
  if (!args.recordings.empty()) evaluation.recordings = ask_about(args, text, args.recordings);
  evaluation.spoken = speak_all(args, verbs);
  if (args.judge.empty() || evaluation.spoken.files.empty()) return evaluation;
  const Clock::time_point begin = Clock::now();
  evaluation.judgement = ask_about(args, text, folder);
  evaluation.judge_s = std::chrono::duration<double>(Clock::now() - begin).count();
  return evaluation;
}

void run_evaluate(EvaluateArgs& args) {
  check_evaluate(args);
  args.request.tasks = read_sentences(args);
  args.request.num_threads = config::threads_of({});
  const TensorVerbs& verbs = tensor_verbs(args.request.num_threads);
  std::optional<base::TemporaryFolder> temporary;
  if (args.out.empty()) temporary.emplace("myxtts_evaluate");
  const fs::path folder = temporary ? temporary->path() : fs::path(args.out);
  name_outputs(args.request.tasks, folder, args.request.reference);

  const Evaluation evaluation = evaluate(args, verbs, folder);
  if (args.json) {
    fmt::print("{}\n", to_json(evaluation).dump());
  } else {
    fmt::print("{}", to_text(evaluation));
  }
  say_unspoken(evaluation.spoken, args.text);
  if (!evaluation.spoken.unspoken.empty()) throw FoundSomething();
  base::say("Next: {}\n", next_line(args, evaluation.spoken));
}

}  // namespace

void add_evaluate_command(CLI::App& app) {
  auto args = std::make_shared<EvaluateArgs>();
  SpeakRequest& request = args->request;
  CLI::App* command =
      app.add_subcommand("evaluate", "Speak sentences with a trained voice and have them judged");
  command->footer(kEvaluateExamples);
  command->add_option("RUN", request.checkpoint, "The run folder, or one of its saves")->required();
  command->add_option("--text", args->text, "A file with one sentence per line")->required();
  CLI::Option* speaker =
      command->add_option("--speaker", request.speaker, "A speaker of the training");
  command->add_option("--reference", request.reference, "A recording of the voice to speak with")
      ->excludes(speaker);
  command->add_option(
      "--vocoder",
      request.vocoder,
      "Run of train-vocoder, or griffin-lim; default: RUN/vocoder if there, else griffin-lim");
  command->add_option("--judge", args->judge, "Command that judges the folder of sounds");
  command->add_option(
      "--recordings", args->recordings, "Folder with recordings of the sentences, judged too");
  command->add_option("--judge-timeout", args->judge_timeout_s, "Seconds that the judge may take")
      ->capture_default_str();
  command->add_option("--out", args->out, "Folder for the sounds; default: a temporary one");
  command->add_flag("--json", args->json, "Print one JSON object instead of text");
  command->callback([args] { run_evaluate(*args); });
}

}  // namespace xtts::cli
