#include "speak/trained_vocoder_torch.h"

#include <algorithm>

#include "base/error.h"
#include "checkpoint/tensors_torch.h"
#include "speak/finite_torch.h"

namespace xtts::speak {
namespace {

VoiceMetadata facts_of_vocoder(const checkpoint::LoadedCheckpoint& save) {
  VoiceMetadata saved = voice_metadata_of(save);
  require(is_vocoder(saved),
          "{} is no vocoder; expected a run of 'myxtts train-vocoder'",
          save.folder.string());
  return saved;
}

}  // namespace

TrainedVocoder::TrainedVocoder(const checkpoint::LoadedCheckpoint& save)
    : folder_(save.folder),
      saved_(facts_of_vocoder(save)),
      model_(saved_.config.model, /*seed=*/0) {
  checkpoint::load_weights(save.model, model_.parameters(), /*averaged=*/true);
  model_.mel_scale() = {.mean = static_cast<float>(saved_.facts.mel_mean),
                        .std = static_cast<float>(saved_.facts.mel_std)};
}

TrainedVocoder TrainedVocoder::load(const std::filesystem::path& run_or_save) {
  return TrainedVocoder(checkpoint::find_checkpoint(run_or_save));
}

void TrainedVocoder::require_contract(const audio::MelSpec& contract) const {
  require_same_mel_spec(saved_, folder_, contract);
}

std::vector<float> TrainedVocoder::sound_of(const audio::Mel& mel, torch::ScalarType type) const {
  return part_of(mel, 0, mel.num_frames - 1, type);
}

std::vector<float> TrainedVocoder::part_of(const audio::Mel& mel,
                                           std::int64_t begin,
                                           std::int64_t end,
                                           torch::ScalarType type) const {
  invariant(mel.n_mels == saved_.contract.n_mels, "the mel is of the vocoder's contract");
  invariant(begin >= 0 && end < std::max<std::int64_t>(mel.num_frames, 1), "the part is in it");
  if (begin >= end) return {};
  const c10::InferenceMode inference;
  const std::int64_t context = model_.context_frames();
  const std::int64_t first = std::max<std::int64_t>(begin - context, 0);
  const std::int64_t last = std::min(end + context, mel.num_frames - 1);
  const torch::Tensor frames =
      torch::tensor(at::ArrayRef<float>(mel.frame(first).data(),
                                        static_cast<std::size_t>((last - first + 1) * mel.n_mels)))
          .view({1, last - first + 1, mel.n_mels});
  const std::int64_t hop = saved_.contract.hop_length;
  const torch::Tensor sound = model_.forward(frames, type)
                                  .cpu()
                                  .view({-1})
                                  .narrow(0, (begin - first) * hop, (end - begin) * hop)
                                  .contiguous();
  require(all_finite(sound),
          "the vocoder answered with values that are no numbers; its training went wrong: name an "
          "earlier save with --vocoder");
  const float* values = sound.const_data_ptr<float>();
  return {values, values + sound.numel()};
}

}  // namespace xtts::speak
