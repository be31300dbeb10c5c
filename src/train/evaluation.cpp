#include "train/evaluation.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/printable.h"

namespace xtts::train {
namespace {

constexpr std::size_t kMostTold = 4;
constexpr std::size_t kMaxTold = 40;  // letters of a name

}  // namespace

bool is_best(const speak::Judgement& answer, const std::optional<Judged>& best_so_far) {
  const std::optional<double> cost = answer.cost();
  if (!cost) return false;
  const std::optional<double> best = best_so_far ? best_so_far->answer.cost() : std::nullopt;
  return !best || *cost < *best;
}

std::string describe(const speak::Judgement& answer) {
  std::string words;
  const std::size_t told = std::min(kMostTold, answer.numbers.size());
  for (std::size_t i = 0; i < told; ++i) {
    const auto& [name, value] = answer.numbers[i];
    const bool is_count = std::floor(value) == value && std::abs(value) < 1e9;
    words += fmt::format("{}{} ", words.empty() ? "" : ", ", base::printable(name, kMaxTold));
    words += is_count ? fmt::format("{:.0f}", value) : fmt::format("{:.4f}", value);
  }
  return words;
}

nlohmann::ordered_json judged_json(const std::optional<Judged>& judged) {
  if (!judged) return nullptr;
  nlohmann::ordered_json score = nlohmann::ordered_json::object();
  for (const auto& one : judged->answer.numbers)
    score[one.first] = one.second;
  return {{"step", judged->step}, {"score", score}};
}

std::optional<Judged> parse_judged(const nlohmann::ordered_json& json) {
  if (json.is_null()) return std::nullopt;
  Judged judged;
  json.at("step").get_to(judged.step);
  for (const auto& [name, value] : json.at("score").items())
    judged.answer.numbers.emplace_back(name, value.get<double>());
  return judged;
}

std::vector<speak::ListedSentence> sentences_to_judge(const config::TrainingConfig& training) {
  if (training.evaluate_every == 0) return {};
  require_usage(
      training.evaluate_text.has_value(),
      "training.evaluate_every ({}) needs training.evaluate_text, a file with one sentence "
      "per line; add --evaluate-text FILE",
      training.evaluate_every);
  require_usage(
      training.evaluate_judge.has_value(),
      "training.evaluate_every ({}) needs training.evaluate_judge, a command that judges what "
      "is spoken; add --judge COMMAND",
      training.evaluate_every);
  const std::string& file = *training.evaluate_text;
  std::vector<speak::ListedSentence> sentences =
      speak::listed_sentences(speak::read_sentence_file(file, "training.evaluate_text"));
  require_usage(!sentences.empty(),
                "training.evaluate_text {} is empty; expected one sentence per line",
                file);
  return sentences;
}

}  // namespace xtts::train
