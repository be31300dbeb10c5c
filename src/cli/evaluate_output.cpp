#include "cli/evaluate_output.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/format.h"
#include "base/printable.h"
#include "base/utf8.h"
#include "cli/output_style.h"

namespace myxtts::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxPathBytes = 4096;
constexpr std::size_t kMaxNameBytes = 60;    // of a score's name
constexpr double kMaxExactInteger = 9.0e15;  // doubles are exact integers below it

double audio_seconds(const synthesis::SpeakResult& spoken) {
  double seconds = 0.0;
  for (const synthesis::SpokenFile& file : spoken.files)
    seconds += file.audio_s;
  return seconds;
}

// Writes whole numbers as 12, not 12.0.
Json number_json(double value) {
  const bool is_count = std::floor(value) == value && std::abs(value) < kMaxExactInteger;
  return is_count ? Json(static_cast<std::int64_t>(value)) : Json(value);
}

Json judgement_json(const synthesis::Judgement& judgement) {
  Json json = Json::object();
  for (const auto& one : judgement.numbers)
    json[base::printable(one.first, kMaxPathBytes)] = number_json(one.second);
  return json;
}

std::string number_text(const std::optional<double>& value) {
  if (!value) return "-";
  const bool is_count = std::floor(*value) == *value && std::abs(*value) < kMaxExactInteger;
  return is_count ? fmt::format("{:.0f}", *value) : fmt::format("{:.4f}", *value);
}

// Returns the score names of both judgements in the order of the first.
std::vector<std::string> names_of(const Evaluation& evaluation) {
  std::vector<std::string> names;
  for (const auto* one : {&evaluation.judgement, &evaluation.recordings}) {
    if (!*one) continue;
    for (const auto& number : (*one)->numbers) {
      if (std::ranges::find(names, number.first) == names.end()) names.push_back(number.first);
    }
  }
  return names;
}

std::string padded(std::string text, std::size_t width) {
  const std::size_t used = base::display_width(text);
  return text.append(width > used ? width - used : 0, ' ');
}

std::string score_table(const Evaluation& evaluation) {
  const std::vector<std::string> names = names_of(evaluation);
  std::size_t width = 0;
  for (const std::string& name : names)
    width = std::max(width, base::display_width(base::printable(name, kMaxNameBytes)));
  std::string table = padded("", width) + fmt::format("  {:>10}", "spoken");
  if (evaluation.recordings) table += fmt::format("  {:>10}", "recordings");
  for (const std::string& name : names) {
    table += "\n" + padded(base::printable(name, kMaxNameBytes), width);
    table += fmt::format("  {:>10}", number_text(evaluation.judgement->number(name)));
    if (evaluation.recordings)
      table += fmt::format("  {:>10}", number_text(evaluation.recordings->number(name)));
  }
  return table + "\n";
}

}  // namespace

Json to_json(const Evaluation& evaluation) {
  const synthesis::SpeakResult& spoken = evaluation.spoken;
  const auto path = [](const std::string& name) {
    return name.empty() ? Json() : Json(base::printable(name, kMaxPathBytes));
  };
  Json json = {{"save", path(spoken.checkpoint)},
               {"speaker", base::printable(spoken.speaker, kMaxPathBytes)},
               {"vocoder", base::printable(spoken.vocoder, kMaxPathBytes)},
               {"sentences", evaluation.num_sentences()},
               {"spoken", spoken.files.size()},
               {"audio_s", audio_seconds(spoken)},
               {"real_time_factor", nullptr},
               {"unspoken", Json::array()},
               {"out", path(evaluation.out)},
               {"judge", nullptr},
               {"score", nullptr},
               {"recordings", nullptr}};
  if (!spoken.files.empty()) json["real_time_factor"] = spoken.real_time_factor();
  for (const synthesis::UnspokenText& text : spoken.unspoken)
    json["unspoken"].push_back(
        {{"line", text.line}, {"fault", base::printable(text.fault, kMaxPathBytes)}});
  if (evaluation.judgement) {
    json["judge"] = {{"command", base::printable(evaluation.judge, kMaxPathBytes)},
                     {"seconds", evaluation.judge_s}};
    json["score"] = judgement_json(*evaluation.judgement);
  }
  if (evaluation.recordings) json["recordings"] = judgement_json(*evaluation.recordings);
  return json;
}

std::string to_text(const Evaluation& evaluation) {
  const synthesis::SpeakResult& spoken = evaluation.spoken;
  std::string text = fmt::format(
      "{}{}\n",
      base::printable(spoken.checkpoint, kMaxPathBytes),
      spoken.speaker.empty() ? std::string() : ", speaker " + base::printable(spoken.speaker, 400));
  text += fmt::format("{} of {} synthesised, {:.1f} s of audio, real-time factor {:.3f}\n",
                      spoken.files.size(),
                      base::format_count(evaluation.num_sentences(), "sentence"),
                      audio_seconds(spoken),
                      spoken.real_time_factor());
  if (evaluation.judgement) text += score_table(evaluation);
  return text;
}

}  // namespace myxtts::cli
