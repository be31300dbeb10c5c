// How an operator of ours shares its work among threads and finds the kernel of its type.
#pragma once

#include <algorithm>
#include <cstdint>

#include <ATen/Parallel.h>
#include <torch/types.h>

#include "model/vector_loops.h"

namespace xtts::model {

// Small enough to share well and to stay in the cache; the same for any number of threads, so that
// sums over pieces are the same bits.
constexpr std::int64_t kPiecePositions = 64;

inline std::int64_t num_pieces(std::int64_t positions) {
  return (positions + kPiecePositions - 1) / kPiecePositions;
}

// work(row, piece, positions) for each piece of each row, on all threads.
template <typename Work>
void over_pieces(std::int64_t rows, std::int64_t positions, const Work& work) {
  const std::int64_t pieces = num_pieces(positions);
  at::parallel_for(0, rows * pieces, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t first = i % pieces * kPiecePositions;
      work(i / pieces,
           i % pieces,
           Range{.begin = first, .end = std::min(first + kPiecePositions, positions)});
    }
  });
}

// work(Value{}) with the type in which kernels see the tensor's values.
template <typename Work>
void with_type_of(const torch::Tensor& tensor, const Work& work) {
  if (tensor.scalar_type() == torch::kBFloat16) {
    work(Bfloat16{});
  } else {
    work(float{});
  }
}

template <typename Value>
const Value* values_of(const torch::Tensor& tensor) {
  return static_cast<const Value*>(tensor.const_data_ptr());
}

template <typename Value>
Value* places_of(const torch::Tensor& tensor) {
  return static_cast<Value*>(tensor.mutable_data_ptr());
}

}  // namespace xtts::model
