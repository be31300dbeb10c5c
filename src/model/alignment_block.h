// Monotonic alignment search of one row by the threads of a block.
//
// The CUDA kernel runs this function on a GPU block. The unit test runs it on CPU threads and
// compares it with align(): it makes the same additions in the same order and breaks ties in the
// same way. nvcc compiles this header, so it is C++17.
#pragma once

#include <cfloat>
#include <cstdint>

#ifdef __CUDACC__
#define MYXTTS_ON_HOST_AND_DEVICE __host__ __device__
#else
#define MYXTTS_ON_HOST_AND_DEVICE
#endif

namespace myxtts::model {

// Inputs and outputs of one row: T padded and num_symbols valid symbols, M padded and num_frames
// valid frames.
struct AlignmentRow {
  const float* scores = nullptr;      // [M, T]
  float* best = nullptr;              // [2, T + 1], private to this block
  std::uint8_t* moved = nullptr;      // [M, T], 1: the path comes from the previous symbol
  std::int64_t* durations = nullptr;  // [T], overwritten
  int symbols = 0;                    // T
  int frames = 0;                     // M
  std::int64_t num_symbols = 0;
  std::int64_t num_frames = 0;
};

// Returns whether the row can be aligned. An empty row cannot.
MYXTTS_ON_HOST_AND_DEVICE inline bool has_path(const AlignmentRow& row) {
  return row.num_symbols >= 1 && row.num_symbols <= row.num_frames &&
         row.num_symbols <= row.symbols && row.num_frames <= row.frames;
}

// Every thread of the block calls it. A Block has thread(), size() and wait(), a barrier that makes
// all writes visible. Rows without a path get zeros: a kernel cannot throw, so the host checks the
// lengths before they are copied.
template <typename Block>
MYXTTS_ON_HOST_AND_DEVICE void align_row(const Block& block, const AlignmentRow& row) {
  constexpr float kUnreachable = -FLT_MAX / 2;
  for (int t = block.thread(); t < row.symbols; t += block.size())
    row.durations[t] = 0;
  if (!has_path(row)) return;
  const int num_symbols = static_cast<int>(row.num_symbols);
  const int num_frames = static_cast<int>(row.num_frames);

  // Two alternating rows of the table. Symbol t is at t + 1; entry 0 is an unreachable symbol
  // before the first.
  float* before = row.best;
  float* now = row.best + row.symbols + 1;
  for (int t = block.thread(); t <= num_symbols; t += block.size()) {
    before[t] = t == 1 ? row.scores[0] : kUnreachable;
    now[t] = kUnreachable;
  }
  block.wait();
  for (int m = 1; m < num_frames; ++m) {
    const std::int64_t line = static_cast<std::int64_t>(m) * row.symbols;
    for (int t = block.thread(); t < num_symbols; t += block.size()) {
      const float stayed = before[t + 1];
      const float advanced = before[t];
      row.moved[line + t] = advanced >= stayed ? 1 : 0;
      now[t + 1] = (stayed < advanced ? advanced : stayed) + row.scores[line + t];
    }
    block.wait();
    float* const done = now;
    now = before;
    before = done;
  }

  if (block.thread() != 0) return;  // one thread backtracks
  int symbol = num_symbols - 1;
  for (int m = num_frames - 1; m >= 0; --m) {
    ++row.durations[symbol];
    const std::int64_t line = static_cast<std::int64_t>(m) * row.symbols;
    if (m > 0 && symbol > 0 && row.moved[line + symbol] != 0) --symbol;
  }
}

}  // namespace myxtts::model
