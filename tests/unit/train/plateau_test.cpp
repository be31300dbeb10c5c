#include "train/plateau.h"

#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace myxtts::train {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Returns a letter per validation: i improved, h halved, s stop, - nothing.
std::string decisions(PlateauState& state,
                      const std::vector<double>& losses,
                      const PlateauSettings& settings) {
  std::string letters;
  for (const double loss : losses) {
    const PlateauDecision decision = observe(state, loss, settings);
    letters += decision.improved ? 'i' : decision.halved ? 'h' : decision.stop ? 's' : '-';
  }
  return letters;
}

TEST(Plateau, AFallingLossOnlyImproves) {
  PlateauState state;

  EXPECT_EQ(decisions(state, {5, 4, 3, 2, 1}, {.stop_patience = 1, .halve_patience = 1}), "iiiii");
  EXPECT_EQ(state.best, 1.0);
  EXPECT_EQ(state.scale, 1.0);
}

TEST(Plateau, StopsWhenThePatienceIsExhausted) {
  PlateauState state;

  EXPECT_EQ(decisions(state, {3, 2, 2.5, 2.4, 2.3}, {.stop_patience = 3}), "ii--s");
  EXPECT_EQ(state.best, 2.0);
}

TEST(Plateau, AnImprovementResetsThePatience) {
  PlateauState state;

  EXPECT_EQ(decisions(state, {3, 4, 4, 2, 3, 3, 3}, {.stop_patience = 3}), "i--i--s");
}

TEST(Plateau, HalvesAgainAfterTheSameNumberOfValidations) {
  PlateauState state;

  EXPECT_EQ(decisions(state, {3, 3, 3, 3, 3, 2, 3, 3}, {.halve_patience = 2}), "i-h-hi-h");
  EXPECT_EQ(state.scale, 0.125);
}

TEST(Plateau, HalvesBeforeItStops) {
  PlateauState state;

  EXPECT_EQ(decisions(state, {3, 3, 3, 3, 3}, {.stop_patience = 4, .halve_patience = 2}), "i-h-s");
  EXPECT_EQ(state.scale, 0.5);
}

TEST(Plateau, DecreasesBelowMinDeltaAddUp) {
  PlateauState state;

  EXPECT_EQ(decisions(state, {1.0, 0.95, 0.91, 0.89}, {.min_delta = 0.1}), "i--i");
  EXPECT_EQ(state.best, 0.89);
}

TEST(Plateau, ALossThatIsNotFiniteIsNoImprovement) {
  PlateauState state;
  const double infinite = std::numeric_limits<double>::infinity();

  EXPECT_EQ(decisions(state, {kNan, 2, kNan, -infinite}, {.stop_patience = 2}), "-i-s");
  EXPECT_EQ(state.best, 2.0);
}

TEST(Plateau, NeverStopsWithoutPatience) {
  PlateauState state;

  EXPECT_EQ(decisions(state, {1, 2, 3, 4, 5, 6}, {}), "i-----");
  EXPECT_EQ(state.since_best, 5);
}

}  // namespace
}  // namespace myxtts::train
