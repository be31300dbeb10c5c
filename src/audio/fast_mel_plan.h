// Precomputed tables of FastMel for one MelSpec, in double precision rounded to float32.
//
// Note [Odd bins, then half the size]: a real transform of R numbers is split in two. Its odd bins
// are a complex transform of R/4 numbers,
//
//   z[n] = ((x[n] - x[n + R/2]) - i (x[n + R/4] - x[n + 3R/4])) w^n,  w = e^(-2 pi i / R), n < R/4,
//
// whose output k is bin 4k + 1, or the conjugate of bin R - (4k + 1) where that is beyond R/2; no
// untangling pass follows. Its even bins are the real transform of x[n] + x[n + R/2], R/2 numbers,
// which is split in the same way, down to eight numbers. A level is one such split. The complex
// transforms are in-place radix-4 passes, decimation in frequency; their outputs are in
// digit-reversed order, and a table maps them to bins.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "audio/mel_spec.h"

namespace myxtts::audio {

inline constexpr std::size_t kSmallestTransform = 8;  // real numbers left after all levels

// A twiddle factor: a complex root of unity.
struct Twiddle {
  float re = 1.0F;
  float im = 0.0F;
};

// The twiddle factors of outputs 1, 2 and 3 of a radix-4 butterfly.
struct ButterflyTwiddles {
  Twiddle twiddle[3];
};

// A radix-4 pass over blocks of `block` numbers.
struct RadixFourPass {
  std::size_t block = 0;
  std::vector<ButterflyTwiddles> twiddles;  // [block / 4]
};

// A butterfly of the last pass: up to four adjacent numbers, without twiddle factors.
struct LastButterfly {
  std::int32_t place = 0;  // index of the first number
  std::int32_t bins[4];    // output bins of the whole transform; negative: unused by all filters
};

struct TransformLevel {
  std::size_t size = 0;               // R
  std::vector<Twiddle> twiddles;      // [R / 4] w^n
  std::vector<RadixFourPass> passes;  // blocks of R/4, R/16, ... while larger than 4
  std::size_t last_block = 0;         // 1, 2 or 4 numbers per butterfly of the last pass
  std::vector<LastButterfly> last;    // in bin order, for sequential stores
};

// Weights of one bin in its upper filter (`here`) and in the filter below.
struct BinWeights {
  float below = 0.0F;
  float here = 0.0F;
};

struct FastMelPlan {
  explicit FastMelPlan(const MelSpec& spec);

  std::size_t n_fft = 0;
  std::size_t hop = 0;
  // Frames overlap: sample n of a frame is sample n - hop of the next frame. Frames are therefore
  // read as rows of at most one hop that several frames share: sample n of frame f is in column
  // n % hop of row f + n / hop.
  std::size_t num_columns = 0;     // min(hop, n_fft)
  std::size_t rows_per_frame = 0;  // n_fft / hop, rounded up
  std::size_t padded_columns = 0;  // columns read per row, a multiple of 4
  std::vector<float> window;       // [n_fft]

  // Rows that hold `lanes` (1, 4, 8 or 16) frames, a multiple of lanes.
  std::size_t num_rows(std::size_t lanes) const;
  // [n_fft] offsets of the first frame's samples in the [column, row] matrix of num_rows rows.
  const std::vector<std::int32_t>& offsets(std::size_t lanes) const;
  // Floats of working memory needed by the kernel.
  std::size_t working_floats(std::size_t lanes) const;

  std::vector<TransformLevel> levels;  // largest first
  std::size_t first_bin = 0;           // first bin used by a filter
  std::size_t end_bin = 0;             // one past the last bin used

  // Filters overlap only with their neighbours, so a bin belongs to at most two filters.
  std::vector<std::int32_t> bins_of_filter;  // [n_mels] bins whose upper filter it is
  std::vector<BinWeights> weights;           // [end_bin - first_bin]
  std::size_t padded_channels = 0;           // n_mels rounded up to a multiple of 4
  float floor = 0.0F;                        // magnitudes at or below it
  float log_floor = 0.0F;                    // become this logarithm

 private:
  std::vector<std::int32_t> offsets_[5];  // for 1, (2,) 4, 8 and 16 lanes
};

}  // namespace myxtts::audio
