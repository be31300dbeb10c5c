#include "train/loss_curves.h"

#include <cmath>

#include <gtest/gtest.h>

#include "support/temp_dir.h"
#include "train/metrics_log.h"

namespace myxtts::train {
namespace {

TEST(ThinnedCurve, KeepsFewValuesUnchanged) {
  ThinnedCurve curve(4);
  for (int i = 1; i <= 4; ++i)
    curve.add(i, 10.0 * i);

  EXPECT_EQ(curve.points(), (Curve{{1, 10}, {2, 20}, {3, 30}, {4, 40}}));
}

TEST(ThinnedCurve, AveragesNeighboursOfManyValues) {
  ThinnedCurve curve(4);
  for (int i = 1; i <= 7; ++i)
    curve.add(i, 10.0 * i);

  EXPECT_EQ(curve.points(), (Curve{{1.5, 15}, {3.5, 35}, {5.5, 55}, {7, 70}}));
}

TEST(ThinnedCurve, NeverExceedsItsPointLimit) {
  for (const std::size_t limit : {2U, 3U, 5U, 160U}) {
    ThinnedCurve curve(limit);
    for (int i = 1; i <= 10000; ++i) {
      curve.add(i, 2.0);
      ASSERT_LE(curve.points().size(), limit);
    }
    const Curve points = curve.points();
    EXPECT_GE(points.size(), limit / 2);
    for (std::size_t i = 0; i < points.size(); ++i) {
      EXPECT_DOUBLE_EQ(points[i].second, 2.0);
      if (i > 0) {
        EXPECT_GT(points[i].first, points[i - 1].first);
      }
    }
  }
}

TEST(ThinnedCurve, IgnoresValuesThatAreNotFinite) {
  ThinnedCurve curve(4);
  curve.add(1, std::nan(""));
  curve.add(2, HUGE_VAL);
  curve.add(3, 1.0);

  EXPECT_EQ(curve.points(), (Curve{{3, 1.0}}));
}

TEST(LossCurves, AreReadFromTheMetricsWithTheTotalFirst) {
  const support::TempDir dir;
  {
    MetricsLog log(dir.path() / "metrics.jsonl", 0, 0);
    for (std::int64_t step = 1; step <= 3; ++step) {
      log.write({.step = step,
                 .loss = 4.0 - static_cast<double>(step),
                 .parts = {{"mel", 0.5}, {"duration", 0.25}},
                 .grad_norm = 9.0,
                 .lr = 1e-3});
    }
    log.write_validation(3, 2.5, {{"mel", 0.75}});
  }

  const std::vector<LossCurve> curves = read_loss_curves(dir.path() / "metrics.jsonl", 100);

  ASSERT_EQ(curves.size(), 3U);
  EXPECT_EQ(curves[0].name, "total");
  EXPECT_EQ(curves[0].training, (Curve{{1, 3}, {2, 2}, {3, 1}}));
  EXPECT_EQ(curves[0].validation, (Curve{{3, 2.5}}));
  EXPECT_EQ(curves[1].name, "mel");
  EXPECT_EQ(curves[1].training.size(), 3U);
  EXPECT_EQ(curves[1].validation, (Curve{{3, 0.75}}));
  EXPECT_EQ(curves[2].name, "duration");
  EXPECT_EQ(curves[2].training.size(), 3U);
  EXPECT_TRUE(curves[2].validation.empty());
}

TEST(LossCurves, IgnoreOtherLinesAndRejectedSteps) {
  const support::TempDir dir;
  const auto file = dir.write("metrics.jsonl",
                              "{\"step\":1,\"loss\":2.0}\n"
                              "no json\n[1,2]\n{\"loss\":7.0}\n"
                              "{\"step\":\"2\",\"loss\":7.0}\n"
                              "{\"step\":2,\"loss\":null}\n"
                              "{\"step\":3,\"lo");

  const std::vector<LossCurve> curves = read_loss_curves(file, 100);

  ASSERT_EQ(curves.size(), 1U);
  EXPECT_EQ(curves[0].training, (Curve{{1, 2.0}}));
  EXPECT_TRUE(read_loss_curves(dir.path() / "absent", 100).empty());
}

}  // namespace
}  // namespace myxtts::train
