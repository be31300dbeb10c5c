#include "corpus/held_out.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace myxtts::corpus {
namespace {

std::vector<Utterance> numbered(int count) {
  std::vector<Utterance> utterances(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    utterances[static_cast<std::size_t>(i)].id = "LJ001-" + std::to_string(i);
  }
  return utterances;
}

TEST(HeldOut, ShareIsAboutTheRequestedOne) {
  const std::vector<Utterance> utterances = numbered(10000);

  EXPECT_EQ(count_held_out(utterances, 0.0), 0U);
  EXPECT_NEAR(static_cast<double>(count_held_out(utterances, 0.1)), 1000.0, 100.0);
  EXPECT_NEAR(static_cast<double>(count_held_out(utterances, 0.5)), 5000.0, 200.0);
}

TEST(HeldOut, LargerShareIncludesTheSmallerOne) {
  for (const Utterance& one : numbered(1000)) {
    if (is_held_out(one.id, 0.1)) {
      EXPECT_TRUE(is_held_out(one.id, 0.2)) << one.id;
    }
  }
}

TEST(HeldOut, CountsOnlyUsableUtterances) {
  const std::vector<Utterance> utterances = numbered(60);
  std::vector<Measurement> measured(60);
  EXPECT_EQ(count_held_out(utterances, measured, 0.1), count_held_out(utterances, 0.1));

  for (std::size_t i = 0; i < utterances.size(); ++i) {
    if (utterances[i].id == "LJ001-4" || utterances[i].id == "LJ001-5") {
      measured[i].problem = Problem{};
    }
  }

  EXPECT_EQ(count_held_out(utterances, measured, 0.1), count_held_out(utterances, 0.1) - 1);
}

// Resumed runs need the same split, so these values must never change.
TEST(HeldOut, SplitNeverChanges) {
  std::string ids;
  for (const Utterance& one : numbered(60)) {
    if (is_held_out(one.id, 0.1)) ids += one.id + " ";
  }
  EXPECT_EQ(ids,
            "LJ001-4 LJ001-22 LJ001-23 LJ001-30 LJ001-31 LJ001-44 LJ001-48 LJ001-55 LJ001-58 ");
}

}  // namespace
}  // namespace myxtts::corpus
