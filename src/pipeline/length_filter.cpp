#include "pipeline/length_filter.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "corpus/statistics.h"

namespace xtts::pipeline {
namespace {

constexpr double kShareToKeep = 0.99;

std::vector<std::int64_t> sorted(std::span<const Lengths> lengths, std::int64_t Lengths::*which) {
  std::vector<std::int64_t> values;
  for (const Lengths& one : lengths)
    values.push_back(one.*which);
  std::ranges::sort(values);
  return values;
}

std::string words_for(const Lengths& limits) {
  std::string words;
  if (limits.text != kNoLimit) words = fmt::format("{} symbols", limits.text);
  if (limits.mel != kNoLimit)
    words += fmt::format("{}{} frames", words.empty() ? "" : " or ", limits.mel);
  return words;
}

std::string sentence(const FilteredByLength& left_out,
                     const Lengths& limits,
                     std::span<const Lengths> lengths) {
  return fmt::format(
      "{} of {} utterances ({:.1f} %) with {:.1f} % of the hours are longer than {} and are left "
      "out; {} keeps 99 %",
      left_out.utterances.size(),
      lengths.size(),
      100.0 * left_out.utterance_share,
      100.0 * left_out.frame_share,
      words_for(limits),
      flags_between(limits, limits_that_keep_most(limits, lengths)));
}

}  // namespace

double FilteredByLength::larger_share() const {
  return std::max(utterance_share, frame_share);
}

FilteredByLength filter_by_length(const Lengths& limits, std::span<const Lengths> lengths) {
  FilteredByLength left_out;
  std::int64_t frames = 0;
  std::int64_t all_frames = 0;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    all_frames += lengths[i].mel;
    if (within(limits, lengths[i])) continue;
    frames += lengths[i].mel;
    left_out.utterances.push_back(i);
  }
  if (left_out.utterances.empty()) return left_out;
  left_out.utterance_share =
      static_cast<double>(left_out.utterances.size()) / static_cast<double>(lengths.size());
  left_out.frame_share =
      static_cast<double>(frames) / static_cast<double>(std::max<std::int64_t>(1, all_frames));
  return left_out;
}

// Both limits rise together by tenths of a percentile: of two lengths that go together nearly the
// same utterances are left out.
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
  const FilteredByLength left_out = filter_by_length(limits, lengths);
  if (left_out.larger_share() <= kMuchLeftOut) return std::nullopt;
  return sentence(left_out, limits, lengths);
}

std::optional<std::string> length_filter_refusal(const Lengths& limits,
                                                 std::span<const Lengths> lengths) {
  const FilteredByLength left_out = filter_by_length(limits, lengths);
  if (left_out.larger_share() <= kTooMuchLeftOut) return std::nullopt;
  return "more than half would be left out: " + sentence(left_out, limits, lengths);
}

}  // namespace xtts::pipeline
