#include "synthesis/external_judge.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/printable.h"
#include "base/subprocess.h"

namespace myxtts::synthesis {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kWordErrorRate = "word_error_rate";
constexpr const char* kScore = "score";
constexpr std::size_t kMaxOutputBytes = std::size_t{64} << 20U;  // room for a long "files" list

// NEL, LINE SEPARATOR and PARAGRAPH SEPARATOR, which some languages treat as line ends.
constexpr std::array<std::string_view, 3> kOtherLineEnds = {
    "\xC2\x85", "\xE2\x80\xA8", "\xE2\x80\xA9"};

std::string_view last_line(std::string_view text) {
  while (text.ends_with('\n'))
    text.remove_suffix(1);
  return text.substr(text.rfind('\n') + 1);
}

// Splits a stream of blocks into lines.
class LineSplitter {
 public:
  explicit LineSplitter(const std::function<void(std::string_view)>& on_line) : on_line_(on_line) {}

  void add(std::string_view block) {
    rest_ += block;
    std::size_t begin = 0;
    for (std::size_t end = 0; (end = rest_.find('\n', begin)) != std::string::npos; begin = end + 1)
      on_line_(std::string_view(rest_).substr(begin, end - begin));
    rest_.erase(0, begin);
  }

 private:
  const std::function<void(std::string_view)>& on_line_;
  std::string rest_;
};

std::string manual_command(const JudgeCall& call) {
  return fmt::format("{} --text {} --wavs {}",
                     base::printable(call.command, 4096),
                     base::shell_word(call.text.string()),
                     base::shell_word(call.wavs.string()));
}

std::string output_of(const JudgeCall& call, bool per_file) {
  // The paths are passed as "$@", so that the shell does not interpret them.
  std::vector<std::string> argv = {"sh",
                                   "-c",
                                   call.command + " \"$@\"",
                                   "judge",
                                   "--text",
                                   call.text.string(),
                                   "--wavs",
                                   call.wavs.string()};
  if (per_file) argv.emplace_back("--json");
  LineSplitter lines(call.on_line);
  base::ChildCommand child{.argv = std::move(argv),
                           .input = "",
                           .timeout = call.timeout,
                           .max_output_bytes = kMaxOutputBytes,
                           .is_job = true};
  if (call.on_line) child.on_stderr = [&](std::string_view block) { lines.add(block); };
  base::ChildResult result = base::run_child(child);
  if (result.end == base::ChildEnd::kInterrupted) base::check_interrupt();
  require(result.end != base::ChildEnd::kTimedOut,
          "the judge did not finish within {:g} s; use fewer sentences or a faster judge; run it "
          "by hand: {}",
          std::chrono::duration<double>(call.timeout).count(),
          manual_command(call));
  const std::string reason = base::printable(last_line(result.errors), 400);
  require(result.ok(),
          "the judge failed ({}): {}; run it by hand: {}",
          result.message(),
          reason.empty() ? "no message on standard error" : reason,
          manual_command(call));
  return std::move(result.output);
}

// Returns nothing unless the output is a JSON object with finite numbers. (The parser rejects 1e999
// and NaN.)
std::optional<Judgement> parse_judgement(const std::string& output) {
  const Json json = Json::parse(output, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return {};
  Judgement judgement;
  for (const auto& [name, value] : json.items()) {
    const bool has_meaning = name == kWordErrorRate || name == kScore;
    if (has_meaning && !value.is_number()) return {};
    if (value.is_number()) judgement.numbers.emplace_back(name, value.get<double>());
  }
  const bool ok = std::ranges::all_of(judgement.numbers, [](const auto& one) {
    return std::isfinite(one.second) && (one.first != kWordErrorRate || one.second >= 0.0);
  });
  if (!ok || judgement.numbers.empty()) return {};
  return judgement;
}

std::optional<std::vector<Transcript>> parse_files(const std::string& output) {
  const Json json = Json::parse(output, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object() || !json.contains("files") || !json["files"].is_array()) return {};
  std::vector<Transcript> transcripts;
  for (const Json& file : json["files"]) {
    const bool is_complete = file.is_object() && file.value("heard", Json()).is_string() &&
                             file.value("words", Json()).is_number_unsigned() &&
                             file.value("errors", Json()).is_number_unsigned();
    if (!is_complete) return {};
    transcripts.push_back({.text = file["heard"].get<std::string>(),
                           .num_words = file["words"].get<std::int64_t>(),
                           .num_errors = file["errors"].get<std::int64_t>()});
  }
  return transcripts;
}

}  // namespace

std::optional<double> Judgement::number(std::string_view name) const {
  for (const auto& one : numbers) {
    if (one.first == name) return one.second;
  }
  return std::nullopt;
}

std::optional<double> Judgement::cost() const {
  if (const std::optional<double> rate = number(kWordErrorRate)) return rate;
  if (const std::optional<double> score = number(kScore)) return -*score;
  return std::nullopt;
}

Judgement run_judge(const JudgeCall& call) {
  const std::string output = output_of(call, /*per_file=*/false);
  std::optional<Judgement> judgement = parse_judgement(output);
  require(judgement.has_value(),
          "the judge printed '{}', expected one JSON object with finite numbers, such as "
          "{{\"word_error_rate\": 0.1, \"words\": 40, \"errors\": 4}}; run it by hand: {}",
          base::printable(output, 200),
          manual_command(call));
  return std::move(*judgement);
}

std::vector<Transcript> run_judge_per_file(const JudgeCall& call, std::size_t count) {
  const std::string output = output_of(call, /*per_file=*/true);
  std::optional<std::vector<Transcript>> transcripts = parse_files(output);
  require(
      transcripts && transcripts->size() == count,
      "the judge printed '{}', expected one JSON object with {} entries in \"files\", each with "
      "\"heard\", \"words\" and \"errors\"; run it by hand: {} --json",
      base::printable(output, 200),
      count,
      manual_command(call));
  return std::move(*transcripts);
}

std::string judge_wav_name(std::size_t index) {
  return fmt::format("{:04}.wav", index + 1);
}

std::string judge_text(std::span<const std::string> sentences) {
  std::string lines;
  for (const std::string& sentence : sentences) {
    std::string line;
    for (const char letter : sentence)
      line += static_cast<unsigned char>(letter) < 0x20 ? ' ' : letter;
    for (const std::string_view end : kOtherLineEnds) {
      for (std::size_t at = 0; (at = line.find(end, at)) != std::string::npos; ++at)
        line.replace(at, end.size(), " ");
    }
    const bool is_blank = line.find_first_not_of(' ') == std::string::npos;
    lines += (is_blank ? "-" : base::printable(line, line.size() + 1)) + "\n";
  }
  return lines;
}

}  // namespace myxtts::synthesis
