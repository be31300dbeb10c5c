#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "corpus/measure.h"
#include "corpus/reader.h"
#include "corpus/utterance.h"

namespace xtts::corpus {

// The nearest-rank percentile: the smallest value that at least `percent` of all values do not
// exceed, so always one of the values. `sorted` ascending and not empty, 0 < percent <= 100.
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

// All zero for no lengths.
LengthStats length_stats(std::vector<std::int64_t> lengths);

// counts[i] lengths lie in [lower + i * bin_width, lower + (i + 1) * bin_width).
struct Histogram {
  std::int64_t lower = 0;
  std::int64_t bin_width = 1;
  std::vector<std::size_t> counts;  // empty for no lengths
};

// At most `max_bins` bins whose width and lower edge are round (1, 2 or 5 times a power of ten),
// the first and the last one not empty.
Histogram make_histogram(std::span<const std::int64_t> lengths, std::size_t max_bins = 20);

// Limits are rounded up, to a multiple of 8 symbols and of 32 frames: friendly to the kernels, and
// stable when a few utterances are added.
std::int64_t round_text_limit(std::int64_t symbols);
std::int64_t round_mel_limit(std::int64_t frames);

// Lengths to train with, and what they cost: percentiles, rounded up as limits are.
struct Recommendation {
  int percent = 99;
  std::int64_t max_text_length = 0;
  std::int64_t max_mel_frames = 0;
  std::size_t utterances_left_out = 0;  // longer than either of the two
  double utterance_share = 0.0;         // of all utterances, 0..1
  double hours_left_out = 0.0;
  double hour_share = 0.0;  // of all hours, 0..1
};

// "--max-text-length 120 --max-mel-frames 832".
std::string flags_of(const Recommendation& recommendation);

struct SpeakerShare {
  std::string name;  // "" for utterances whose metadata names no speaker
  std::size_t utterances = 0;
  double hours = 0.0;
};

struct CorpusStats {
  std::size_t utterances = 0;          // good ones; all numbers are of these
  double hours = 0.0;                  // of the recordings, before trimming
  std::vector<SpeakerShare> speakers;  // by name
  LengthStats text_length;             // symbols
  LengthStats mel_length;              // frames, after trimming
  Histogram text_histogram;
  Histogram mel_histogram;
  std::vector<Recommendation> recommendations;  // at 95 and at 99 percent, in this order
  std::vector<Problem> skipped;                 // bad utterances, named once each

  const Recommendation& recommended() const { return recommendations.back(); }
};

// Pure; `measured` has one entry per utterance of the corpus.
CorpusStats make_stats(const Corpus& corpus, std::span<const Measured> measured);

// What a limit of `max_text_length` symbols and `max_mel_frames` frames leaves out.
Recommendation cost_of_limits(std::span<const Measured> measured,
                              std::int64_t max_text_length,
                              std::int64_t max_mel_frames);

}  // namespace xtts::corpus
