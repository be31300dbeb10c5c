// Reads and writes safetensors files (8 bytes of header length, a JSON header, the tensors' bytes),
// byte for byte as Python's `safetensors`.
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

namespace myxtts::checkpoint {

enum class DType { kBool, kU8, kI8, kI16, kI32, kI64, kF16, kBf16, kF32, kF64 };

// The order of Python's library in a file: widest first, so that all tensors are aligned.
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

// A tensor whose bytes are owned elsewhere: contiguous, little-endian.
struct TensorView {
  std::string name;
  DType dtype = DType::kF32;
  std::vector<std::int64_t> shape;
  std::span<const std::byte> bytes;
};

using Metadata = std::map<std::string, std::string>;

// A parsed file. The views point into `bytes`, so the object is movable but not copyable. Tensors
// are aligned to their type in files written by safetensors_bytes(); other files may differ.
struct TensorFile {
  TensorFile() = default;
  ~TensorFile() = default;
  TensorFile(TensorFile&&) = default;
  TensorFile& operator=(TensorFile&&) = default;
  TensorFile(const TensorFile&) = delete;
  TensorFile& operator=(const TensorFile&) = delete;

  std::string bytes;
  std::vector<TensorView> tensors;  // ascending offsets
  Metadata metadata;

  // Throws UserError with the name and the nearest existing name if there is no such tensor.
  const TensorView& at(std::string_view name) const;
  const TensorView* find(std::string_view name) const;
};

// Returns the file as bytes. Tensors are sorted by type, widest first, then by name, so that their
// order in `tensors` does not matter; the bytes equal those of Python's library. Names must be
// UTF-8 and unique, and the bytes of each tensor must match its shape.
std::string safetensors_bytes(std::span<const TensorView> tensors, const Metadata& metadata);

// Checks every length, offset and shape before it is used (limits: docs/en/checkpoints.md). Throws
// UserError with the reason. `source` is the file name in messages.
TensorFile parse_safetensors(std::string bytes, const std::string& source);

}  // namespace myxtts::checkpoint
