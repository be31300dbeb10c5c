#include "audio/trim.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "base/error.h"

namespace myxtts::audio {
namespace {

// Eight independent sums, to avoid one long dependency chain of additions.
double sum_of_squares(std::span<const float> samples) {
  std::array<double, 8> sums{};
  std::size_t i = 0;
  for (; i + sums.size() <= samples.size(); i += sums.size()) {
    for (std::size_t lane = 0; lane < sums.size(); ++lane)
      sums[lane] += double{samples[i + lane]} * samples[i + lane];
  }
  for (; i < samples.size(); ++i)
    sums[0] += double{samples[i]} * samples[i];
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

// Computes the mean square of each frame centred on a multiple of the hop, with silence beyond the
// ends. Frames overlap, so the squares are summed once, in blocks that divide the frames.
void frame_powers(std::span<const float> samples,
                  const TrimSettings& settings,
                  TrimScratch& scratch) {
  const std::int64_t half = settings.frame_length / 2;
  const std::int64_t block = std::gcd(half, std::gcd(settings.frame_length, settings.hop_length));
  const std::int64_t num_blocks = (std::ssize(samples) + block - 1) / block;
  scratch.block_sums.resize(static_cast<std::size_t>(num_blocks));
  for (std::size_t i = 0; i < scratch.block_sums.size(); ++i) {
    const std::size_t begin = i * static_cast<std::size_t>(block);
    const std::size_t size = std::min(static_cast<std::size_t>(block), samples.size() - begin);
    scratch.block_sums[i] = sum_of_squares(samples.subspan(begin, size));
  }
  scratch.powers.clear();
  for (std::int64_t centre = 0; centre <= std::ssize(samples); centre += settings.hop_length) {
    const std::int64_t begin = std::max<std::int64_t>(0, (centre - half) / block);
    const std::int64_t end = std::min(num_blocks, (centre - half + settings.frame_length) / block);
    double sum = 0.0;
    for (std::int64_t i = begin; i < end; ++i)
      sum += scratch.block_sums[static_cast<std::size_t>(i)];
    scratch.powers.push_back(sum / settings.frame_length);
  }
}

}  // namespace

SampleRange find_speech(std::span<const float> samples,
                        const TrimSettings& settings,
                        TrimScratch& scratch) {
  invariant(settings.frame_length > 0 && settings.hop_length > 0, "trim frames have a length");
  frame_powers(samples, settings, scratch);
  const std::vector<double>& powers = scratch.powers;
  const double loudest = *std::ranges::max_element(powers);
  if (loudest <= 0.0) return {0, samples.size()};

  const double threshold = loudest * std::pow(10.0, -settings.top_db / 10.0);
  auto is_active = [&](double power) { return power > threshold; };
  const auto first = std::find_if(powers.begin(), powers.end(), is_active);
  const auto last = std::find_if(powers.rbegin(), powers.rend(), is_active);

  const auto hop = static_cast<std::size_t>(settings.hop_length);
  const std::size_t begin = static_cast<std::size_t>(first - powers.begin()) * hop;
  const std::size_t end = static_cast<std::size_t>(powers.rend() - last) * hop;
  return {begin - std::min(begin, settings.margin),
          std::min(samples.size(), end + settings.margin)};
}

SampleRange find_speech(std::span<const float> samples, const TrimSettings& settings) {
  TrimScratch scratch;
  return find_speech(samples, settings, scratch);
}

}  // namespace myxtts::audio
