// What `myxtts evaluate` has to say, for people and for machines.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "cli/speak_verb.h"
#include "speak/external_judge.h"

namespace xtts::cli {

struct Evaluation {
  SpeakAnswer spoken;
  std::string out;                             // the folder with the sounds; empty: it is gone
  std::string judge;                           // its command; empty: nobody judged
  std::optional<speak::Judgement> judgement;   // of what was spoken
  std::optional<speak::Judgement> recordings;  // of somebody's recordings of the same sentences
  double judge_s = 0.0;                        // that the judge took for what was spoken

  std::size_t num_sentences() const { return spoken.files.size() + spoken.unspoken.size(); }
};

// Fields are a contract: more may be added, none renamed. A judge's numbers keep their names.
nlohmann::ordered_json to_json(const Evaluation& evaluation);

// Whole lines.
std::string to_text(const Evaluation& evaluation);

}  // namespace xtts::cli
