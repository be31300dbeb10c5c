#include "model/inputs_torch.h"

namespace xtts::model {
namespace {

torch::Tensor wrap(std::vector<std::int64_t>& values, torch::IntArrayRef shape) {
  return torch::from_blob(values.data(), shape, torch::kInt64);
}

torch::Tensor wrap(std::vector<float>& values, torch::IntArrayRef shape) {
  return torch::from_blob(values.data(), shape, torch::kFloat32);
}

}  // namespace

Inputs inputs_of(pipeline::Batch& batch) {
  const pipeline::Signature& size = batch.signature;
  return {.text = wrap(batch.text, {size.batch, size.text}),
          .text_lengths = wrap(batch.text_lengths, {size.batch}),
          .mel = wrap(batch.mel, {size.batch, size.mel, batch.n_mels}),
          .mel_lengths = wrap(batch.mel_lengths, {size.batch}),
          .reference = wrap(batch.reference, {size.batch, batch.reference_frames, batch.n_mels}),
          .crop_starts = wrap(batch.crop_starts, {size.batch})};
}

}  // namespace xtts::model
