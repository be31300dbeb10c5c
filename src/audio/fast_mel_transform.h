// Vectorised FFT of FastMel, one frame per lane.
//
// audio/fast_mel_kernel.cpp includes this file once per instruction set, hence no #pragma once. The
// passes follow Note [Odd bins, then half the size]. The first pass applies the window as it reads
// the samples; the last pass stores the magnitudes of the bins that filters use. The square root is
// the exact instruction, which gives the same bits on every machine, unlike faster approximations.

#if defined(MYXTTS_FAST_MEL_TRANSFORM_H) == defined(HWY_TARGET_TOGGLE)
#ifdef MYXTTS_FAST_MEL_TRANSFORM_H
#undef MYXTTS_FAST_MEL_TRANSFORM_H
#else
#define MYXTTS_FAST_MEL_TRANSFORM_H
#endif

#include <cstddef>
#include <cstdint>

#include <hwy/highway.h>

#include "audio/fast_mel_plan.h"

HWY_BEFORE_NAMESPACE();
namespace myxtts::audio::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::CappedTag<float, 16>;
using Vector = hn::Vec<Lanes>;
constexpr Lanes kTag;
constexpr std::size_t kLanes = hn::MaxLanes(Lanes());

HWY_INLINE Vector load(const float* from) {
  return hn::LoadU(kTag, from);
}

HWY_INLINE void store(Vector value, float* to) {
  hn::StoreU(value, kTag, to);
}

HWY_INLINE Vector all(float value) {
  return hn::Set(kTag, value);
}

struct Complex {
  Vector re;
  Vector im;
};

HWY_INLINE Complex operator+(Complex a, Complex b) {
  return {hn::Add(a.re, b.re), hn::Add(a.im, b.im)};
}

HWY_INLINE Complex operator-(Complex a, Complex b) {
  return {hn::Sub(a.re, b.re), hn::Sub(a.im, b.im)};
}

HWY_INLINE Complex load_complex(const float* numbers, std::size_t index) {
  const float* from = numbers + 2 * kLanes * index;
  return {load(from), load(from + kLanes)};
}

HWY_INLINE void store_complex(Complex value, float* numbers, std::size_t index) {
  float* to = numbers + 2 * kLanes * index;
  store(value.re, to);
  store(value.im, to + kLanes);
}

HWY_INLINE Complex rotated(Complex value, Twiddle twiddle) {
  const Vector re = all(twiddle.re);
  const Vector im = all(twiddle.im);
  return {hn::NegMulAdd(value.im, im, hn::Mul(value.re, re)),
          hn::MulAdd(value.im, re, hn::Mul(value.re, im))};
}

struct Four {
  Complex value[4];
};

// Radix-4 butterfly: the transform of four numbers.
HWY_INLINE Four butterfly(const Four& in) {
  const Complex even_sum = in.value[0] + in.value[2];
  const Complex even_difference = in.value[0] - in.value[2];
  const Complex odd_sum = in.value[1] + in.value[3];
  const Complex odd_difference = in.value[1] - in.value[3];
  return {{even_sum + odd_sum,
           {hn::Add(even_difference.re, odd_difference.im),
            hn::Sub(even_difference.im, odd_difference.re)},
           even_sum - odd_sum,
           {hn::Sub(even_difference.re, odd_difference.im),
            hn::Add(even_difference.im, odd_difference.re)}}};
}

HWY_INLINE void store_rotated(const Four& out,
                              const ButterflyTwiddles& twiddles,
                              float* numbers,
                              std::size_t index,
                              std::size_t part) {
  store_complex(out.value[0], numbers, index);
  for (std::size_t j = 1; j < 4; ++j)
    store_complex(rotated(out.value[j], twiddles.twiddle[j - 1]), numbers, index + j * part);
}

// Input of the first pass of a level, from x[n + i R/4] with i = 0..3: differences of halves for
// the odd bins, sums for the even bins.
struct Halves {
  Vector first_difference, second_difference;
  Vector first_sum, second_sum;
};

HWY_INLINE Halves halves_of(Vector first, Vector second, Vector third, Vector fourth) {
  return {hn::Sub(first, third),
          hn::Sub(second, fourth),
          hn::Add(first, third),
          hn::Add(second, fourth)};
}

