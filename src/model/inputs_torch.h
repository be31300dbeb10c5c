#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <torch/types.h>

#include "pipeline/batch.h"

namespace xtts::model {

// A micro-batch as tensors. B rows, T symbols, M frames, C channels, R frames of the reference
// clip.
struct Inputs {
  torch::Tensor text;          // [B, T]    int64
  torch::Tensor text_lengths;  // [B]       int64
  torch::Tensor mel;           // [B, M, C] float32, natural logarithm
  torch::Tensor mel_lengths;   // [B]       int64
  torch::Tensor reference;     // [B, R, C] float32
  torch::Tensor crop_starts;   // [B]       int64
};

// Wraps the batch's memory; nothing is copied, so the batch must outlive the tensors.
Inputs inputs_of(pipeline::MicroBatch& batch);

// The same on a device; those that are there already are not copied.
Inputs moved_to(const Inputs& inputs, const torch::Device& device);

// A micro-batch of sound as tensors. S samples.
struct WaveformInputs {
  torch::Tensor mel;          // [B, M, C] float32, natural logarithm
  torch::Tensor mel_lengths;  // [B]       int64; 0: an empty row
  torch::Tensor sound;        // [B, S]    float32, frame k of the mel is centred on sample k * hop
};

// Wraps and moves, as for other batches.
WaveformInputs waveform_inputs_of(pipeline::MicroBatch& batch);
WaveformInputs moved_to(const WaveformInputs& inputs, const torch::Device& device);

// What decides how large the inputs are.
struct InputSizes {
  pipeline::Signature signature;
  std::int64_t n_mels = 0;
  std::int64_t reference_frames = 0;
};

// The same six arrays one after another in one block of memory, so that a micro-batch goes to a
// device in one copy. Each begins at a multiple of 64 bytes.
std::int64_t packed_bytes(const InputSizes& sizes);

// Copies the batch into packed_bytes() of memory. Throws BugError for a row that is longer than the
// signature or has more symbols than frames: on a device nothing would notice.
void pack(const pipeline::MicroBatch& batch, std::span<std::byte> memory);

// Views into such a block on any device: memory [packed_bytes] uint8.
Inputs unpacked(const torch::Tensor& memory, const InputSizes& sizes);

}  // namespace xtts::model
