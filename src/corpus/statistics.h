// Statistics of a corpus: lengths, speakers and recommended limits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "corpus/measure.h"
#include "corpus/reader.h"
#include "corpus/utterance.h"

namespace myxtts::corpus {

// Returns the nearest-rank percentile: the smallest value that at least `percent` of all values do
// not exceed. `sorted` is ascending and not empty, 0 < percent <= 100.
std::int64_t percentile(std::span<const std::int64_t> sorted, double percent);

struct LengthStats {
  std::int64_t min = 0;
  std::int64_t max = 0;
  double mean = 0.0;
  std::int64_t percentile_50 = 0;
  std::int64_t percentile_90 = 0;
  std::int64_t percentile_95 = 0;
  std::int64_t percentile_99 = 0;
};

// Returns zeros if there are no lengths.
LengthStats length_stats(std::vector<std::int64_t> lengths);

// counts[i] lengths lie in [lower + i * bin_width, lower + (i + 1) * bin_width).
struct Histogram {
  std::int64_t lower = 0;
  std::int64_t bin_width = 1;
  std::vector<std::size_t> counts;  // empty if there are no lengths
};

// Returns at most `max_bins` bins. Their width is 1, 2 or 5 times a power of ten, the lower edge a
// multiple of it; the first and last bins are not empty.
Histogram make_histogram(std::span<const std::int64_t> lengths, std::size_t max_bins = 20);

// Round limits up to a multiple of 8 symbols or 32 frames, which suits the kernels and stays stable
// when a few utterances are added.
std::int64_t round_text_limit(std::int64_t symbols);
std::int64_t round_mel_limit(std::int64_t frames);

// Recommended length limits (rounded percentiles) and the speech that they filter.
struct LengthLimits {
  int percent = 99;
  std::int64_t max_text_length = 0;
  std::int64_t max_mel_frames = 0;
  std::size_t filtered_utterances = 0;  // longer than either limit
  double utterance_share = 0.0;         // filtered share of utterances, 0..1
  double filtered_hours = 0.0;
  double hour_share = 0.0;  // filtered share of hours, 0..1
};

// Returns "--max-text-length 120 --max-mel-frames 832".
std::string flags_of(const LengthLimits& recommendation);

struct SpeakerShare {
  std::string name;  // "" without a speaker in the metadata
  std::size_t utterances = 0;
  double hours = 0.0;
};

struct CorpusStats {
  std::size_t utterances = 0;          // usable utterances; all numbers refer to them
  double hours = 0.0;                  // duration before trimming
  std::vector<SpeakerShare> speakers;  // sorted by name
  LengthStats text_length;             // symbols
  LengthStats mel_length;              // frames, after trimming
  Histogram text_histogram;
  Histogram mel_histogram;
  std::vector<LengthLimits> recommendations;  // for p95 and p99, in this order
  std::vector<Problem> skipped;               // one problem per bad utterance

  const LengthLimits& recommended() const { return recommendations.back(); }
};

// Computes the statistics. Pure. `measured` has one entry per utterance of the corpus.
CorpusStats make_stats(const Corpus& corpus, std::span<const Measurement> measured);

// Returns the given limits with the speech that they filter.
LengthLimits evaluate_limits(std::span<const Measurement> measured,
                             std::int64_t max_text_length,
                             std::int64_t max_mel_frames);

}  // namespace myxtts::corpus