// Input of the first level: samples times window.
struct WindowedSamples {
  const float* window;
  const std::int32_t* offsets;
  const float* columns;

  HWY_INLINE Vector windowed(std::size_t n) const {
    return hn::Mul(all(window[n]), load(columns + offsets[n]));
  }

  HWY_INLINE Halves halves(std::size_t n, std::size_t quarter) const {
    return halves_of(
        windowed(n), windowed(n + quarter), windowed(n + 2 * quarter), windowed(n + 3 * quarter));
  }
};

// Input of the first level if the hop is a quarter of the frame: the rows are the quarters.
struct WindowedQuarters {
  const float* window;
  const float* columns;

  HWY_INLINE Halves halves(std::size_t n, std::size_t quarter) const {
    const float* column = columns + n * 2 * kLanes;
    return halves_of(hn::Mul(all(window[n]), load(column)),
                     hn::Mul(all(window[n + quarter]), load(column + 1)),
                     hn::Mul(all(window[n + 2 * quarter]), load(column + 2)),
                     hn::Mul(all(window[n + 3 * quarter]), load(column + 3)));
  }
};

// Input of the other levels: the sums of the previous level.
struct EvenSums {
  const float* sums;

  HWY_INLINE Vector number(std::size_t n) const { return load(sums + n * kLanes); }

  HWY_INLINE Halves halves(std::size_t n, std::size_t quarter) const {
    return halves_of(
        number(n), number(n + quarter), number(n + 2 * quarter), number(n + 3 * quarter));
  }
};

// Note [Sizes known to the compiler]: a constant kSize turns strides into immediate operands and
// saves a third of the instructions; with 0 the size is read from the level.
template <std::size_t kSize>
HWY_INLINE std::size_t size_of(const TransformLevel& level) {
  return kSize != 0 ? kSize : level.size;
}

template <std::size_t kSize, typename Source>
HWY_INLINE void first_pass(const TransformLevel& level,
                           Source source,
                           float* sums,
                           float* numbers) {
  const std::size_t quarter = size_of<kSize>(level) / 4;
  const std::size_t part = quarter / 4;
  const Twiddle* twiddles = level.twiddles.data();
  const ButterflyTwiddles* pass_twiddles = level.passes[0].twiddles.data();
  for (std::size_t n = 0; n < part; ++n) {
    Four in;
    for (std::size_t j = 0; j < 4; ++j) {
      const std::size_t at = n + j * part;
      const Halves halves = source.halves(at, quarter);
      store(halves.first_sum, sums + at * kLanes);
      store(halves.second_sum, sums + (at + quarter) * kLanes);
      // (a - ib) (c + is) = ac + bs + i (as - bc)
      const Vector c = all(twiddles[at].re);
      const Vector s = all(twiddles[at].im);
      in.value[j] = {
          hn::MulAdd(halves.second_difference, s, hn::Mul(halves.first_difference, c)),
          hn::NegMulAdd(halves.second_difference, c, hn::Mul(halves.first_difference, s))};
    }
    store_rotated(butterfly(in), pass_twiddles[n], numbers, n, part);
  }
}

HWY_INLINE Four load_four(const float* numbers, std::size_t index, std::size_t part) {
  return {{load_complex(numbers, index),
           load_complex(numbers, index + part),
           load_complex(numbers, index + 2 * part),
           load_complex(numbers, index + 3 * part)}};
}

// Works block by block: neighbours in a block are neighbours in memory. The same index of the next
// block may be 4096 bytes away, where 4K aliasing makes loads wait for earlier stores.
HWY_INLINE void middle_pass(const ButterflyTwiddles* twiddles,
                            std::size_t step,
                            std::size_t count,
                            float* numbers) {
  const std::size_t part = step / 4;
  for (std::size_t block = 0; block < count; block += step) {
    for (std::size_t n = 0; n < part; ++n) {
      const std::size_t index = block + n;
      store_rotated(butterfly(load_four(numbers, index, part)), twiddles[n], numbers, index, part);
    }
  }
}

