#include "cli/word_judge.h"

#include <chrono>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/subprocess.h"
#include "cli/shell_words.h"
#include "corpus/reasons.h"

namespace xtts::cli {
namespace {

constexpr std::chrono::minutes kDeadline{10};

std::string_view last_line(std::string_view text) {
  while (text.ends_with('\n'))
    text.remove_suffix(1);
  return text.substr(text.rfind('\n') + 1);
}

std::optional<std::vector<train::Heard>> read_answer(const std::string& answer) {
  const nlohmann::json json = nlohmann::json::parse(answer, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object() || !json.contains("files") || !json["files"].is_array()) return {};
  std::vector<train::Heard> heard;
  for (const nlohmann::json& file : json["files"]) {
    const bool whole = file.is_object() && file.value("heard", nlohmann::json()).is_string() &&
                       file.value("words", nlohmann::json()).is_number_unsigned() &&
                       file.value("errors", nlohmann::json()).is_number_unsigned();
    if (!whole) return {};
    heard.push_back({.words = file["heard"].get<std::string>(),
                     .num_words = file["words"].get<std::int64_t>(),
                     .num_errors = file["errors"].get<std::int64_t>()});
  }
  return heard;
}

}  // namespace

std::vector<train::Heard> judge_words(const std::string& command,
                                      const std::filesystem::path& text,
                                      const std::filesystem::path& wavs,
                                      std::size_t count) {
  // exec: the judge itself is our child, so that it ends when we do.
  const std::string line = fmt::format("exec {} --text {} --wavs {} --json",
                                       command,
                                       shell_word(text.string()),
                                       shell_word(wavs.string()));
  const base::ChildResult child =
      base::run_child({.argv = {"sh", "-c", line}, .input = "", .deadline = kDeadline});
  require(child.ok(),
          "the judge failed ({}): {}; try it by hand: {}",
          child.describe(),
          corpus::printable(last_line(child.errors), 400),
          corpus::printable(line.substr(5), 4096));
  std::optional<std::vector<train::Heard>> heard = read_answer(child.output);
  require(
      heard && heard->size() == count,
      "the judge answered '{}', expected one JSON object with {} entries in \"files\", each with "
      "\"heard\", \"words\" and \"errors\"",
      corpus::printable(child.output, 200),
      count);
  return std::move(*heard);
}

}  // namespace xtts::cli
