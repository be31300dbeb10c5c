// Runs a judge, an external program that scores synthesised speech. It is called as
//
//   COMMAND --text FILE --wavs DIR
//
// FILE has one sentence per line. DIR has 0001.wav for the first sentence, 0002.wav for the second
// and so on; the file of a sentence that could not be synthesised is missing. The judge prints one
// JSON object to standard output; its numbers are the scores. Two names have a meaning here:
// "word_error_rate" (a fraction, 0 is best) and, for judges without words, "score" (higher is
// better). With --json the judge also prints a list "files" with the fields "heard" (transcript),
// "words" and "errors". tools/judge_wer.py is a judge.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace myxtts::synthesis {

inline constexpr std::chrono::minutes kJudgeTimeout{10};

struct JudgeCall {
  std::string command;  // shell command
  std::filesystem::path text;
  std::filesystem::path wavs;
  std::chrono::milliseconds timeout = kJudgeTimeout;
  std::function<void(std::string_view line)> on_line = {};  // called per line of standard error
};

// The scores that a judge returned.
struct Judgement {
  std::vector<std::pair<std::string, double>> numbers;  // by name, all finite

  std::optional<double> number(std::string_view name) const;

  // The value by which two judgements of one judge are compared, lower is better: the word error
  // rate, else the negative score, else absent.
  std::optional<double> cost() const;
};

// The transcript of one audio file by a judge.
struct Transcript {
  std::string text;             // in the judge's spelling
  std::int64_t num_words = 0;   // in the reference text
  std::int64_t num_errors = 0;  // insertions, deletions and substitutions
};

// Runs the judge and returns its scores. Throws UserError, with the last line of the judge's
// standard error and the command to run by hand, if the judge is missing, fails, exceeds its
// timeout or prints anything else than the expected JSON with finite numbers. Throws
// base::Interrupted soon after a signal.
Judgement run_judge(const JudgeCall& call);

// Runs the judge with --json and returns the transcripts of `count` files. Throws as run_judge().
std::vector<Transcript> run_judge_per_file(const JudgeCall& call, std::size_t count);

// Returns the file name of a sentence for the judge: "0001.wav" for index 0.
std::string judge_wav_name(std::size_t index);

// Returns the text file for the judge. Each sentence is exactly one line: control characters and
// Unicode line separators become blanks, and a blank sentence becomes "-".
std::string judge_text(std::span<const std::string> sentences);

}  // namespace myxtts::synthesis
