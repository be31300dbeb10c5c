#include "train/evaluation.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/printable.h"

namespace myxtts::train {
namespace {

constexpr std::size_t kMaxNumbers = 4;
constexpr std::size_t kMaxNameLetters = 40;

}  // namespace

bool is_best(const synthesis::Judgement& judgement, const std::optional<JudgedStep>& best_so_far) {
  const std::optional<double> cost = judgement.cost();
  if (!cost) return false;
  const std::optional<double> best = best_so_far ? best_so_far->judgement.cost() : std::nullopt;
  return !best || *cost < *best;
}

std::string format_judgement(const synthesis::Judgement& judgement) {
  std::string text;
  const std::size_t count = std::min(kMaxNumbers, judgement.numbers.size());
  for (std::size_t i = 0; i < count; ++i) {
    const auto& [name, value] = judgement.numbers[i];
    const bool is_count = std::floor(value) == value && std::abs(value) < 1e9;
    if (!text.empty()) text += ", ";
    if (name == "word_error_rate") {
      text += fmt::format("WER {:.1f} %", 100.0 * value);
      continue;
    }
    text += base::printable(name, kMaxNameLetters) + " ";
    text += is_count ? fmt::format("{:.0f}", value) : fmt::format("{:.4f}", value);
  }
  return text;
}

nlohmann::ordered_json judged_json(const std::optional<JudgedStep>& judged) {
  if (!judged) return nullptr;
  nlohmann::ordered_json score = nlohmann::ordered_json::object();
  for (const auto& one : judged->judgement.numbers)
    score[one.first] = one.second;
  return {{"step", judged->step}, {"score", score}};
}

std::optional<JudgedStep> parse_judged(const nlohmann::ordered_json& json) {
  if (json.is_null()) return std::nullopt;
  JudgedStep judged;
  json.at("step").get_to(judged.step);
  for (const auto& [name, value] : json.at("score").items())
    judged.judgement.numbers.emplace_back(name, value.get<double>());
  return judged;
}

std::vector<synthesis::ListedSentence> evaluation_sentences(
    const config::TrainingConfig& training) {
  if (training.evaluate_every == 0) return {};
  require_usage(
      training.evaluate_text.has_value(),
      "training.evaluate_every ({}) needs training.evaluate_text, a file with one sentence "
      "per line; add --evaluate-text FILE",
      training.evaluate_every);
  require_usage(
      training.evaluate_judge.has_value(),
      "training.evaluate_every ({}) needs training.evaluate_judge, a command that scores the "
      "synthesised speech; add --judge COMMAND",
      training.evaluate_every);
  const std::string& file = *training.evaluate_text;
  std::vector<synthesis::ListedSentence> sentences =
      synthesis::parse_sentence_list(synthesis::read_sentence_file(file, "training.evaluate_text"));
  require_usage(!sentences.empty(),
                "training.evaluate_text {} is empty; expected one sentence per line",
                file);
  return sentences;
}

}  // namespace myxtts::train
