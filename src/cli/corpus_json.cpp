#include "cli/corpus_json.h"

namespace myxtts::cli {

std::string_view machine_name(corpus::Layout layout) {
  switch (layout) {
    case corpus::Layout::kLjspeech:
      return "ljspeech";
    case corpus::Layout::kOriginal:
      return "original";
    case corpus::Layout::kPiper:
      return "piper";
    case corpus::Layout::kHuggingFaceCsv:
      return "hugging_face_csv";
    case corpus::Layout::kHuggingFaceJsonl:
      return "hugging_face_jsonl";
  }
  return "unknown";
}

nlohmann::json to_json(const corpus::Problem& problem) {
  return {{"id", problem.id},
          {"reason", problem.reason},
          {"detail", problem.detail},
          {"remedy", problem.suggestion},
          {"line", problem.line}};
}

nlohmann::json to_json(std::span<const corpus::Problem> problems) {
  nlohmann::json list = nlohmann::json::array();
  for (const corpus::Problem& problem : problems)
    list.push_back(to_json(problem));
  return list;
}

}  // namespace myxtts::cli
