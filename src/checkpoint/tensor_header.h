// Parses the JSON header of a safetensors file. Checks its form; shapes and offsets are unverified.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "checkpoint/safetensors.h"

namespace myxtts::checkpoint {

inline constexpr std::size_t kMaxTensors = 1'000'000;
inline constexpr std::size_t kMaxDimensions = 64;

struct TensorEntry {
  std::string name;
  DType dtype = DType::kF32;
  std::vector<std::int64_t> shape;
  std::uint64_t begin = 0;  // offset in bytes after the header
  std::uint64_t end = 0;
};

struct TensorHeader {
  std::vector<TensorEntry> tensors;  // in the order of the file
  Metadata metadata;
};

// Parses
// {"name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, "__metadata__": {"a": "b"}}.
// Throws UserError for unknown, missing or duplicate fields, duplicate names, unknown dtypes and
// numbers that are not non-negative integers.
TensorHeader parse_tensor_header(std::string_view json,
                                 const std::string& source,
                                 std::size_t max_tensors = kMaxTensors);

}  // namespace myxtts::checkpoint
