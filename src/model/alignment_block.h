// The alignment search of one row as the threads of a block do it together. The CUDA kernel is this
// function on a GPU's block; the unit test runs the same lines on threads of the CPU and compares
// them with align(), whose decisions these are: the same additions in the same order, and a path
// moves on where both ways are equal. Compiled by nvcc too, so C++17.
#pragma once

#include <cfloat>
#include <cstdint>

#ifdef __CUDACC__
#define XTTS_ON_HOST_AND_DEVICE __host__ __device__
#else
#define XTTS_ON_HOST_AND_DEVICE
#endif

namespace xtts::model {

// Where the block reads and writes. T symbols of which the row has num_symbols, M frames of which
// it has num_frames.
struct AlignmentRow {
  const float* scores = nullptr;      // [M, T]
  float* best = nullptr;              // [2, T + 1], of this block alone
  std::uint8_t* moved = nullptr;      // [M, T]: the path came from the symbol before
  std::int64_t* durations = nullptr;  // [T], overwritten
  int symbols = 0;                    // T
  int frames = 0;                     // M
  std::int64_t num_symbols = 0;
  std::int64_t num_frames = 0;
};

// True if the row can be laid out at all. An empty row cannot, and gets zeros.
XTTS_ON_HOST_AND_DEVICE inline bool has_path(const AlignmentRow& row) {
  return row.num_symbols >= 1 && row.num_symbols <= row.num_frames &&
         row.num_symbols <= row.symbols && row.num_frames <= row.frames;
}

// Called by every thread of the block. A Block has thread(), size() and wait(), which returns when
// all threads have called it and what they wrote is seen by all. Rows whose lengths do not fit get
// zeros: a kernel cannot throw, so lengths are checked where they are still on the host.
template <typename Block>
XTTS_ON_HOST_AND_DEVICE void align_row(const Block& block, const AlignmentRow& row) {
  constexpr float kNever = -FLT_MAX / 2;
  for (int t = block.thread(); t < row.symbols; t += block.size())
    row.durations[t] = 0;
  if (!has_path(row)) return;
  const int num_symbols = static_cast<int>(row.num_symbols);
  const int num_frames = static_cast<int>(row.num_frames);

  // Two rows of the table in turn. Symbol t is at t + 1; place 0 is the symbol before the first,
  // which nothing comes from.
  float* before = row.best;
  float* now = row.best + row.symbols + 1;
  for (int t = block.thread(); t <= num_symbols; t += block.size()) {
    before[t] = t == 1 ? row.scores[0] : kNever;
    now[t] = kNever;
  }
  block.wait();
  for (int m = 1; m < num_frames; ++m) {
    const std::int64_t line = static_cast<std::int64_t>(m) * row.symbols;
    for (int t = block.thread(); t < num_symbols; t += block.size()) {
      const float stayed = before[t + 1];
      const float came = before[t];
      row.moved[line + t] = came >= stayed ? 1 : 0;
      now[t + 1] = (stayed < came ? came : stayed) + row.scores[line + t];
    }
    block.wait();
    float* const done = now;
    now = before;
    before = done;
  }

  if (block.thread() != 0) return;  // the way back is one thread's
  int symbol = num_symbols - 1;
  for (int m = num_frames - 1; m >= 0; --m) {
    ++row.durations[symbol];
    const std::int64_t line = static_cast<std::int64_t>(m) * row.symbols;
    if (m > 0 && symbol > 0 && row.moved[line + symbol] != 0) --symbol;
  }
}

}  // namespace xtts::model