// Runs the passes over blocks of kSize / 16 and smaller.
template <std::size_t kSize, std::size_t kPass = 1>
HWY_INLINE void middle_passes(const TransformLevel& level, float* numbers) {
  if constexpr (kSize == 0) {
    for (std::size_t i = 1; i < level.passes.size(); ++i)
      middle_pass(level.passes[i].twiddles.data(), level.passes[i].block, level.size / 4, numbers);
  } else if constexpr (constexpr std::size_t kStep = kSize >> (2 + 2 * kPass); kStep > 4) {
    middle_pass(level.passes[kPass].twiddles.data(), kStep, kSize / 4, numbers);
    middle_passes<kSize, kPass + 1>(level, numbers);
  }
}

HWY_INLINE void store_magnitude(Complex value, std::int32_t bin, float* magnitudes) {
  if (bin < 0) return;
  const Vector power = hn::MulAdd(value.re, value.re, hn::Mul(value.im, value.im));
  store(hn::Sqrt(power), magnitudes + static_cast<std::size_t>(bin) * kLanes);
}

// magnitudes  [n_fft / 2 + 1]
void last_pass(const TransformLevel& level, const float* numbers, float* magnitudes) {
  if (level.last_block == 4) {
    for (const LastButterfly& last : level.last) {
      const Four out = butterfly(load_four(numbers, static_cast<std::size_t>(last.place), 1));
      for (std::size_t j = 0; j < 4; ++j)
        store_magnitude(out.value[j], last.bins[j], magnitudes);
    }
  } else if (level.last_block == 2) {
    for (const LastButterfly& last : level.last) {
      const Complex first = load_complex(numbers, static_cast<std::size_t>(last.place));
      const Complex second = load_complex(numbers, static_cast<std::size_t>(last.place) + 1);
      store_magnitude(first + second, last.bins[0], magnitudes);
      store_magnitude(first - second, last.bins[1], magnitudes);
    }
  } else {
    for (const LastButterfly& last : level.last)
      store_magnitude(
          load_complex(numbers, static_cast<std::size_t>(last.place)), last.bins[0], magnitudes);
  }
}

// The real transform of the last eight numbers: bins 0 to 4, `step` apart.
void smallest_transform(const float* sums, std::size_t step, float* magnitudes) {
  Vector sum[4];
  Vector difference[4];
  for (std::size_t i = 0; i < 4; ++i) {
    const Vector low = load(sums + i * kLanes);
    const Vector high = load(sums + (i + 4) * kLanes);
    sum[i] = hn::Add(low, high);
    difference[i] = hn::Sub(low, high);
  }
  const Vector even = hn::Add(sum[0], sum[2]);
  const Vector odd = hn::Add(sum[1], sum[3]);
  const Vector zero = hn::Zero(kTag);
  const Vector root_half = all(0.70710678118654752F);
  const Vector across = hn::Mul(root_half, hn::Sub(difference[1], difference[3]));
  const Vector along = hn::Mul(root_half, hn::Add(difference[1], difference[3]));
  const Complex bins[5] = {
      {hn::Add(even, odd), zero},
      {hn::Add(difference[0], across), hn::Add(difference[2], along)},
      {hn::Sub(sum[0], sum[2]), hn::Sub(sum[1], sum[3])},
      {hn::Sub(difference[0], across), hn::Sub(difference[2], along)},
      {hn::Sub(even, odd), zero},
  };
  for (std::size_t k = 0; k < 5; ++k)
    store_magnitude(bins[k], static_cast<std::int32_t>(k * step), magnitudes);
}

// Computes the bins of one level and leaves its `sums` for the next level.
template <std::size_t kSize, typename Source>
void transform_level(
    const TransformLevel& level, Source source, float* sums, float* numbers, float* magnitudes) {
  first_pass<kSize>(level, source, sums, numbers);
  middle_passes<kSize>(level, numbers);
  last_pass(level, numbers, magnitudes);
}

// Runs the levels below the first; the largest has kSize numbers.
template <std::size_t kSize>
void lower_levels(const TransformLevel* level, float* sums, float* numbers, float* magnitudes) {
  if constexpr (kSize > kSmallestTransform) {
    transform_level<kSize>(*level, EvenSums{sums}, sums, numbers, magnitudes);
    lower_levels<kSize / 2>(level + 1, sums, numbers, magnitudes);
  }
}

}  // namespace
}  // namespace myxtts::audio::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // the toggled guard
