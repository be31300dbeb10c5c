// Runs custom CPU operators in parallel chunks and dispatches kernels by tensor type.
#pragma once

#include <algorithm>
#include <cstdint>

#include <ATen/Parallel.h>
#include <torch/types.h>

#include "model/vector_loops.h"

namespace myxtts::model {

// Positions per chunk: small enough for load balance and the cache, and independent of the number
// of threads, so that sums over chunks are deterministic.
constexpr std::int64_t kChunkPositions = 64;

inline std::int64_t num_chunks(std::int64_t positions) {
  return (positions + kChunkPositions - 1) / kChunkPositions;
}

// Calls work(row, chunk, positions) for each chunk of each row, on all threads.
template <typename Work>
void for_each_chunk(std::int64_t rows, std::int64_t positions, const Work& work) {
  const std::int64_t chunks = num_chunks(positions);
  at::parallel_for(0, rows * chunks, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t first = i % chunks * kChunkPositions;
      work(i / chunks,
           i % chunks,
           Range{.begin = first, .end = std::min(first + kChunkPositions, positions)});
    }
  });
}

// Calls work(Value{}) with the element type that kernels use for the tensor: float or Bfloat16.
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
Value* mutable_values_of(const torch::Tensor& tensor) {
  return static_cast<Value*>(tensor.mutable_data_ptr());
}

}  // namespace myxtts::model
