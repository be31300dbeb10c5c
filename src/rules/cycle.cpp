// Uses the biased autocorrelation estimate: the sum of n - lag products divided by the sum of all
// squares. It decreases with the lag, so the peak at a period is higher than the peaks at its
// multiples. k equal spikes in a flat series have (k - 1) / k at their distance: two spikes have
// 1/2, which may be coincidence; three have 2/3, which counts as a period.
#include "rules/cycle.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace myxtts::rules {
namespace {

constexpr std::size_t kFewestTimes = 12;
constexpr double kLeastPeak = 0.6;
constexpr double kLeastRise = 0.2;        // of a peak over the lowest lag before it
constexpr std::size_t kOutliersPer = 50;  // times among which one may be an outlier
constexpr std::size_t kFewestOutliers = 2;
constexpr double kFar = 0.3;  // of the median

// Clamps the largest times (2 %, at least two) to the next smaller one. Otherwise the first step of
// a run or a suspended machine would hide every period.
std::vector<double> without_outliers(std::span<const double> times_s) {
  std::vector<double> sorted(times_s.begin(), times_s.end());
  std::ranges::sort(sorted);
  const std::size_t dropped = std::max(kFewestOutliers, sorted.size() / kOutliersPer);
  const double most = sorted[sorted.size() - 1 - std::min(dropped, sorted.size() - 1)];
  std::vector<double> kept(times_s.begin(), times_s.end());
  for (double& time : kept)
    time = std::min(time, most);
  return kept;
}

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// Returns the values without their mean and linear trend (least squares).
std::vector<double> residuals(std::span<const double> values) {
  const double mean = mean_of(values);
  const double middle = static_cast<double>(values.size() - 1) / 2.0;
  double covariance = 0.0;
  double sum_xx = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double x = static_cast<double>(i) - middle;
    covariance += x * (values[i] - mean);
    sum_xx += x * x;
  }
  const double slope = sum_xx > 0.0 ? covariance / sum_xx : 0.0;
  std::vector<double> left;
  for (std::size_t i = 0; i < values.size(); ++i)
    left.push_back(values[i] - mean - slope * (static_cast<double>(i) - middle));
  return left;
}

double correlation_at(std::span<const double> values, std::size_t lag) {
  double products = 0.0;
  double squares = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    squares += values[i] * values[i];
    if (i + lag < values.size()) products += values[i] * values[i + lag];
  }
  return squares > 0.0 ? products / squares : 0.0;
}

std::optional<std::int64_t> period_of(std::span<const double> values) {
  const std::size_t longest = values.size() / 4;
  std::vector<double> at = {1.0};
  for (std::size_t lag = 1; lag <= longest + 1; ++lag)
    at.push_back(correlation_at(values, lag));
  std::optional<std::size_t> best;
  double lowest = at[1];
  for (std::size_t lag = 2; lag <= longest; ++lag) {
    const bool is_peak = at[lag] > at[lag - 1] && at[lag] >= at[lag + 1];
    const bool is_high = at[lag] >= kLeastPeak && at[lag] - lowest >= kLeastRise;
    if (is_peak && is_high && (!best || at[lag] > at[*best])) best = lag;
    lowest = std::min(lowest, at[lag]);
  }
  if (!best) return std::nullopt;
  return static_cast<std::int64_t>(*best);
}

}  // namespace

Variation variation_of(std::span<const double> times_s) {
  if (times_s.empty()) return {};
  const std::vector<double> kept = without_outliers(times_s);
  std::vector<double> sorted = kept;
  std::ranges::sort(sorted);
  const std::vector<double> left = residuals(kept);
  const double squares = std::inner_product(left.begin(), left.end(), left.begin(), 0.0);
  Variation variation{.mean_s = mean_of(kept),
                      .median_s = sorted[sorted.size() / 2],
                      .longest_s = sorted.back(),
                      .max_s = *std::ranges::max_element(times_s)};
  if (variation.mean_s <= 0.0) return variation;
  const auto far = std::ranges::count_if(kept, [&variation](double time) {
    return std::abs(time - variation.median_s) >= kFar * variation.median_s;
  });
  variation.far_share = static_cast<double>(far) / static_cast<double>(kept.size());
  variation.relative_std = std::sqrt(squares / static_cast<double>(left.size())) / variation.mean_s;
  if (left.size() >= kFewestTimes) variation.period = period_of(left);
  return variation;
}

}  // namespace myxtts::rules
