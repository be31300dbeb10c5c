// Judges: programs that are not ours and say how good speech is. Calling one is
//
//   COMMAND --text FILE --wavs DIR
//
// where FILE has one sentence per line and DIR has 0001.wav for the first, 0002.wav for the second
// and so on; one that could not be spoken is missing. It answers with one JSON object on standard
// output, whose numbers are its verdict. Two names have a meaning here: "word_error_rate" (0 is
// best) and, for those that count no words, "score" (higher is better). With --json it also lists
// "files", each with what was "heard", "words" and "errors"; tools/judge_words.py is one.
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

namespace xtts::speak {

inline constexpr std::chrono::minutes kJudgeDeadline{10};

struct JudgeCall {
  std::string command;  // what a person would type in a shell
  std::filesystem::path text;
  std::filesystem::path wavs;
  std::chrono::milliseconds deadline = kJudgeDeadline;
  std::function<void(std::string_view line)> on_line = {};  // told of each line of its log
};

// What a judge answered.
struct Judgement {
  std::vector<std::pair<std::string, double>> numbers;  // by name, all finite

  std::optional<double> number(std::string_view name) const;

  // What two answers of one judge are compared by: lower is better. The word error rate, else the
  // negative score; absent if it has neither.
  std::optional<double> cost() const;
};

// What a judge understood of one sound.
struct Heard {
  std::string words;            // its own spelling
  std::int64_t num_words = 0;   // of the text
  std::int64_t num_errors = 0;  // words more, less or other
};

// Both throw UserError, with the judge's last words and the command to try by hand, if it is not
// there, fails, does not answer within its deadline or answers with something else (a number that
// is not finite is something else); base::Interrupted soon after a signal.
Judgement ask_judge(const JudgeCall& call);
std::vector<Heard> ask_judge_for_each(const JudgeCall& call, std::size_t count);

// "0001.wav" for index 0.
std::string judged_name(std::size_t index);

// The text file of a judge: each sentence on a line that nobody takes for two, or for none.
std::string judged_lines(std::span<const std::string> sentences);

}  // namespace xtts::speak
