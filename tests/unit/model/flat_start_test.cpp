#include "model/flat_start.h"

#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "data/features.h"
#include "unit/data/fault_injecting_mels.h"

namespace myxtts::model {
namespace {

constexpr int kMels = 12;
constexpr std::int64_t kSymbols = 10;  // 0 and the last do not occur
constexpr float kMelMean = -5.0F;
constexpr float kMelStd = 2.0F;

// A synthetic language: every symbol has one spectrum and lasts 2 to 14 frames, with some noise.
class Language {
 public:
  explicit Language(std::uint64_t seed) : random_(seed) {
    for (std::int64_t i = 0; i < kSymbols * kMels; ++i)
      spectra_.push_back(noise(1.7F));
  }

  // Adds an utterance to `set` and its mel to `mels`.
  void add_utterance(data::FeatureSet& set, std::vector<std::vector<float>>& mels) {
    data::Features features;
    std::vector<float> mel;
    const std::uint64_t num_symbols = 8 + random_.below(12);
    for (std::uint64_t t = 0; t < num_symbols; ++t) {
      const auto symbol = static_cast<std::int64_t>(1 + random_.below(kSymbols - 2));
      features.text.push_back(symbol);
      const std::uint64_t duration = 2 + random_.below(13);
      for (std::uint64_t m = 0; m < duration; ++m) {
        for (int c = 0; c < kMels; ++c) {
          const float value = spectrum(symbol, c) + noise(0.5F);
          mel.push_back(value * kMelStd + kMelMean);
        }
      }
    }
    set.utterances.push_back(std::move(features));
    mels.push_back(std::move(mel));
  }

  data::FeatureSet corpus(std::size_t count) {
    data::FeatureSet set;
    std::vector<std::vector<float>> mels;
    for (std::size_t i = 0; i < count; ++i)
      add_utterance(set, mels);
    data::set_memory_mels(set, kMels, std::move(mels));
    return set;
  }

  // Returns the largest distance between a mean and the spectrum of its symbol.
  float largest_error(const std::vector<float>& means) const {
    float largest = 0.0F;
    for (std::int64_t symbol = 1; symbol < kSymbols - 1; ++symbol) {
      float error = 0.0F;
      for (int c = 0; c < kMels; ++c) {
        const float mean = means[static_cast<std::size_t>(symbol * kMels + c)];
        error += std::abs(mean - spectrum(symbol, c)) / kMels;
      }
      largest = std::max(largest, error);
    }
    return largest;
  }

 private:
  float noise(float amplitude) {
    return amplitude * static_cast<float>(2.0 * random_.unit() - 1.0);
  }
  float spectrum(std::int64_t symbol, int channel) const {
    return spectra_[static_cast<std::size_t>(symbol * kMels + channel)];
  }

  base::Random random_;
  std::vector<float> spectra_;  // [S, C] normalised
};

FlatStartSettings settings(int num_workers = 0) {
  return {.num_symbols = kSymbols,
          .mel_mean = kMelMean,
          .mel_std = kMelStd,
          .num_workers = num_workers};
}

std::vector<float> means_of(const data::FeatureSet& corpus, int num_workers = 0) {
  data::UnreadableUtterances unreadable(corpus.utterances.size());
  return flat_start(corpus, settings(num_workers), unreadable);
}

TEST(FlatStart, FindsTheMeanFramesOfTheSymbols) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    Language language(seed);
    const data::FeatureSet corpus = language.corpus(60);
    EXPECT_LT(language.largest_error(means_of(corpus)), 0.1F) << "seed " << seed;
  }
}

TEST(FlatStart, IsZeroForSymbolsThatDoNotOccur) {
  Language language(4);
  const std::vector<float> means = means_of(language.corpus(10));
  ASSERT_EQ(means.size(), static_cast<std::size_t>(kSymbols * kMels));
  for (int c = 0; c < kMels; ++c) {
    EXPECT_EQ(means[static_cast<std::size_t>(c)], 0.0F);
    EXPECT_EQ(means[static_cast<std::size_t>((kSymbols - 1) * kMels + c)], 0.0F);
  }
}

TEST(FlatStart, DoesNotDependOnTheNumberOfWorkers) {
  Language language(5);
  const data::FeatureSet corpus = language.corpus(20);
  const std::vector<float> inline_means = means_of(corpus, 0);
  EXPECT_EQ(means_of(corpus, 1), inline_means);
  EXPECT_EQ(means_of(corpus, 4), inline_means);
}

TEST(FlatStart, ReadsPartOfALargeCorpus) {
  Language language(6);
  const data::FeatureSet corpus = language.corpus(kMaxFlatStartUtterances + 200);
  data::FeatureSet every_second;
  std::vector<std::vector<float>> mels;
  for (std::size_t i = 0; i < corpus.utterances.size(); i += 2) {
    every_second.utterances.push_back(corpus.utterances[i]);
    mels.push_back(corpus.mel(i).values);
  }
  data::set_memory_mels(every_second, kMels, std::move(mels));
  EXPECT_EQ(means_of(corpus, 2), means_of(every_second, 2));
}

TEST(FlatStart, SkipsUnreadableUtterances) {
  Language language(7);
  data::FeatureSet corpus = language.corpus(30);
  data::FeatureSet others = corpus;
  others.utterances.erase(others.utterances.begin() + 4);
  std::vector<std::vector<float>> mels;
  for (std::size_t i = 0; i < corpus.utterances.size(); ++i)
    if (i != 4) mels.push_back(corpus.mel(i).values);
  data::set_memory_mels(others, kMels, std::move(mels));
  const auto faulty = std::make_shared<data::FaultInjectingMels>(corpus.mels);
  faulty->unreadable = {4};
  corpus.mels = faulty;
  data::UnreadableUtterances unreadable(corpus.utterances.size());

  EXPECT_EQ(flat_start(corpus, settings(), unreadable), means_of(others));

  EXPECT_TRUE(unreadable.contains(4));
  EXPECT_EQ(unreadable.count(), 1U);
}

TEST(FlatStart, WorksWithOneFramePerSymbol) {
  data::FeatureSet corpus;
  data::Features features;
  features.text = {1, 2, 3};
  corpus.utterances.push_back(features);
  data::set_memory_mels(corpus, 1, {{-5.0F, -3.0F, -9.0F}});
  const std::vector<float> expected = {0.0F, 0.0F, 1.0F, -2.0F, 0.0F, 0.0F, 0.0F, 0.0F, 0.0F, 0.0F};
  EXPECT_EQ(means_of(corpus), expected);
}

}  // namespace
}  // namespace myxtts::model
