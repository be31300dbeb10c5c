#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "base/random.h"
#include "checkpoint/checkpoint_store.h"

namespace myxtts::checkpoint {

inline std::string random_bytes(std::size_t count, std::uint64_t seed) {
  base::Random random(seed);
  std::string bytes(count, '\0');
  for (char& byte : bytes)
    byte = static_cast<char>(random.next());
  return bytes;
}

inline std::span<const std::byte> view_of(const std::string& bytes) {
  return std::as_bytes(std::span(bytes));
}

// A checkpoint of about a kilobyte with the bytes that its views need. Its values depend on the
// step.
class SmallCheckpoint {
 public:
  explicit SmallCheckpoint(std::int64_t step) {
    const auto seed = static_cast<std::uint64_t>(step);
    for (std::uint64_t i = 0; i < 5; ++i)
      bytes_.push_back(random_bytes(kSizes.at(i), 10 * seed + i));
    content_.step = step;
    content_.model = {{"encoder.weight", DType::kF32, {4, 3}, view_of(bytes_[0])},
                      {"ema.encoder.weight", DType::kF32, {4, 3}, view_of(bytes_[1])},
                      {"count", DType::kI64, {2}, view_of(bytes_[2])}};
    content_.trainer = {{"adam.m", DType::kF32, {12}, view_of(bytes_[3])},
                        {"adam.half", DType::kBf16, {3, 1}, view_of(bytes_[4])}};
    content_.config_json = "{\"step\":" + std::to_string(step) + "}";
  }
  SmallCheckpoint(const SmallCheckpoint&) = delete;
  SmallCheckpoint& operator=(const SmallCheckpoint&) = delete;

  const CheckpointContent& content() const { return content_; }

 private:
  static constexpr std::array<std::size_t, 5> kSizes = {48, 48, 16, 48, 6};
  std::vector<std::string> bytes_;
  CheckpointContent content_;
};

inline bool same_tensors(const std::vector<TensorView>& expected, const TensorFile& found) {
  return expected.size() == found.tensors.size() &&
         std::ranges::all_of(expected, [&](const TensorView& tensor) {
           const TensorView* other = found.find(tensor.name);
           return other != nullptr && other->dtype == tensor.dtype &&
                  other->shape == tensor.shape && std::ranges::equal(other->bytes, tensor.bytes);
         });
}

// Returns whether a loaded checkpoint equals SmallCheckpoint(step) exactly.
inline bool is_small_checkpoint(const LoadedCheckpoint& checkpoint, std::int64_t step) {
  const SmallCheckpoint expected(step);
  return checkpoint.step == step && checkpoint.config_json == expected.content().config_json &&
         same_tensors(expected.content().model, checkpoint.model) &&
         same_tensors(expected.content().trainer, checkpoint.trainer);
}

inline std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void overwrite(const std::filesystem::path& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

inline std::vector<std::string> names_in(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

}  // namespace myxtts::checkpoint
