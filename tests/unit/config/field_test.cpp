#include "config/field.h"

#include <set>
#include <sstream>

#include <gtest/gtest.h>

namespace myxtts::config {
namespace {

TEST(Field, KeysAndFlagsAreUnique) {
  Config config;
  std::set<std::string> keys;
  std::set<std::string> flags;

  for (const Field& field : fields_of(config)) {
    EXPECT_TRUE(keys.insert(field.key()).second) << field.key();
    std::istringstream all(field.flags() + "," + field.off_flags());
    for (std::string flag; std::getline(all, flag, ',');) {
      EXPECT_TRUE(flags.insert(flag).second) << flag;
      EXPECT_TRUE(flag.starts_with("--")) << flag;
    }
  }
}

TEST(Field, FlagsOfTheOriginalKeepTheirNames) {
  Config config;
  std::set<std::string> flags;
  for (const Field& field : fields_of(config)) {
    std::istringstream all(field.flags() + "," + field.off_flags());
    for (std::string flag; std::getline(all, flag, ',');)
      flags.insert(flag);
  }

  for (const char* flag : {"--train-data",
                           "--checkpoint-dir",
                           "--epochs",
                           "--model-size",
                           "--optimization-level",
                           "--tensorboard-log-dir",
                           "--batch-size",
                           "--grad-accum",
                           "--num-workers",
                           "--lr",
                           "--prefetch-buffer-size",
                           "--prefetch-to-gpu",
                           "--no-prefetch-to-gpu",
                           "--data-gpu",
                           "--model-gpu",
                           "--buffer-size",
                           "--model-start-delay",
                           "--enable-static-shapes",
                           "--pad-to-fixed-length",
                           "--disable-static-shapes",
                           "--max-text-length",
                           "--max-mel-frames",
                           "--shape-buckets",
                           "--dynamic-shapes"}) {
    EXPECT_TRUE(flags.contains(flag)) << flag;
  }
}

TEST(Field, HelpIsOneLine) {
  Config config;
  for (const Field& field : fields_of(config)) {
    EXPECT_GT(field.help.size(), 5U) << field.key();
    EXPECT_LE(field.help.size(), 90U) << field.key();
    EXPECT_EQ(field.help.find('\n'), std::string::npos) << field.key();
  }
}

TEST(Field, PointsIntoItsConfig) {
  Config config;
  for (const Field& field : fields_of(config)) {
    if (field.key() == "data.batch_size") *std::get<int*>(field.value) = 99;
  }

  EXPECT_EQ(config.data.batch_size, 99);
}

TEST(Range, FormatsAndChecksItsLimits) {
  EXPECT_EQ(below_one().format(), "in [0, 1)");
  EXPECT_EQ(at_least(1).format(), "at least 1");
  EXPECT_EQ(above(0).format(), "above 0");
  EXPECT_TRUE(below_one().contains(0.0));
  EXPECT_FALSE(below_one().contains(1.0));
  EXPECT_FALSE(above(0).contains(0.0));
  EXPECT_TRUE(Range{}.is_unbounded());
}

}  // namespace
}  // namespace myxtts::config
