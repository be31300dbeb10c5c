// The scores of a run by an external judge.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "config/training_config.h"
#include "synthesis/external_judge.h"
#include "synthesis/sentence_list.h"

namespace myxtts::train {

// The judgement of a step.
struct JudgedStep {
  std::int64_t step = 0;
  synthesis::Judgement judgement;
};

// Returns true if the judgement is the best so far. A judgement without a word error rate or score
// is never the best.
bool is_best(const synthesis::Judgement& judgement, const std::optional<JudgedStep>& best_so_far);

// Returns the first numbers as text, the word error rate in percent: "WER 9.5 %, words 1900".
std::string format_judgement(const synthesis::Judgement& judgement);

// Returns {"step": 12, "score": {"word_error_rate": 0.1}}, or null. Numbers round-trip exactly.
nlohmann::ordered_json judged_json(const std::optional<JudgedStep>& judged);

// Parses the output of judged_json(). Throws nlohmann::json::exception for anything else.
std::optional<JudgedStep> parse_judged(const nlohmann::ordered_json& json);

// Returns the sentences for the evaluation of a run, none if it is disabled. Throws UsageError if
// the file or the judge is not configured, or if the file is missing or empty.
std::vector<synthesis::ListedSentence> evaluation_sentences(const config::TrainingConfig& training);

}  // namespace myxtts::train
