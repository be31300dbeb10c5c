// What a judge said of a run, and which of its steps it liked best.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "config/training_config.h"
#include "speak/external_judge.h"
#include "speak/sentence_list.h"

namespace xtts::train {

// An answer of the judge at a step.
struct Judged {
  std::int64_t step = 0;
  speak::Judgement answer;
};

// True if this is the best answer so far. One without a word error rate or a score is never best.
bool is_best(const speak::Judgement& answer, const std::optional<Judged>& best_so_far);

// "word_error_rate 0.0950, words 1900": at most the first few numbers.
std::string describe(const speak::Judgement& answer);

// {"step": 12, "score": {"word_error_rate": 0.1}}, or null. Reading gives the same bits back.
nlohmann::ordered_json judged_json(const std::optional<Judged>& judged);

// Throws nlohmann::json::exception for anything else.
std::optional<Judged> parse_judged(const nlohmann::ordered_json& json);

// The sentences that a run is judged by; none if it is not. Throws UsageError if the file or the
// judge is not given, or the file is not there or holds none.
std::vector<speak::ListedSentence> sentences_to_judge(const config::TrainingConfig& training);

}  // namespace xtts::train
