#pragma once

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
Inputs inputs_of(pipeline::Batch& batch);

}  // namespace xtts::model
