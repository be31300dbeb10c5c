// How problems and layouts are spelled for machines; shared by `corpus check` and `stats`.
#pragma once

#include <span>
#include <string_view>

#include <nlohmann/json.hpp>

#include "corpus/reader.h"
#include "corpus/utterance.h"

namespace xtts::cli {

// "ljspeech", "original", "piper", "hugging_face_csv", "hugging_face_jsonl".
std::string_view machine_name(corpus::Layout layout);

// {"id", "reason", "detail", "remedy", "line"}.
nlohmann::json to_json(const corpus::Problem& problem);
nlohmann::json to_json(std::span<const corpus::Problem> problems);

}  // namespace xtts::cli
