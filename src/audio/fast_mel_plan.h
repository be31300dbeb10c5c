// The tables of the fast mel: everything that follows from the contract, computed once in double
// precision and rounded to float32.
//
// Note [Odd bins, then half the size]: a real transform of R numbers is cut in two. Its odd bins
// are a complex transform of R/4 numbers,
//
//   z[n] = ((x[n] - x[n + R/2]) - i (x[n + R/4] - x[n + 3R/4])) w^n,   w = e^(-2 pi i / R), n <
//   R/4,
//
// whose output k is bin 4k + 1, or the conjugate of bin R - (4k + 1) where that is beyond R/2;
// there is nothing to tell apart afterwards. Its even bins are the real transform of x[n] + x[n +
// R/2], R/2 numbers, which is cut in the same way, and so on down to eight numbers. A level is one
// such cut. The complex transforms are in-place passes of radix 4, decimation in frequency, so that
// their outputs lie in the order of reversed digits; a table says which bin each of them is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "audio/mel_spec.h"

namespace xtts::audio {

inline constexpr std::size_t kSmallestTransform = 8;  // real numbers that are left after all levels

// One multiplication by a root of unity.
struct Turn {
  float re = 1.0F;
  float im = 0.0F;
};

// The factors of outputs 1, 2 and 3 of a butterfly of four.
struct ButterflyTurns {
  Turn turn[3];
};

// A pass over blocks of `block` numbers.
struct RadixFourPass {
  std::size_t block = 0;
  std::vector<ButterflyTurns> turns;  // [block / 4]
};

// A butterfly of the last pass: up to four numbers that lie together, without factors.
struct LastButterfly {
  std::int32_t place = 0;  // of the first
  std::int32_t bins[4];    // of the whole transform that come out; negative: no filter uses it
};

struct TransformLevel {
  std::size_t size = 0;               // R
  std::vector<Turn> twist;            // [R / 4] w^n
  std::vector<RadixFourPass> passes;  // blocks of R/4, R/16, ... as long as more than 4 are left
  std::size_t last_block = 0;         // 1, 2 or 4 numbers that a butterfly of the last pass joins
  std::vector<LastButterfly> last;    // in the order of bins, so that they are stored in lines
};

// What one bin adds to a filter and to the one below it.
struct BinWeights {
  float below = 0.0F;
  float here = 0.0F;
};

struct FastMelPlan {
  explicit FastMelPlan(const MelSpec& contract);

  std::size_t n_fft = 0;
  std::size_t hop = 0;
  // Frames overlap: sample n of a frame is sample n - hop of the next one. So frames are read as
  // rows of at most a hop, each of which stands for several frames: sample n of frame f is in
  // column n % hop of row f + n / hop.
  std::size_t num_columns = 0;     // of a row: hop or n_fft, the smaller
  std::size_t rows_per_frame = 0;  // n_fft / hop, rounded up
  std::size_t padded_columns = 0;  // that are read of a row: a multiple of 4
  std::vector<float> window;       // [n_fft]

  // Rows that `lanes` (1, 4, 8 or 16) frames are read from: a multiple of lanes.
  std::size_t num_rows(std::size_t lanes) const;
  // [n_fft] where the samples of the first frame are, column after column of num_rows each.
  const std::vector<std::int32_t>& offsets(std::size_t lanes) const;
  // Floats of working memory of the kernel.
  std::size_t working_floats(std::size_t lanes) const;

  std::vector<TransformLevel> levels;  // largest first
  std::size_t first_bin = 0;           // that a filter uses
  std::size_t end_bin = 0;             // beyond the last such

  // Filters overlap only with their neighbours, so a bin belongs to at most two.
  std::vector<std::int32_t> bins_of_filter;  // [n_mels] how many bins have it as the upper one
  std::vector<BinWeights> weights;           // [end_bin - first_bin]
  std::size_t padded_channels = 0;           // n_mels rounded up to a multiple of 4
  float floor = 0.0F;                        // what is not above it is given as
  float log_floor = 0.0F;                    // this

 private:
  std::vector<std::int32_t> offsets_[5];  // for 1, (2,) 4, 8 and 16 lanes
};

}  // namespace xtts::audio
