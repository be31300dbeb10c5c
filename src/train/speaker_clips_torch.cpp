#include "train/speaker_clips_torch.h"

#include <algorithm>
#include <optional>

#include <ATen/ops/empty.h>
#include <ATen/ops/stack.h>

#include "base/error.h"
#include "base/interrupt.h"
#include "data/augment.h"

namespace myxtts::train {
namespace {

std::vector<std::vector<std::size_t>> recordings_by_speaker(const data::FeatureSet& features) {
  std::vector<std::vector<std::size_t>> by_speaker(features.speakers.size());
  for (std::size_t i = 0; i < features.utterances.size(); ++i)
    by_speaker.at(features.utterances[i].speaker).push_back(i);
  return by_speaker;
}

// Returns the middle of the mel.
torch::Tensor clip_of(const audio::Mel& mel, std::int64_t reference_frames) {
  torch::Tensor clip = at::empty({reference_frames, mel.n_mels}, torch::kFloat32);
  const std::int64_t beyond = mel.num_frames - reference_frames;
  data::copy_clip(mel.values,
                  mel.n_mels,
                  std::max<std::int64_t>(0, beyond / 2),
                  {clip.data_ptr<float>(), static_cast<std::size_t>(clip.numel())});
  return clip;
}

// Returns clips of `count` recordings, evenly distributed over `all`.
std::vector<torch::Tensor> clips_of(const data::FeatureSet& features,
                                    const std::vector<std::size_t>& all,
                                    std::size_t count,
                                    std::int64_t reference_frames,
                                    data::UnreadableUtterances& unreadable) {
  std::vector<torch::Tensor> clips;
  std::size_t next = 0;  // index in `all` of the next recording to try
  for (std::size_t i = 0; i < count; ++i) {
    for (next = std::max(next, i * all.size() / count); next < all.size();) {
      base::check_interrupt();
      const std::optional<audio::Mel> mel = data::try_read_mel(features, all[next++], unreadable);
      if (!mel) continue;
      clips.push_back(clip_of(*mel, reference_frames));
      break;
    }
  }
  return clips;
}

}  // namespace

std::size_t clips_per_speaker(std::size_t num_speakers, std::int64_t reference_frames, int n_mels) {
  const std::int64_t clip_bytes = reference_frames * n_mels * std::int64_t{sizeof(float)};
  const auto room = static_cast<std::size_t>(kMaxClipBytes / clip_bytes) / num_speakers;
  return std::clamp<std::size_t>(room, 1, kClipsPerSpeaker);
}

std::vector<torch::Tensor> read_speaker_clips(const data::FeatureSet& features,
                                              std::int64_t reference_frames,
                                              data::UnreadableUtterances& unreadable) {
  const std::size_t most =
      clips_per_speaker(features.speakers.size(), reference_frames, features.n_mels);
  std::vector<torch::Tensor> by_speaker;
  for (const std::vector<std::size_t>& all : recordings_by_speaker(features)) {
    const std::vector<torch::Tensor> clips =
        clips_of(features, all, std::min(most, all.size()), reference_frames, unreadable);
    require(!clips.empty(),
            "no recording of speaker '{}' is readable; restore one or remove the speaker from the "
            "metadata, then run the same command again",
            features.speakers[by_speaker.size()]);
    by_speaker.push_back(at::stack(clips));
  }
  return by_speaker;
}

}  // namespace myxtts::train
