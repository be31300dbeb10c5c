#include "synthesis/trained_vocoder_torch.h"

#include <algorithm>

#include "base/error.h"
#include "checkpoint/tensors_torch.h"
#include "synthesis/finite_torch.h"

namespace myxtts::synthesis {
namespace {

VoiceMetadata vocoder_metadata_of(const checkpoint::LoadedCheckpoint& loaded) {
  VoiceMetadata metadata = voice_metadata_of(loaded);
  require(is_vocoder(metadata),
          "{} is not a vocoder; expected a run of 'myxtts train-vocoder'",
          loaded.folder.string());
  return metadata;
}

}  // namespace

TrainedVocoder::TrainedVocoder(const checkpoint::LoadedCheckpoint& loaded)
    : folder_(loaded.folder),
      metadata_(vocoder_metadata_of(loaded)),
      model_(metadata_.config.model, /*seed=*/0) {
  checkpoint::load_weights(loaded.model, model_.parameters(), /*use_ema=*/true);
  model_.mel_normalisation() = {.mean = static_cast<float>(metadata_.checkpoint.mel_mean),
                                .std = static_cast<float>(metadata_.checkpoint.mel_std)};
}

TrainedVocoder TrainedVocoder::load(const std::filesystem::path& run_or_checkpoint) {
  return TrainedVocoder(checkpoint::find_checkpoint(run_or_checkpoint));
}

void TrainedVocoder::require_mel_spec(const audio::MelSpec& mel_spec) const {
  require_same_mel_spec(metadata_, folder_, mel_spec);
}

std::vector<float> TrainedVocoder::waveform_of(const audio::Mel& mel,
                                               torch::ScalarType type) const {
  return waveform_range(mel, 0, mel.num_frames - 1, type);
}

std::vector<float> TrainedVocoder::waveform_range(const audio::Mel& mel,
                                                  std::int64_t begin,
                                                  std::int64_t end,
                                                  torch::ScalarType type) const {
  invariant(mel.n_mels == metadata_.mel_spec.n_mels, "the mel has the channels of the vocoder");
  invariant(begin >= 0 && end < std::max<std::int64_t>(mel.num_frames, 1),
            "the range is within the mel");
  if (begin >= end) return {};
  const c10::InferenceMode inference;
  const std::int64_t context = model_.context_frames();
  const std::int64_t first = std::max<std::int64_t>(begin - context, 0);
  const std::int64_t last = std::min(end + context, mel.num_frames - 1);
  const torch::Tensor frames =
      torch::tensor(at::ArrayRef<float>(mel.frame(first).data(),
                                        static_cast<std::size_t>((last - first + 1) * mel.n_mels)))
          .view({1, last - first + 1, mel.n_mels});
  const std::int64_t hop = metadata_.mel_spec.hop_length;
  const torch::Tensor waveform = model_.forward(frames, type)
                                     .cpu()
                                     .view({-1})
                                     .narrow(0, (begin - first) * hop, (end - begin) * hop)
                                     .contiguous();
  require(
      all_finite(waveform),
      "the vocoder output is not finite, so its training diverged; pass an earlier checkpoint with "
      "--vocoder");
  const float* values = waveform.const_data_ptr<float>();
  return {values, values + waveform.numel()};
}

}  // namespace myxtts::synthesis
