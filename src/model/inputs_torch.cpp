#include "model/inputs_torch.h"

#include <array>
#include <cstring>

#include <fmt/format.h>

#include "base/error.h"

namespace myxtts::model {
namespace {

torch::Tensor wrap(std::vector<std::int64_t>& values, torch::IntArrayRef shape) {
  return torch::from_blob(values.data(), shape, torch::kInt64);
}

torch::Tensor wrap(std::vector<float>& values, torch::IntArrayRef shape) {
  return torch::from_blob(values.data(), shape, torch::kFloat32);
}

constexpr std::int64_t kAlignment = 64;

// Byte offsets of the six arrays in the order of Inputs, and the total size.
struct Layout {
  explicit Layout(const InputSizes& sizes) {
    const data::Signature& s = sizes.signature;
    constexpr std::int64_t kId = sizeof(std::int64_t);
    constexpr std::int64_t kValue = sizeof(float);
    add(s.batch * s.text * kId);
    add(s.batch * kId);
    add(s.batch * s.mel * sizes.n_mels * kValue);
    add(s.batch * kId);
    add(s.batch * sizes.reference_frames * sizes.n_mels * kValue);
    add(s.batch * kId);
  }

  void add(std::int64_t bytes) {
    begins[count++] = end;
    end += (bytes + kAlignment - 1) / kAlignment * kAlignment;
  }

  std::array<std::int64_t, 6> begins{};
  std::size_t count = 0;
  std::int64_t end = 0;
};

InputSizes input_sizes_of(const data::MicroBatch& batch) {
  return {.signature = batch.signature,
          .n_mels = batch.n_mels,
          .reference_frames = batch.reference_frames};
}

void check_lengths(const data::MicroBatch& batch) {
  for (std::size_t row = 0; row < batch.text_lengths.size(); ++row) {
    const std::int64_t text = batch.text_lengths[row];
    const std::int64_t mel = batch.mel_lengths[row];
    invariant(
        text >= 0 && text <= mel && text <= batch.signature.text && mel <= batch.signature.mel,
        fmt::format("row {} has {} symbols and {} frames within its signature", row, text, mel));
  }
}

}  // namespace

Inputs inputs_of(data::MicroBatch& batch) {
  const data::Signature& size = batch.signature;
  return {.text = wrap(batch.text, {size.batch, size.text}),
          .text_lengths = wrap(batch.text_lengths, {size.batch}),
          .mel = wrap(batch.mel, {size.batch, size.mel, batch.n_mels}),
          .mel_lengths = wrap(batch.mel_lengths, {size.batch}),
          .reference = wrap(batch.reference, {size.batch, batch.reference_frames, batch.n_mels}),
          .crop_starts = wrap(batch.crop_starts, {size.batch})};
}

Inputs moved_to(const Inputs& inputs, const torch::Device& device) {
  return {.text = inputs.text.to(device),
          .text_lengths = inputs.text_lengths.to(device),
          .mel = inputs.mel.to(device),
          .mel_lengths = inputs.mel_lengths.to(device),
          .reference = inputs.reference.to(device),
          .crop_starts = inputs.crop_starts.to(device)};
}

WaveformInputs waveform_inputs_of(data::MicroBatch& batch) {
  const data::Signature& size = batch.signature;
  return {.mel = wrap(batch.mel, {size.batch, size.mel, batch.n_mels}),
          .mel_lengths = wrap(batch.mel_lengths, {size.batch}),
          .waveform = wrap(batch.waveform, {size.batch, size.samples})};
}

WaveformInputs moved_to(const WaveformInputs& inputs, const torch::Device& device) {
  return {.mel = inputs.mel.to(device),
          .mel_lengths = inputs.mel_lengths.to(device),
          .waveform = inputs.waveform.to(device)};
}

std::int64_t packed_bytes(const InputSizes& sizes) {
  return Layout(sizes).end;
}

void pack(const data::MicroBatch& batch, std::span<std::byte> memory) {
  check_lengths(batch);
  const Layout layout(input_sizes_of(batch));
  invariant(std::ssize(memory) >= layout.end, "the packed micro-batch fits into the memory");
  const auto put = [&](std::size_t part, const auto& values) {
    std::memcpy(
        memory.data() + layout.begins[part], values.data(), values.size() * sizeof(values[0]));
  };
  put(0, batch.text);
  put(1, batch.text_lengths);
  put(2, batch.mel);
  put(3, batch.mel_lengths);
  put(4, batch.reference);
  put(5, batch.crop_starts);
}

Inputs unpacked(const torch::Tensor& memory, const InputSizes& sizes) {
  const Layout layout(sizes);
  const data::Signature& s = sizes.signature;
  const auto view = [&](std::size_t part, torch::ScalarType type, torch::IntArrayRef shape) {
    const auto width = static_cast<std::int64_t>(c10::elementSize(type));
    return memory.narrow(0, layout.begins[part], c10::multiply_integers(shape) * width)
        .view(type)
        .view(shape);
  };
  return {.text = view(0, torch::kInt64, {s.batch, s.text}),
          .text_lengths = view(1, torch::kInt64, {s.batch}),
          .mel = view(2, torch::kFloat32, {s.batch, s.mel, sizes.n_mels}),
          .mel_lengths = view(3, torch::kInt64, {s.batch}),
          .reference = view(4, torch::kFloat32, {s.batch, sizes.reference_frames, sizes.n_mels}),
          .crop_starts = view(5, torch::kInt64, {s.batch})};
}

}  // namespace myxtts::model
