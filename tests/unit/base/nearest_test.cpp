#include "base/nearest.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"

namespace myxtts::base {
namespace {

const std::vector<std::string> kFlags = {"--batch-size",
                                         "--buffer-size",
                                         "--num-workers",
                                         "--max-text-length",
                                         "--max-mel-frames",
                                         "--train-data",
                                         "--val-data"};

TEST(EditDistance, CountsTheFourKindsOfEdit) {
  EXPECT_EQ(edit_distance("mel", "mel"), 0);
  EXPECT_EQ(edit_distance("mel", "mels"), 1);
  EXPECT_EQ(edit_distance("mel", "ml"), 1);
  EXPECT_EQ(edit_distance("mel", "mil"), 1);
  EXPECT_EQ(edit_distance("mel", "eml"), 1);
  EXPECT_EQ(edit_distance("", "mel"), 3);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
}

TEST(Nearest, FindsTheIntendedFlagForOneEditTypos) {
  Random random(7);
  int found = 0;
  constexpr int kTrials = 500;
  for (int trial = 0; trial < kTrials; ++trial) {
    const std::string& meant = kFlags[random.below(kFlags.size())];
    std::string typed = meant;
    const std::size_t at = 2 + random.below(typed.size() - 3);
    switch (random.below(4)) {
      case 0:
        typed.erase(at, 1);
        break;
      case 1:
        typed.insert(at, 1, static_cast<char>('a' + random.below(26)));
        break;
      case 2:
        typed[at] = static_cast<char>('a' + random.below(26));
        break;
      default:
        std::swap(typed[at], typed[at + 1]);
    }
    if (nearest(typed, kFlags) == meant) ++found;
  }

  EXPECT_GE(found, kTrials * 95 / 100);
}

TEST(Nearest, GivesNothingIfNoCandidateIsNear) {
  EXPECT_EQ(nearest("--colour", kFlags), std::nullopt);
  EXPECT_EQ(did_you_mean("--colour", kFlags), "");
  EXPECT_EQ(did_you_mean("--batchsize", kFlags), "; did you mean '--batch-size'?");
}

}  // namespace
}  // namespace myxtts::base
