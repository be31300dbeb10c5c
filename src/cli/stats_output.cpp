#include "cli/stats_output.h"

#include "cli/corpus_json.h"
#include "corpus/reasons.h"
#include "data/length_filter.h"

namespace myxtts::cli {
namespace {

nlohmann::json to_json(const corpus::LengthStats& stats) {
  return {{"min", stats.min},
          {"mean", stats.mean},
          {"max", stats.max},
          {"percentile_50", stats.percentile_50},
          {"percentile_90", stats.percentile_90},
          {"percentile_95", stats.percentile_95},
          {"percentile_99", stats.percentile_99}};
}

nlohmann::json to_json(const corpus::Histogram& histogram) {
  return {
      {"lower", histogram.lower}, {"bin_width", histogram.bin_width}, {"counts", histogram.counts}};
}

nlohmann::json to_json(const corpus::LengthLimits& limits) {
  return {{"percent", limits.percent},
          {"max_text_length", limits.max_text_length},
          {"max_mel_frames", limits.max_mel_frames},
          {"utterances_filtered", limits.filtered_utterances},
          {"utterance_share_filtered", limits.utterance_share},
          {"hours_filtered", limits.filtered_hours},
          {"hour_share_filtered", limits.hour_share},
          {"flags", corpus::flags_of(limits)}};
}

// An unset limit is null.
nlohmann::json configured_json(const corpus::LengthLimits& configured) {
  nlohmann::json limits = to_json(configured);
  limits.erase("percent");
  if (configured.max_text_length == data::kNoLimit) limits["max_text_length"] = nullptr;
  if (configured.max_mel_frames == data::kNoLimit) limits["max_mel_frames"] = nullptr;
  limits["flags"] = format_set_limits(configured);
  return limits;
}

}  // namespace

std::string format_set_limits(const corpus::LengthLimits& limits) {
  const data::Lengths none{data::kNoLimit, data::kNoLimit};
  const std::string flags =
      data::flags_between(none, {limits.max_text_length, limits.max_mel_frames});
  return flags.empty() ? "no limits" : flags;
}

nlohmann::json to_json(const StatsOutput& output) {
  const corpus::CorpusStats& stats = output.stats;
  const corpus::LengthLimits& recommended = stats.recommended();
  nlohmann::json json = {{"utterances", stats.utterances},
                         {"hours", stats.hours},
                         {"speakers", stats.speakers.size()},
                         {"layout", machine_name(output.corpus.layout)},
                         {"text_length", to_json(stats.text_length)},
                         {"mel_length", to_json(stats.mel_length)},
                         {"text_histogram", to_json(stats.text_histogram)},
                         {"mel_histogram", to_json(stats.mel_histogram)},
                         {"recommended",
                          {{"max_text_length", recommended.max_text_length},
                           {"max_mel_frames", recommended.max_mel_frames},
                           {"flags", corpus::flags_of(recommended)}}},
                         {"recommendations", nlohmann::json::array()},
                         {"skipped", to_json(stats.skipped)},
                         {"configured", configured_json(output.configured)},
                         {"held_out", output.held_out},
                         {"speaker_shares", nlohmann::json::array()}};
  for (const corpus::LengthLimits& limits : stats.recommendations)
    json["recommendations"].push_back(to_json(limits));
  for (const corpus::SpeakerShare& speaker : stats.speakers) {
    json["speaker_shares"].push_back({{"name", corpus::printable(speaker.name, 400)},
                                      {"utterances", speaker.utterances},
                                      {"hours", speaker.hours}});
  }
  if (output.shapes) {
    json["shape_plan"] = shape_plan_json(*output.shapes);
    json["padding"] = padding_json(*output.shapes);
  }
  return json;
}

}  // namespace myxtts::cli
