#include "corpus/statistics.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "base/error.h"

namespace myxtts::corpus {
namespace {

constexpr std::int64_t kTextMultiple = 8;
constexpr std::int64_t kMelMultiple = 32;
constexpr double kSecondsPerHour = 3600.0;

std::int64_t round_up(std::int64_t value, std::int64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

// Returns the next width of 1, 2, 5, 10, 20, 50, ...
std::int64_t next_round_width(std::int64_t width) {
  std::int64_t power = 1;
  while (power * 10 <= width)
    power *= 10;
  const std::int64_t leading = width / power;
  if (leading < 2) return 2 * power;
  return leading < 5 ? 5 * power : 10 * power;
}

std::vector<std::int64_t> lengths_of(std::span<const Measurement> measured,
                                     std::int64_t Measurement::*length) {
  std::vector<std::int64_t> lengths;
  for (const Measurement& one : measured) {
    if (!one.problem) lengths.push_back(one.*length);
  }
  return lengths;
}

std::vector<SpeakerShare> speakers_of(const Corpus& corpus, std::span<const Measurement> measured) {
  std::map<std::string, SpeakerShare> by_name;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    if (measured[i].problem) continue;
    SpeakerShare& speaker = by_name[corpus.utterances[i].speaker];
    ++speaker.utterances;
    speaker.hours += measured[i].seconds / kSecondsPerHour;
  }
  std::vector<SpeakerShare> speakers;
  for (auto& entry : by_name) {
    entry.second.name = entry.first;
    speakers.push_back(entry.second);
  }
  return speakers;
}

std::vector<Problem> skipped_of(const Corpus& corpus, std::span<const Measurement> measured) {
  std::vector<Problem> skipped = corpus.problems;
  for (const Measurement& one : measured) {
    if (one.problem) skipped.push_back(*one.problem);
  }
  std::ranges::stable_sort(skipped, {}, &Problem::line);
  return skipped;
}

LengthLimits recommend(std::span<const Measurement> measured,
                       const LengthStats& text,
                       const LengthStats& mel,
                       int percent) {
  const bool is_99 = percent == 99;
  const auto text_length = is_99 ? text.percentile_99 : text.percentile_95;
  const auto mel_length = is_99 ? mel.percentile_99 : mel.percentile_95;
  LengthLimits result =
      evaluate_limits(measured, round_text_limit(text_length), round_mel_limit(mel_length));
  result.percent = percent;
  return result;
}

}  // namespace

std::int64_t percentile(std::span<const std::int64_t> sorted, double percent) {
  invariant(!sorted.empty() && percent > 0.0 && percent <= 100.0,
            "sorted is not empty and percent is in (0, 100]");
  // percent * n is exact for integer percents, percent / 100 is not.
  const double rank = std::ceil(percent * static_cast<double>(sorted.size()) / 100.0);
  return sorted[static_cast<std::size_t>(std::max(1.0, rank)) - 1];
}

LengthStats length_stats(std::vector<std::int64_t> lengths) {
  if (lengths.empty()) return {};
  std::ranges::sort(lengths);
  const auto sum = std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0});
  return {.min = lengths.front(),
          .max = lengths.back(),
          .mean = static_cast<double>(sum) / static_cast<double>(lengths.size()),
          .percentile_50 = percentile(lengths, 50),
          .percentile_90 = percentile(lengths, 90),
          .percentile_95 = percentile(lengths, 95),
          .percentile_99 = percentile(lengths, 99)};
}

std::int64_t round_text_limit(std::int64_t symbols) {
  return round_up(symbols, kTextMultiple);
}

std::int64_t round_mel_limit(std::int64_t frames) {
  return round_up(frames, kMelMultiple);
}

Histogram make_histogram(std::span<const std::int64_t> lengths, std::size_t max_bins) {
  invariant(max_bins > 0, "max_bins is positive");
  if (lengths.empty()) return {};
  const auto range = std::ranges::minmax(lengths);
  Histogram histogram;
  const auto num_bins = [&](std::int64_t width) {
    return static_cast<std::size_t>(range.max / width - range.min / width + 1);
  };
  while (num_bins(histogram.bin_width) > max_bins)
    histogram.bin_width = next_round_width(histogram.bin_width);
  histogram.lower = range.min / histogram.bin_width * histogram.bin_width;
  histogram.counts.resize(num_bins(histogram.bin_width));
  for (const std::int64_t length : lengths)
    ++histogram.counts[static_cast<std::size_t>((length - histogram.lower) / histogram.bin_width)];
  return histogram;
}

std::string flags_of(const LengthLimits& recommendation) {
  return fmt::format("--max-text-length {} --max-mel-frames {}",
                     recommendation.max_text_length,
                     recommendation.max_mel_frames);
}

CorpusStats make_stats(const Corpus& corpus, std::span<const Measurement> measured) {
  invariant(measured.size() == corpus.utterances.size(), "every utterance is measured");
  const auto text_lengths = lengths_of(measured, &Measurement::text_length);
  const auto mel_lengths = lengths_of(measured, &Measurement::mel_length);
  CorpusStats stats;
  stats.utterances = text_lengths.size();
  stats.speakers = speakers_of(corpus, measured);
  for (const SpeakerShare& speaker : stats.speakers)
    stats.hours += speaker.hours;
  stats.text_length = length_stats(text_lengths);
  stats.mel_length = length_stats(mel_lengths);
  stats.text_histogram = make_histogram(text_lengths);
  stats.mel_histogram = make_histogram(mel_lengths);
  for (const int percent : {95, 99})
    stats.recommendations.push_back(
        recommend(measured, stats.text_length, stats.mel_length, percent));
  stats.skipped = skipped_of(corpus, measured);
  return stats;
}

LengthLimits evaluate_limits(std::span<const Measurement> measured,
                             std::int64_t max_text_length,
                             std::int64_t max_mel_frames) {
  LengthLimits cost{.max_text_length = max_text_length, .max_mel_frames = max_mel_frames};
  std::size_t num_good = 0;
  double seconds = 0.0;
  double filtered_seconds = 0.0;
  for (const Measurement& one : measured) {
    if (one.problem) continue;
    ++num_good;
    seconds += one.seconds;
    if (one.text_length <= max_text_length && one.mel_length <= max_mel_frames) continue;
    ++cost.filtered_utterances;
    filtered_seconds += one.seconds;
  }
  if (num_good == 0) return cost;
  cost.utterance_share =
      static_cast<double>(cost.filtered_utterances) / static_cast<double>(num_good);
  cost.filtered_hours = filtered_seconds / kSecondsPerHour;
  cost.hour_share = seconds > 0.0 ? filtered_seconds / seconds : 0.0;
  return cost;
}

}  // namespace myxtts::corpus
