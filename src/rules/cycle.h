#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace myxtts::rules {

// Measures the variation of batch times and detects a period in it.
struct Variation {
  double mean_s = 0.0;        // outliers clamped
  double relative_std = 0.0;  // standard deviation / mean; outliers clamped, trend removed
  double median_s = 0.0;
  double longest_s = 0.0;  // outliers clamped
  double max_s = 0.0;      // including outliers
  double far_share = 0.0;  // of the times, those that differ from the median by 30 % or more
  std::optional<std::int64_t> period = {};  // in batches; absent: not periodic
};

// Detects a period of P batches as an autocorrelation peak at lag P that is high, stands out from
// smaller lags, and could repeat: P is at most a quarter of the number of times. A trend is not a
// period. Fewer than 12 times have no period.
Variation variation_of(std::span<const double> times_s);

}  // namespace myxtts::rules
