// Input tensors of the models: wraps, moves and packs micro-batches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <torch/types.h>

#include "data/batch.h"

namespace myxtts::model {

// Input tensors of the acoustic model for a micro-batch. B rows, T symbols, M frames, C channels, R
// frames of the reference clip.
struct Inputs {
  torch::Tensor text;          // [B, T]    int64
  torch::Tensor text_lengths;  // [B]       int64
  torch::Tensor mel;           // [B, M, C] float32, natural logarithm
  torch::Tensor mel_lengths;   // [B]       int64
  torch::Tensor reference;     // [B, R, C] float32
  torch::Tensor crop_starts;   // [B]       int64
};

// Wraps the memory of the micro-batch without copying; it must outlive the tensors.
Inputs inputs_of(data::MicroBatch& batch);

// Copies the inputs to a device. Tensors that are already there are shared.
Inputs moved_to(const Inputs& inputs, const torch::Device& device);

// Input tensors of the vocoder for a micro-batch. S samples.
struct WaveformInputs {
  torch::Tensor mel;          // [B, M, C] float32, natural logarithm
  torch::Tensor mel_lengths;  // [B]       int64; 0: an empty row
  torch::Tensor waveform;     // [B, S]    float32, frame k of the mel is centred on sample k * hop
};

// As inputs_of() and moved_to() above.
WaveformInputs waveform_inputs_of(data::MicroBatch& batch);
WaveformInputs moved_to(const WaveformInputs& inputs, const torch::Device& device);

// The properties that determine the shapes of Inputs.
struct InputSizes {
  data::Signature signature;
  std::int64_t n_mels = 0;
  std::int64_t reference_frames = 0;
};

// Returns the size of a memory block that holds all arrays of Inputs, each aligned to 64 bytes, so
// that one copy moves a micro-batch to a device.
std::int64_t packed_bytes(const InputSizes& sizes);

// Copies the micro-batch into packed_bytes() of memory. Throws BugError for a row that is longer
// than the signature or has more symbols than frames: device kernels do not check lengths.
void pack(const data::MicroBatch& batch, std::span<std::byte> memory);

// Returns views into a packed block on any device. memory [packed_bytes] uint8.
Inputs unpacked(const torch::Tensor& memory, const InputSizes& sizes);

}  // namespace myxtts::model
