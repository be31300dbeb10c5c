// Formats the result of `myxtts evaluate` as JSON or text.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "synthesis/external_judge.h"
#include "synthesis/speak_request.h"

namespace myxtts::cli {

// Result of `myxtts evaluate`.
struct Evaluation {
  synthesis::SpeakResult spoken;
  std::string out;                                 // output folder; empty: temporary, deleted
  std::string judge;                               // command; empty: no judge
  std::optional<synthesis::Judgement> judgement;   // scores of the synthesised files
  std::optional<synthesis::Judgement> recordings;  // scores of recordings of the sentences
  double judge_s = 0.0;                            // wall time of the judge

  std::size_t num_sentences() const { return spoken.files.size() + spoken.unspoken.size(); }
};

// The fields are a public contract: none is renamed or removed. Scores keep the judge's names.
nlohmann::ordered_json to_json(const Evaluation& evaluation);

// Returns a summary and a table of scores, ending with a newline.
std::string to_text(const Evaluation& evaluation);

}  // namespace myxtts::cli
