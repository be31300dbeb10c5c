// File layout: u64 little-endian header length | JSON header, padded with spaces to 8 bytes | bytes
// of the tensors without gaps. The data_offsets of a tensor count from the end of the header.
#include "checkpoint/safetensors.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <limits>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "base/nearest.h"
#include "checkpoint/json_walk.h"
#include "checkpoint/tensor_header.h"

namespace myxtts::checkpoint {
namespace {

constexpr std::size_t kLengthBytes = 8;
constexpr std::uint64_t kMaxHeaderBytes = 100'000'000;

// Rank of a type in kAllDTypes, the order of tensors in a file.
std::ptrdiff_t dtype_rank(DType dtype) {
  return std::ranges::find(kAllDTypes, dtype) - kAllDTypes.begin();
}

// Returns the size of the shape in bytes, nullopt if it overflows 64 bits.
std::optional<std::uint64_t> bytes_of_shape(const std::vector<std::int64_t>& shape, DType dtype) {
  std::uint64_t bytes = size_of(dtype);
  for (const std::int64_t length : shape) {
    if (length < 0) return std::nullopt;
    if (__builtin_mul_overflow(bytes, static_cast<std::uint64_t>(length), &bytes))
      return std::nullopt;
  }
  return bytes;
}

std::string header_json(const std::vector<const TensorView*>& tensors, const Metadata& metadata) {
  std::string json = "{";
  if (!metadata.empty()) {
    json += "\"__metadata__\":{";
    for (const auto& [key, value] : metadata)
      json += fmt::format("{}:{},", json_string(key), json_string(value));
    json.back() = '}';
    json += ',';
  }
  std::uint64_t offset = 0;
  for (const TensorView* tensor : tensors) {
    json += fmt::format("{}:{{\"dtype\":\"{}\",\"shape\":[{}],\"data_offsets\":[{},{}]}},",
                        json_string(tensor->name),
                        name_of(tensor->dtype),
                        fmt::join(tensor->shape, ","),
                        offset,
                        offset + tensor->bytes.size());
    offset += tensor->bytes.size();
  }
  if (json.back() == ',') json.pop_back();
  json += '}';
  json.append((kLengthBytes - json.size() % kLengthBytes) % kLengthBytes, ' ');
  return json;
}

void append_length(std::string& bytes, std::uint64_t length) {
  for (std::size_t i = 0; i < kLengthBytes; ++i)
    bytes += static_cast<char>((length >> (8 * i)) & 0xFFU);
}

std::uint64_t read_length(std::string_view bytes) {
  std::uint64_t length = 0;
  for (std::size_t i = 0; i < kLengthBytes; ++i)
    length |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  return length;
}

// Requires that the tensors, sorted by offset, fill the file without gap or overlap.
void require_contiguous(const std::vector<TensorEntry>& tensors,
                        std::uint64_t payload_bytes,
                        const std::string& source) {
  std::uint64_t expected = 0;
  for (const TensorEntry& tensor : tensors) {
    const std::optional<std::uint64_t> bytes = bytes_of_shape(tensor.shape, tensor.dtype);
    const std::string name = quoted_start(tensor.name);
    require(tensor.begin == expected && tensor.end >= tensor.begin,
            "{}: tensor {} has offsets {} to {}, expected to begin at {}: overlap or gap",
            source,
            name,
            tensor.begin,
            tensor.end,
            expected);
    require(tensor.end <= payload_bytes,
            "{}: tensor {} ends at {}, after the end of the file at {}: truncated",
            source,
            name,
            tensor.end,
            payload_bytes);
    require(bytes == tensor.end - tensor.begin,
            "{}: tensor {} has {} bytes, which do not match its shape and dtype",
            source,
            name,
            tensor.end - tensor.begin);
    expected = tensor.end;
  }
  require(expected == payload_bytes,
          "{}: {} bytes after the last tensor",
          source,
          payload_bytes - expected);
}

}  // namespace

std::string_view name_of(DType dtype) {
  switch (dtype) {
    case DType::kBool:
      return "BOOL";
    case DType::kU8:
      return "U8";
    case DType::kI8:
      return "I8";
    case DType::kI16:
      return "I16";
    case DType::kI32:
      return "I32";
    case DType::kI64:
      return "I64";
    case DType::kF16:
      return "F16";
    case DType::kBf16:
      return "BF16";
    case DType::kF32:
      return "F32";
    case DType::kF64:
      return "F64";
  }
  return "?";
}

std::size_t size_of(DType dtype) {
  switch (dtype) {
    case DType::kBool:
    case DType::kU8:
    case DType::kI8:
      return 1;
    case DType::kI16:
    case DType::kF16:
    case DType::kBf16:
      return 2;
    case DType::kI32:
    case DType::kF32:
      return 4;
    case DType::kI64:
    case DType::kF64:
      return 8;
  }
  return 0;
}

const TensorView* TensorFile::find(std::string_view name) const {
  const auto found = std::ranges::find(tensors, name, &TensorView::name);
  return found == tensors.end() ? nullptr : &*found;
}

const TensorView& TensorFile::at(std::string_view name) const {
  if (const TensorView* tensor = find(name)) return *tensor;
  std::vector<std::string> names;
  std::ranges::transform(tensors, std::back_inserter(names), &TensorView::name);
  throw UserError(fmt::format("the file has no tensor {} (it has {} tensors){}",
                              quoted_start(name),
                              names.size(),
                              base::did_you_mean(name, names)));
}

std::string safetensors_bytes(std::span<const TensorView> tensors, const Metadata& metadata) {
  std::vector<const TensorView*> ordered;
  std::set<std::string_view> names;
  std::uint64_t payload_bytes = 0;
  for (const TensorView& tensor : tensors) {
    invariant(bytes_of_shape(tensor.shape, tensor.dtype) == tensor.bytes.size(),
              "the bytes of a tensor match its shape: " + tensor.name);
    invariant(names.insert(tensor.name).second, "tensor names are unique: " + tensor.name);
    ordered.push_back(&tensor);
    payload_bytes += tensor.bytes.size();
  }
  std::ranges::sort(ordered, [](const TensorView* a, const TensorView* b) {
    return std::pair(dtype_rank(a->dtype), std::string_view(a->name)) <
           std::pair(dtype_rank(b->dtype), std::string_view(b->name));
  });

  const std::string header = header_json(ordered, metadata);
  std::string bytes;
  bytes.reserve(kLengthBytes + header.size() + payload_bytes);
  append_length(bytes, header.size());
  bytes += header;
  for (const TensorView* tensor : ordered)
    bytes.append(reinterpret_cast<const char*>(tensor->bytes.data()), tensor->bytes.size());
  return bytes;
}

TensorFile parse_safetensors(std::string bytes, const std::string& source) {
  require(
      bytes.size() >= kLengthBytes, "{}: {} bytes, too short for a header", source, bytes.size());
  const std::uint64_t header_bytes = read_length(bytes);
  const std::uint64_t limit = std::min<std::uint64_t>(kMaxHeaderBytes, bytes.size() - kLengthBytes);
  require(header_bytes <= limit,
          "{}: header of {} bytes, expected at most {}: truncated or not a safetensors file",
          source,
          header_bytes,
          limit);
  const std::string_view json = std::string_view(bytes).substr(kLengthBytes, header_bytes);
  TensorHeader header = parse_tensor_header(json, source);
  std::ranges::sort(header.tensors, [](const TensorEntry& a, const TensorEntry& b) {
    return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
  });
  const std::uint64_t payload_start = kLengthBytes + header_bytes;
  require_contiguous(header.tensors, bytes.size() - payload_start, source);

  TensorFile file;
  file.bytes = std::move(bytes);
  file.metadata = std::move(header.metadata);
  file.tensors.reserve(header.tensors.size());
  const auto payload = std::as_bytes(std::span(file.bytes)).subspan(payload_start);
  for (TensorEntry& tensor : header.tensors) {
    file.tensors.push_back({std::move(tensor.name),
                            tensor.dtype,
                            std::move(tensor.shape),
                            payload.subspan(tensor.begin, tensor.end - tensor.begin)});
  }
  return file;
}

}  // namespace myxtts::checkpoint
