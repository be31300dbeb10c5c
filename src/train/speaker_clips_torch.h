#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <torch/types.h>

#include "data/features.h"
#include "data/unreadable_utterances.h"

namespace myxtts::train {

// Reads the reference clips from which checkpoints compute speaker embeddings.

// Maximum number of clips per speaker.
inline constexpr std::size_t kClipsPerSpeaker = 8;
// Memory limit for the clips of all speakers; with many speakers, each has fewer clips.
inline constexpr std::int64_t kMaxClipBytes = std::int64_t{256} << 20U;

// Returns the number of clips per speaker, at least 1, if there are enough recordings.
std::size_t clips_per_speaker(std::size_t num_speakers, std::int64_t reference_frames, int n_mels);

// Reads a few clips of each speaker: [N, R, C] float32 per speaker, in the order of
// `features.speakers`, evenly distributed over the speaker's recordings. The next recording
// replaces an unreadable one. Reading once at the start makes checkpoints independent of the
// recordings. Throws UserError if a speaker has no readable recording or too many are unreadable,
// and base::Interrupted after a signal.
std::vector<torch::Tensor> read_speaker_clips(const data::FeatureSet& features,
                                              std::int64_t reference_frames,
                                              data::UnreadableUtterances& unreadable);

}  // namespace myxtts::train
