#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace xtts::rules {

// How much the times of batches differ, and whether they do so in a rhythm.
struct Variation {
  double mean_s = 0.0;
  double deviation = 0.0;  // standard deviation over the mean; single outliers are left out
  double usual_s = 0.0;    // the median
  double longest_s = 0.0;  // without the outliers
  double most_s = 0.0;     // the longest of all
  double odd_share = 0.0;  // of the times, those that are 30 % or more away from the usual
  std::optional<std::int64_t> period = {};  // batches from one long one to the next; absent: none
};

// By autocorrelation: a rhythm of P batches is a peak at the lag P that is high, stands out from
// the lags before it, and had time to repeat: P is at most a quarter of the times. A trend is no
// rhythm. Fewer than 12 times have none.
Variation variation_of(std::span<const double> times_s);

}  // namespace xtts::rules
