// The safetensors format (8 bytes of header length, a JSON header, the tensors' bytes): what
// Python's `safetensors` reads and writes. No code is ever run by reading a file.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace xtts::checkpoint {

enum class DType { kBool, kU8, kI8, kI16, kI32, kI64, kF16, kBf16, kF32, kF64 };

// As Python's library orders them in a file: the widest first, so that all are aligned.
inline constexpr std::array<DType, 10> kAllDTypes = {DType::kI64,
                                                     DType::kF64,
                                                     DType::kF32,
                                                     DType::kI32,
                                                     DType::kBf16,
                                                     DType::kF16,
                                                     DType::kI16,
                                                     DType::kI8,
                                                     DType::kU8,
                                                     DType::kBool};

std::string_view name_of(DType dtype);  // "F32"
std::size_t size_of(DType dtype);       // bytes of one element

// A tensor whose bytes belong to somebody else: contiguous, little-endian.
struct TensorView {
  std::string name;
  DType dtype = DType::kF32;
  std::vector<std::int64_t> shape;
  std::span<const std::byte> bytes;
};

using Metadata = std::map<std::string, std::string>;

// What a file holds. Views point into `bytes`, which belongs to this object; that is why it moves
// but is not copied. They are aligned for their type in files of ours, in others perhaps not.
struct TensorFile {
  TensorFile() = default;
  ~TensorFile() = default;
  TensorFile(TensorFile&&) = default;
  TensorFile& operator=(TensorFile&&) = default;
  TensorFile(const TensorFile&) = delete;
  TensorFile& operator=(const TensorFile&) = delete;

  std::string bytes;
  std::vector<TensorView> tensors;  // in the order of their offsets
  Metadata metadata;

  // Throws UserError that names the tensor and the nearest one there is.
  const TensorView& at(std::string_view name) const;
  const TensorView* find(std::string_view name) const;
};

// The whole file as bytes: the widest types first, then by name, so that the same tensors and
// metadata give the same bytes in whatever order they come, the bytes that Python's library writes.
// Names must be UTF-8 and unique, the bytes of each tensor as many as its shape says.
std::string safetensors_bytes(std::span<const TensorView> tensors, const Metadata& metadata);

// Checks every length, offset and shape before anything is believed (limits:
// docs/en/checkpoints.md). Throws UserError that says what is wrong in it; `source` is its name in
// messages.
TensorFile parse_safetensors(std::string bytes, const std::string& source);

}  // namespace xtts::checkpoint
