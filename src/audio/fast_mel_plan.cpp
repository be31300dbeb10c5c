#include "audio/fast_mel_plan.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>

#include "audio/mel_filterbank.h"
#include "audio/stft.h"
#include "base/error.h"

namespace myxtts::audio {
namespace {

Twiddle twiddle_factor(std::size_t power, std::size_t size) {
  const double angle =
      -2.0 * std::numbers::pi * static_cast<double>(power % size) / static_cast<double>(size);
  return {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))};
}

RadixFourPass make_pass(std::size_t block) {
  RadixFourPass pass{block, std::vector<ButterflyTwiddles>(block / 4)};
  for (std::size_t n = 0; n < pass.twiddles.size(); ++n) {
    for (std::size_t j = 1; j < 4; ++j)
      pass.twiddles[n].twiddle[j - 1] = twiddle_factor(j * n, block);
  }
  return pass;
}

// Output index of a frequency in digit-reversed order: each pass moves the frequencies with
// remainder j modulo its radix into its j-th part.
std::size_t place_of(std::size_t frequency, std::size_t size) {
  std::size_t place = 0;
  while (size > 1) {
    const std::size_t radix = std::min<std::size_t>(size, 4);
    size /= radix;
    place += frequency % radix * size;
    frequency /= radix;
  }
  return place;
}

TransformLevel make_level(std::size_t size, std::size_t n_fft) {
  const std::size_t count = size / 4;
  invariant(count >= 4, "a level has a first pass");
  TransformLevel level;
  level.size = size;
  for (std::size_t n = 0; n < count; ++n)
    level.twiddles.push_back(twiddle_factor(n, size));

  level.passes.push_back(make_pass(count));
  level.last_block = count / 4;
  while (level.last_block > 4) {
    level.passes.push_back(make_pass(level.last_block));
    level.last_block /= 4;
  }

  invariant(level.last_block > 0, "a level has a last pass");
  const std::size_t num_butterflies = count / level.last_block;
  for (std::size_t k = 0; k < num_butterflies; ++k) {
    LastButterfly butterfly{static_cast<std::int32_t>(place_of(k, count)), {-1, -1, -1, -1}};
    for (std::size_t j = 0; j < level.last_block; ++j) {
      const std::size_t bin = 4 * (k + j * num_butterflies) + 1;
      butterfly.bins[j] = static_cast<std::int32_t>(std::min(bin, size - bin) * (n_fft / size));
    }
    level.last.push_back(butterfly);
  }
  return level;
}

void add_filters(FastMelPlan& plan, const MelFilterbank& filterbank) {
  const auto bands = filterbank.bands();
  plan.first_bin = bands.front().first_bin;
  for (const MelFilterbank::Band& band : bands)
    plan.end_bin = std::max(plan.end_bin, band.first_bin + band.weights.size());

  plan.weights.resize(plan.end_bin - plan.first_bin);
  std::vector<std::size_t> upper_filter(plan.weights.size(), 0);
  for (std::size_t m = 0; m < bands.size(); ++m) {
    for (std::size_t i = 0; i < bands[m].weights.size(); ++i) {
      const std::size_t bin = bands[m].first_bin - plan.first_bin + i;
      BinWeights& weights = plan.weights[bin];
      invariant(weights.here == 0.0F || upper_filter[bin] + 1 == m, "only neighbours overlap");
      weights = {weights.here, static_cast<float>(bands[m].weights[i])};
      upper_filter[bin] = m;
    }
  }
  plan.bins_of_filter.assign(bands.size(), 0);
  for (const std::size_t m : upper_filter)
    ++plan.bins_of_filter[m];
  invariant(std::ranges::is_sorted(upper_filter), "filters go from low to high");
}

// Marks the bins that no filter uses, so that their magnitudes are not computed.
void skip_unused_bins(FastMelPlan& plan) {
  for (TransformLevel& level : plan.levels) {
    for (LastButterfly& butterfly : level.last) {
      for (std::int32_t& bin : butterfly.bins) {
        const bool used = bin >= static_cast<std::int32_t>(plan.first_bin) &&
                          bin < static_cast<std::int32_t>(plan.end_bin);
        if (!used) bin = -1;
      }
    }
  }
}

std::size_t rounded_up(std::size_t value, std::size_t step) {
  return (value + step - 1) / step * step;
}

std::size_t table_of(std::size_t lanes) {
  return static_cast<std::size_t>(std::bit_width(lanes)) - 1;
}

}  // namespace

std::size_t FastMelPlan::num_rows(std::size_t lanes) const {
  return rounded_up(lanes + rows_per_frame - 1, lanes);
}

const std::vector<std::int32_t>& FastMelPlan::offsets(std::size_t lanes) const {
  return offsets_[table_of(lanes)];
}

std::size_t FastMelPlan::working_floats(std::size_t lanes) const {
  return padded_columns * num_rows(lanes) +
         lanes * (n_fft / 2 + n_fft / 2 + (n_fft / 2 + 1) + padded_channels);
}

FastMelPlan::FastMelPlan(const MelSpec& spec)
    : n_fft(static_cast<std::size_t>(spec.n_fft)),
      hop(static_cast<std::size_t>(spec.hop_length)),
      num_columns(std::min(hop, n_fft)),
      rows_per_frame((n_fft + hop - 1) / hop),
      padded_columns(rounded_up(num_columns, 4)) {
  for (std::size_t lanes = 1; lanes <= 16; lanes *= 2) {
    for (std::size_t n = 0; n < n_fft; ++n) {
      offsets_[table_of(lanes)].push_back(
          static_cast<std::int32_t>(n % hop * num_rows(lanes) + n / hop));
    }
  }
  for (const double value : centred_window(spec.n_fft, spec.win_length))
    window.push_back(static_cast<float>(value));
  for (std::size_t size = n_fft; size > kSmallestTransform; size /= 2)
    levels.push_back(make_level(size, n_fft));

  add_filters(*this, MelFilterbank(spec));
  skip_unused_bins(*this);
  padded_channels = rounded_up(bins_of_filter.size(), 4);

  // The kernel's logarithm is only valid for normal numbers.
  floor = static_cast<float>(std::clamp<double>(
      spec.mel_floor, std::numeric_limits<float>::min(), std::numeric_limits<float>::max()));
  log_floor = static_cast<float>(std::log(spec.mel_floor));
}

}  // namespace myxtts::audio
