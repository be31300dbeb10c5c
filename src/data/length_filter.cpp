#include "data/length_filter.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "corpus/statistics.h"

namespace myxtts::data {
namespace {

constexpr double kShareToKeep = 0.99;

std::vector<std::int64_t> sorted(std::span<const Lengths> lengths, std::int64_t Lengths::*which) {
  std::vector<std::int64_t> values;
  for (const Lengths& one : lengths)
    values.push_back(one.*which);
  std::ranges::sort(values);
  return values;
}

std::string format_limits(const Lengths& limits) {
  std::string text;
  if (limits.text != kNoLimit) text = fmt::format("{} symbols", limits.text);
  if (limits.mel != kNoLimit)
    text += fmt::format("{}{} frames", text.empty() ? "" : " or ", limits.mel);
  return text;
}

std::string format_filtered(const FilteredByLength& filtered,
                            const Lengths& limits,
                            std::span<const Lengths> lengths) {
  return fmt::format(
      "{} of {} utterances ({:.1f} %) with {:.1f} % of the hours are longer than {} and are "
      "filtered; {} keeps 99 %",
      filtered.utterances.size(),
      lengths.size(),
      100.0 * filtered.utterance_share,
      100.0 * filtered.frame_share,
      format_limits(limits),
      flags_between(limits, limits_that_keep_most(limits, lengths)));
}

}  // namespace

double FilteredByLength::larger_share() const {
  return std::max(utterance_share, frame_share);
}

FilteredByLength filter_by_length(const Lengths& limits, std::span<const Lengths> lengths) {
  FilteredByLength filtered;
  std::int64_t frames = 0;
  std::int64_t all_frames = 0;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    all_frames += lengths[i].mel;
    if (within(limits, lengths[i])) continue;
    frames += lengths[i].mel;
    filtered.utterances.push_back(i);
  }
  if (filtered.utterances.empty()) return filtered;
  filtered.utterance_share =
      static_cast<double>(filtered.utterances.size()) / static_cast<double>(lengths.size());
  filtered.frame_share =
      static_cast<double>(frames) / static_cast<double>(std::max<std::int64_t>(1, all_frames));
  return filtered;
}

// Both limits rise together by tenths of a percentile: text and mel lengths correlate, so that both
// filter nearly the same utterances.
Lengths limits_that_keep_most(const Lengths& limits, std::span<const Lengths> lengths) {
  if (lengths.empty()) return limits;
  const std::vector<std::int64_t> texts = sorted(lengths, &Lengths::text);
  const std::vector<std::int64_t> mels = sorted(lengths, &Lengths::mel);
  Lengths enough = limits;
  for (int tenths = 990; tenths <= 1000; ++tenths) {
    const double percent = tenths / 10.0;
    enough = {std::max(limits.text, corpus::round_text_limit(corpus::percentile(texts, percent))),
              std::max(limits.mel, corpus::round_mel_limit(corpus::percentile(mels, percent)))};
    if (filter_by_length(enough, lengths).larger_share() <= 1.0 - kShareToKeep) break;
  }
  return enough;
}

std::string flags_between(const Lengths& from, const Lengths& to) {
  std::string flags;
  if (to.text != from.text) flags = fmt::format("--max-text-length {}", to.text);
  if (to.mel != from.mel)
    flags += fmt::format("{}--max-mel-frames {}", flags.empty() ? "" : " ", to.mel);
  return flags;
}

std::optional<std::string> length_filter_warning(const Lengths& limits,
                                                 std::span<const Lengths> lengths) {
  const FilteredByLength filtered = filter_by_length(limits, lengths);
  if (filtered.larger_share() <= kFilterWarningShare) return std::nullopt;
  return format_filtered(filtered, limits, lengths);
}

std::optional<std::string> length_filter_refusal(const Lengths& limits,
                                                 std::span<const Lengths> lengths) {
  const FilteredByLength filtered = filter_by_length(limits, lengths);
  if (filtered.larger_share() <= kFilterRefusalShare) return std::nullopt;
  return "more than half of the data would be filtered: " +
         format_filtered(filtered, limits, lengths);
}

}  // namespace myxtts::data
