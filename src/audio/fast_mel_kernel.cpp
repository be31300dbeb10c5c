// Every value of the computation is a vector that holds the same value of one frame per lane. Only
// the input (rows of samples, transposed into columns) and the output need shuffles, lanes are
// independent, and every frame is rounded in the same way.

#include "audio/fast_mel_kernel.h"

#include <cstdint>

// Processors with SSSE3 also have SSE4; vectors whose length is known only at run time cannot be
// split into blocks of four.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#define HWY_TARGET_INCLUDE "audio/fast_mel_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "audio/fast_mel_transform.h"

HWY_BEFORE_NAMESPACE();
namespace myxtts::audio::HWY_NAMESPACE {
namespace {

#if HWY_TARGET == HWY_SCALAR

// columns  [padded_columns, num_rows]
void rows_to_columns(const FastMelPlan& plan,
                     const float* rows,
                     std::size_t stride,
                     float* columns) {
  const std::size_t num_rows = plan.num_rows(kLanes);
  for (std::size_t row = 0; row < num_rows; ++row) {
    for (std::size_t column = 0; column < plan.num_columns; ++column)
      columns[column * num_rows + row] = rows[row * stride + column];
  }
}

// Stores four channels of all frames; frames are `stride` apart.
void store_channels(Vector (&v)[4], float* mel, std::size_t) {
  for (std::size_t i = 0; i < 4; ++i)
    store(v[i], mel + i);
}

#else

constexpr std::size_t kBlock = 4;  // lanes of a 128-bit block; shuffles within it are cheap

// Transposes four vectors block by block (4 x 4).
HWY_INLINE void transpose_blocks(Vector (&v)[4]) {
  const Vector low_even = hn::InterleaveLower(kTag, v[0], v[2]);
  const Vector low_odd = hn::InterleaveLower(kTag, v[1], v[3]);
  const Vector high_even = hn::InterleaveUpper(kTag, v[0], v[2]);
  const Vector high_odd = hn::InterleaveUpper(kTag, v[1], v[3]);
  v[0] = hn::InterleaveLower(kTag, low_even, low_odd);
  v[1] = hn::InterleaveUpper(kTag, low_even, low_odd);
  v[2] = hn::InterleaveLower(kTag, high_even, high_odd);
  v[3] = hn::InterleaveUpper(kTag, high_even, high_odd);
}

// Loads four numbers from every fourth row, one row per block.
template <typename Tag>
HWY_INLINE hn::Vec<Tag> load_blocks(Tag tag, const float* rows, std::size_t stride) {
  if constexpr (hn::MaxLanes(Tag()) == kBlock) {
    return hn::LoadU(tag, rows);
  } else {
    const hn::Half<Tag> half;
    return hn::Combine(tag,
                       load_blocks(half, rows + hn::MaxLanes(half) * stride, stride),
                       load_blocks(half, rows, stride));
  }
}

template <typename Tag>
HWY_INLINE void store_blocks(Tag tag, hn::Vec<Tag> value, float* rows, std::size_t stride) {
  if constexpr (hn::MaxLanes(Tag()) == kBlock) {
    hn::StoreU(value, tag, rows);
  } else {
    const hn::Half<Tag> half;
    store_blocks(half, hn::LowerHalf(half, value), rows, stride);
    store_blocks(half, hn::UpperHalf(half, value), rows + hn::MaxLanes(half) * stride, stride);
  }
}

// columns  [padded_columns, num_rows]
void rows_to_columns(const FastMelPlan& plan,
                     const float* rows,
                     std::size_t stride,
                     float* columns) {
  const std::size_t num_rows = plan.num_rows(kLanes);
  for (std::size_t row = 0; row < num_rows; row += kLanes) {
    for (std::size_t column = 0; column < plan.padded_columns; column += kBlock) {
      const float* from = rows + row * stride + column;
      Vector v[4] = {load_blocks(kTag, from, stride),
                     load_blocks(kTag, from + stride, stride),
                     load_blocks(kTag, from + 2 * stride, stride),
                     load_blocks(kTag, from + 3 * stride, stride)};
      transpose_blocks(v);
      for (std::size_t i = 0; i < 4; ++i)
        store(v[i], columns + (column + i) * num_rows + row);
    }
  }
}

// Stores four channels of all frames; frames are `stride` apart.
HWY_INLINE void store_channels(Vector (&v)[4], float* mel, std::size_t stride) {
  transpose_blocks(v);
  for (std::size_t i = 0; i < 4; ++i)
    store_blocks(kTag, v[i], mel + i * stride, stride);
}

#endif

// Natural logarithm of normal numbers to about one ulp, after Cephes' logf.
HWY_INLINE Vector logarithm(Vector x) {
  const hn::RebindToSigned<Lanes> integers;
  constexpr std::int32_t kRootHalf = 0x3F3504F3;  // the bits of 0.70710677F
  const auto bits = hn::BitCast(integers, x);
  const auto exponent = hn::ShiftRight<23>(hn::Sub(bits, hn::Set(integers, kRootHalf)));
  const Vector mantissa = hn::BitCast(kTag, hn::Sub(bits, hn::ShiftLeft<23>(exponent)));
  const Vector f = hn::Sub(mantissa, all(1.0F));  // -0.29 to 0.41
  const Vector e = hn::ConvertTo(kTag, exponent);

  // Estrin's scheme: Horner's would be one long dependency chain, beyond the processor's reorder
  // window.
  const Vector square = hn::Mul(f, f);
  const Vector first = hn::MulAdd(all(-2.4999993993e-1F), f, all(3.3333331174e-1F));
  const Vector second = hn::MulAdd(all(-1.6668057665e-1F), f, all(2.0000714765e-1F));
  const Vector third = hn::MulAdd(all(-1.2420140846e-1F), f, all(1.4249322787e-1F));
  Vector fourth = hn::MulAdd(all(-1.1514610310e-1F), f, all(1.1676998740e-1F));
  fourth = hn::MulAdd(all(7.0376836292e-2F), square, fourth);
  const Vector low = hn::MulAdd(second, square, first);
  const Vector high = hn::MulAdd(fourth, square, third);
  const Vector sum = hn::MulAdd(high, hn::Mul(square, square), low);
  // ln 2 in two parts; the first has few bits, so that its product is exact.
  Vector rest = hn::MulAdd(e, all(-2.12194440e-4F), hn::Mul(hn::Mul(sum, f), square));
  rest = hn::NegMulAdd(all(0.5F), square, rest);
  return hn::MulAdd(e, all(0.693359375F), hn::Add(f, rest));
}

// mel  [kLanes, padded_channels]
void mel_of_magnitudes(const FastMelPlan& plan, const float* magnitudes, float* mel) {
  const Vector floor = all(plan.floor);
  const Vector log_floor = all(plan.log_floor);
  const BinWeights* weights = plan.weights.data();
  const float* magnitude = magnitudes + plan.first_bin * kLanes;
  const std::int32_t* num_bins = plan.bins_of_filter.data();
  const std::size_t num_channels = plan.bins_of_filter.size();

  // The sum of a filter is complete after the bins of the next filter.
  Vector below = hn::Zero(kTag);
  const auto next_channel = [&](std::size_t upper) HWY_ATTR {
    Vector here = hn::Zero(kTag);
    const BinWeights* end = weights + (upper < num_channels ? num_bins[upper] : 0);
    for (; weights != end; ++weights, magnitude += kLanes) {
      const Vector value = load(magnitude);
      below = hn::MulAdd(value, all(weights->below), below);
      here = hn::MulAdd(value, all(weights->here), here);
    }
    const Vector sum = below;
    below = here;
    return sum;
  };
  next_channel(0);
  for (std::size_t channel = 0; channel < plan.padded_channels; channel += 4) {
    Vector v[4];
    for (std::size_t i = 0; i < 4; ++i) {
      const Vector value = next_channel(channel + i + 1);
      // NaN compares false and becomes the floor.
      v[i] = hn::IfThenElse(hn::Gt(value, floor), logarithm(value), log_floor);
    }
    store_channels(v, mel + channel, plan.padded_channels);
  }
}

const float* mel_of_rows(const FastMelPlan& plan,
                         const float* rows,
                         std::size_t stride,
                         float* working) {
  constexpr std::size_t kCommonSize = 1024;
  float* columns = working;
  float* sums = columns + plan.padded_columns * plan.num_rows(kLanes);
  float* numbers = sums + plan.n_fft / 2 * kLanes;
  float* magnitudes = numbers + plan.n_fft / 2 * kLanes;
  float* mel = magnitudes + (plan.n_fft / 2 + 1) * kLanes;

  rows_to_columns(plan, rows, stride, columns);
  const TransformLevel* level = plan.levels.data();
  if (plan.n_fft == kCommonSize && 4 * plan.hop == kCommonSize && kLanes > 1) {
    const WindowedQuarters samples{plan.window.data(), columns};
    transform_level<kCommonSize>(*level, samples, sums, numbers, magnitudes);
    lower_levels<kCommonSize / 2>(level + 1, sums, numbers, magnitudes);
  } else {
    const WindowedSamples samples{plan.window.data(), plan.offsets(kLanes).data(), columns};
    transform_level<0>(*level, samples, sums, numbers, magnitudes);
    for (std::size_t i = 1; i < plan.levels.size(); ++i)
      transform_level<0>(level[i], EvenSums{sums}, sums, numbers, magnitudes);
  }
  smallest_transform(sums, plan.n_fft / kSmallestTransform, magnitudes);
  mel_of_magnitudes(plan, magnitudes, mel);
  return mel;
}

std::size_t frames_at_once() {
  return kLanes;
}

}  // namespace
}  // namespace myxtts::audio::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace myxtts::audio {

HWY_EXPORT(frames_at_once);
HWY_EXPORT(mel_of_rows);

std::size_t frames_at_once() {
  return HWY_DYNAMIC_DISPATCH(frames_at_once)();
}

const float* mel_of_rows(const FastMelPlan& plan,
                         const float* rows,
                         std::size_t stride,
                         float* working) {
  return HWY_DYNAMIC_DISPATCH(mel_of_rows)(plan, rows, stride, working);
}

}  // namespace myxtts::audio
#endif
