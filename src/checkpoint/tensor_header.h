// The JSON header of a safetensors file, of which nothing is believed yet but its form.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "checkpoint/safetensors.h"

namespace xtts::checkpoint {

inline constexpr std::size_t kMaxTensors = 1'000'000;
inline constexpr std::size_t kMaxDimensions = 64;

struct HeaderTensor {
  std::string name;
  DType dtype = DType::kF32;
  std::vector<std::int64_t> shape;
  std::uint64_t begin = 0;  // offsets behind the header
  std::uint64_t end = 0;
};

struct TensorHeader {
  std::vector<HeaderTensor> tensors;  // as they stand there
  Metadata metadata;
};

// {"name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, "__metadata__": {"a": "b"}}.
// Throws UserError for anything else: other fields, one twice or absent, a name twice, an unknown
// dtype, negative or broken numbers. What the numbers claim is not looked at.
TensorHeader parse_tensor_header(std::string_view json,
                                 const std::string& source,
                                 std::size_t max_tensors = kMaxTensors);

}  // namespace xtts::checkpoint
