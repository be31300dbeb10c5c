#include "model/flat_start.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include "base/interrupt.h"
#include "base/parallel.h"
#include "model/alignment.h"

namespace myxtts::model {
namespace {

constexpr int kIterations = 16;
constexpr int kPriorIterations = 8;    // iterations until the diagonal prior has faded to 0
constexpr float kPriorWeight = 20.0F;  // per channel, times the squared distance in 0..1

std::vector<std::int64_t> uniform_durations(std::int64_t num_symbols, std::int64_t num_frames) {
  std::vector<std::int64_t> durations(index_of(num_symbols));
  for (std::int64_t t = 0; t < num_symbols; ++t) {
    durations[index_of(t)] = (t + 1) * num_frames / num_symbols - t * num_frames / num_symbols;
  }
  return durations;
}

struct Example {
  std::span<const std::int64_t> text;  // [T]
  std::vector<float> mel;              // [M, C]
};

class FlatStart {
 public:
  FlatStart(const data::FeatureSet& features,
            const FlatStartSettings& settings,
            data::UnreadableUtterances& unreadable)
      : settings_(settings) {
    const std::size_t every =
        (features.utterances.size() + kMaxFlatStartUtterances - 1) / kMaxFlatStartUtterances;
    n_mels_ = features.n_mels;
    for (std::size_t i = 0; i < features.utterances.size(); i += every) {
      base::check_interrupt();
      const data::Features& one = features.utterances[i];
      std::optional<audio::Mel> mel = data::try_read_mel(features, i, unreadable);
      if (!mel) continue;
      examples_.push_back({.text = one.text, .mel = std::move(mel->values)});
      durations_.push_back(uniform_durations(one.lengths().text, one.lengths().mel));
    }
    average();
  }

  void iterate(float prior_weight) {
    base::parallel_for(examples_.size(), settings_.num_workers, [&](std::size_t i) {
      align_example(examples_[i], prior_weight, durations_[i]);
    });
    average();
  }

  std::vector<float> means() && { return std::move(means_); }

 private:
  void average();
  void align_example(const Example& example,
                     float prior_weight,
                     std::vector<std::int64_t>& durations) const;

  float normalised(float value) const { return (value - settings_.mel_mean) / settings_.mel_std; }

  const FlatStartSettings settings_;
  std::vector<Example> examples_;
  std::vector<std::vector<std::int64_t>> durations_;  // per example
  std::int64_t n_mels_ = 0;
  std::vector<float> means_;  // [S, C]
};

void FlatStart::average() {
  std::vector<double> sums(index_of(settings_.num_symbols * n_mels_), 0.0);
  std::vector<std::int64_t> counts(index_of(settings_.num_symbols), 0);
  for (std::size_t i = 0; i < examples_.size(); ++i) {
    const Example& example = examples_[i];
    const float* frame = example.mel.data();
    for (std::size_t t = 0; t < example.text.size(); ++t) {
      const std::int64_t symbol = example.text[t];
      counts[index_of(symbol)] += durations_[i][t];
      double* sum = sums.data() + symbol * n_mels_;
      for (std::int64_t m = 0; m < durations_[i][t]; ++m, frame += n_mels_)
        for (std::int64_t c = 0; c < n_mels_; ++c)
          sum[c] += double{frame[c]};
    }
  }
  means_.assign(sums.size(), 0.0F);
  for (std::int64_t symbol = 0; symbol < settings_.num_symbols; ++symbol) {
    const auto count = static_cast<double>(counts[index_of(symbol)]);
    if (count == 0.0) continue;
    for (std::int64_t c = 0; c < n_mels_; ++c) {
      const std::size_t at = index_of(symbol * n_mels_ + c);
      means_[at] = normalised(static_cast<float>(sums[at] / count));
    }
  }
}

// Scores are log N(frame; mean, 1) without the terms that are equal for all symbols.
void FlatStart::align_example(const Example& example,
                              float prior_weight,
                              std::vector<std::int64_t>& durations) const {
  const std::int64_t num_symbols = std::ssize(example.text);
  const std::int64_t num_frames = std::ssize(example.mel) / n_mels_;
  // Channel-major, so that the innermost loop over symbols reads contiguous memory.
  std::vector<float> channel_means(index_of(n_mels_ * num_symbols));
  std::vector<float> halves(index_of(num_symbols), 0.0F);
  for (std::int64_t t = 0; t < num_symbols; ++t) {
    const float* mean = means_.data() + example.text[index_of(t)] * n_mels_;
    for (std::int64_t c = 0; c < n_mels_; ++c) {
      channel_means[index_of(c * num_symbols + t)] = mean[c];
      halves[index_of(t)] -= 0.5F * mean[c] * mean[c];
    }
  }
  std::vector<float> scores(index_of(num_frames * num_symbols));
  const float weight = prior_weight * static_cast<float>(n_mels_);
  for (std::int64_t m = 0; m < num_frames; ++m) {
    float* row = scores.data() + m * num_symbols;
    std::copy(halves.begin(), halves.end(), row);
    for (std::int64_t c = 0; c < n_mels_; ++c) {
      const float value = normalised(example.mel[index_of(m * n_mels_ + c)]);
      const float* mean = channel_means.data() + c * num_symbols;
      for (std::int64_t t = 0; t < num_symbols; ++t)
        row[t] += value * mean[t];
    }
    const float position = (static_cast<float>(m) + 0.5F) / static_cast<float>(num_frames);
    for (std::int64_t t = 0; t < num_symbols; ++t) {
      const float distance =
          position - (static_cast<float>(t) + 0.5F) / static_cast<float>(num_symbols);
      row[t] -= weight * distance * distance;
    }
  }
  AlignmentScratch scratch;
  align(scores, num_symbols, num_frames, num_symbols, scratch, durations);
}

}  // namespace

std::vector<float> flat_start(const data::FeatureSet& features,
                              const FlatStartSettings& settings,
                              data::UnreadableUtterances& unreadable) {
  FlatStart start(features, settings, unreadable);
  for (int i = 0; i < kIterations; ++i)
    start.iterate(kPriorWeight * std::max(0.0F, 1.0F - static_cast<float>(i) / kPriorIterations));
  return std::move(start).means();
}

}  // namespace myxtts::model
