// Converts corpus problems and layouts to JSON for `corpus check` and `stats`.
#pragma once

#include <span>
#include <string_view>

#include <nlohmann/json.hpp>

#include "corpus/reader.h"
#include "corpus/utterance.h"

namespace myxtts::cli {

// Returns "ljspeech", "original", "piper", "hugging_face_csv" or "hugging_face_jsonl".
std::string_view machine_name(corpus::Layout layout);

// Returns {"id", "reason", "detail", "remedy", "line"} per problem.
nlohmann::json to_json(const corpus::Problem& problem);
nlohmann::json to_json(std::span<const corpus::Problem> problems);

}  // namespace myxtts::cli
