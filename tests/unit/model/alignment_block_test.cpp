#include "model/alignment_block.h"

#include <barrier>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "model/alignment.h"
#include "support/scale.h"

namespace myxtts::model {
namespace {

// Emulates a GPU block by CPU threads.
struct ThreadBlock {
  int index;
  int num_threads;
  std::barrier<>* barrier;

  int thread() const { return index; }
  int size() const { return num_threads; }
  void wait() const { barrier->arrive_and_wait(); }
};

struct BlockCase {
  int symbols = 0;  // T
  int frames = 0;   // M
  int num_symbols = 0;
  int num_frames = 0;
};

std::size_t size_of(int a, int b) {
  return static_cast<std::size_t>(a) * static_cast<std::size_t>(b);
}

std::vector<std::int64_t> search_by_block(const std::vector<float>& scores,
                                          const BlockCase& one,
                                          int threads) {
  std::vector<float> best(size_of(2, one.symbols + 1));
  std::vector<std::uint8_t> moved(size_of(one.frames, one.symbols), 2);
  std::vector<std::int64_t> durations(size_of(1, one.symbols), -1);
  const AlignmentRow row{.scores = scores.data(),
                         .best = best.data(),
                         .moved = moved.data(),
                         .durations = durations.data(),
                         .symbols = one.symbols,
                         .frames = one.frames,
                         .num_symbols = one.num_symbols,
                         .num_frames = one.num_frames};
  std::barrier<> barrier(threads);
  {
    std::vector<std::jthread> block;
    for (int i = 0; i < threads; ++i)
      block.emplace_back([&, i] { align_row(ThreadBlock{i, threads, &barrier}, row); });
  }
  return durations;
}

std::vector<std::int64_t> search_by_align(const std::vector<float>& scores, const BlockCase& one) {
  std::vector<std::int64_t> durations(size_of(1, one.symbols), 0);
  AlignmentScratch scratch;
  align(scores, one.num_symbols, one.num_frames, one.symbols, scratch, durations);
  return durations;
}

// Scores are multiples of `step`: coarse steps cause ties, fine steps cause rounding.
std::vector<float> random_scores(const BlockCase& one, float step, std::uint64_t seed) {
  base::Random random(seed);
  std::vector<float> scores(size_of(one.frames, one.symbols));
  for (float& score : scores)
    score = -step * static_cast<float>(random.below(1000));
  return scores;
}

TEST(AlignRow, EqualsAlignForAnyNumberOfThreads) {
  const std::vector<BlockCase> cases = {{7, 20, 7, 20},
                                        {7, 20, 4, 11},
                                        {5, 5, 5, 5},
                                        {9, 30, 1, 30},
                                        {1, 1, 1, 1},
                                        {33, 90, 33, 71},
                                        {40, 64, 17, 64}};
  for (int round = 0; round < 2 * support::test_scale(); ++round) {
    for (const BlockCase& one : cases) {
      for (const float step : {0.0F, 1.0F, 0.1F, 1e-5F}) {
        const auto seed = static_cast<std::uint64_t>(round);
        std::vector<float> scores = random_scores(one, step, seed);
        if (step == 1.0F)
          for (float& score : scores)
            score = score < -500.0F ? -1.0F : 0.0F;  // many ties
        const std::vector<std::int64_t> expected = search_by_align(scores, one);
        for (const int threads : {1, 3, 8}) {
          EXPECT_EQ(search_by_block(scores, one, threads), expected)
              << fmt::format("{} of {} symbols, {} of {} frames, step {}, {} threads, seed {}",
                             one.num_symbols,
                             one.symbols,
                             one.num_frames,
                             one.frames,
                             step,
                             threads,
                             seed);
        }
      }
    }
  }
}

TEST(AlignRow, EmptyRowsAndInvalidLengthsGetZeros) {
  const std::vector<BlockCase> cases = {
      {4, 9, 0, 0}, {4, 9, 0, 5}, {4, 9, 4, 3}, {4, 9, 5, 9}, {4, 9, 2, 10}};
  for (const BlockCase& one : cases) {
    const std::vector<float> scores = random_scores(one, 0.1F, 1);
    EXPECT_EQ(search_by_block(scores, one, 3), std::vector<std::int64_t>(4, 0))
        << one.num_symbols << " symbols over " << one.num_frames << " frames";
  }
}

}  // namespace
}  // namespace myxtts::model
