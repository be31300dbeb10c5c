#include "model/aligner_torch.h"

#include <vector>

#include <gtest/gtest.h>

#include "base/error.h"
#include "model/alignment.h"
#include "unit/model/small_model_torch.h"

namespace myxtts::model {
namespace {

// Returns small integers, whose scores are exact in any order of summation.
torch::Tensor random_integers(const std::vector<std::int64_t>& shape, std::uint64_t seed) {
  return (random_tensor(shape, seed) * 4.0).round();
}

torch::Tensor lengths(const std::vector<std::int64_t>& values) {
  return torch::tensor(values, torch::kInt64);
}

// Aligns one row by reference_alignment().
std::vector<std::int64_t> reference_search(const torch::Tensor& means,
                                           const torch::Tensor& mel,
                                           std::int64_t num_symbols,
                                           std::int64_t num_frames) {
  std::vector<float> scores;
  for (std::int64_t m = 0; m < num_frames; ++m) {
    for (std::int64_t t = 0; t < num_symbols; ++t) {
      const torch::Tensor distance = mel[m] - means[t];
      // log N(mel; mean, 1) without the terms that are equal for all symbols.
      scores.push_back(-0.5F * distance.square().sum().item<float>() +
                       0.5F * mel[m].square().sum().item<float>());
    }
  }
  return reference_alignment(scores, num_symbols, num_frames, num_symbols);
}

TEST(SearchDurations, EqualsTheReferenceForAnyNumberOfThreads) {
  // A normal row, one symbol, as many symbols as frames, an empty row, a full row.
  const std::vector<std::int64_t> text = {4, 1, 6, 0, 7};
  const std::vector<std::int64_t> frames = {11, 9, 6, 0, 14};
  const torch::Tensor means = random_integers({5, 7, kChannels}, 1);
  const torch::Tensor mel = random_integers({5, 14, kChannels}, 2);
  torch::Tensor expected = torch::zeros({5, 7}, torch::kInt64);
  for (std::int64_t row = 0; row < 5; ++row) {
    const auto b = static_cast<std::size_t>(row);
    if (text[b] == 0) continue;
    expected[row]
        .narrow(0, 0, text[b])
        .copy_(lengths(reference_search(means[row], mel[row], text[b], frames[b])));
  }

  for (const int threads : {1, 2, 4}) {
    const ThreadsGuard guard(threads);
    const torch::Tensor found = search_durations(means, mel, lengths(text), lengths(frames), 0.0);
    EXPECT_TRUE(found.equal(expected)) << threads << " threads\n" << found << "\n" << expected;
  }
}

TEST(SearchDurations, MorePaddingKeepsTheDurations) {
  const torch::Tensor means = random_integers({2, 5, kChannels}, 3);
  const torch::Tensor mel = random_integers({2, 12, kChannels}, 4);
  const torch::Tensor wide_means = random_integers({2, 9, kChannels}, 5);
  const torch::Tensor long_mel = random_integers({2, 30, kChannels}, 6);
  wide_means.narrow(1, 0, 5).copy_(means);
  long_mel.narrow(1, 0, 12).copy_(mel);

  // Prior weights that are powers of two cause no rounding that could decide between paths.
  for (const double diagonal : {0.0, 8.0}) {
    const torch::Tensor found =
        search_durations(means, mel, lengths({5, 3}), lengths({12, 10}), diagonal);
    const torch::Tensor padded =
        search_durations(wide_means, long_mel, lengths({5, 3}), lengths({12, 10}), diagonal);
    EXPECT_TRUE(padded.narrow(1, 0, 5).equal(found)) << "diagonal " << diagonal;
    EXPECT_EQ(padded.narrow(1, 5, 4).abs().sum().item<std::int64_t>(), 0);
  }
}

TEST(SearchDurations, DiagonalPriorDecidesForEqualMeans) {
  const torch::Tensor means = torch::zeros({1, 4, kChannels});
  const torch::Tensor mel = random_tensor({1, 20, kChannels}, 7);

  const torch::Tensor found = search_durations(means, mel, lengths({4}), lengths({20}), 1.0);

  EXPECT_TRUE(found.equal(torch::full({1, 4}, 5, torch::kInt64))) << found;
}

// A captured graph reads the weight from the device in each replay.
TEST(SearchDurations, ReadsTheDiagonalWeightFromATensor) {
  const torch::Tensor means = random_tensor({2, 5, kChannels}, 8);
  const torch::Tensor mel = random_tensor({2, 24, kChannels}, 9);
  const torch::Tensor weight = torch::zeros({});
  std::vector<torch::Tensor> found;
  for (const double number : {0.0, 4.0, 256.0}) {
    weight.fill_(number);
    found.push_back(
        search_durations(means, mel, lengths({5, 4}), lengths({24, 20}), DiagonalPrior(weight)));
    EXPECT_TRUE(found.back().equal(
        search_durations(means, mel, lengths({5, 4}), lengths({24, 20}), number)))
        << number;
  }
  EXPECT_FALSE(found[0].equal(found[2]));
}

TEST(SearchDurations, RejectsMoreSymbolsThanFrames) {
  const torch::Tensor means = torch::zeros({3, 6, kChannels});
  const torch::Tensor mel = torch::zeros({3, 8, kChannels});

  for (const int threads : {1, 2}) {
    const ThreadsGuard guard(threads);
    EXPECT_THROW(search_durations(means, mel, lengths({3, 6, 2}), lengths({8, 5, 8}), 0.0),
                 BugError);
  }
}

}  // namespace
}  // namespace myxtts::model
