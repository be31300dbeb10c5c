#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <torch/types.h>

#include "pipeline/features.h"
#include "pipeline/unreadable_utterances.h"

namespace xtts::train {

// Clips by which a save knows the voice of a speaker, at most.
inline constexpr std::size_t kClipsPerSpeaker = 8;
// What the clips of all speakers may take; many speakers have fewer each.
inline constexpr std::int64_t kMostClipBytes = std::int64_t{256} << 20U;

// How many clips each speaker has, if there are as many recordings: at least 1.
std::size_t clips_per_speaker(std::size_t num_speakers, std::int64_t reference_frames, int n_mels);

// A few clips of each speaker, read once: [N, R, C] float32 each, in the order of
// `features.speakers`. They are spread over all recordings of the speaker; in place of one that is
// lost there is the next one. So nothing that becomes of a recording later can stop a save. Throws
// UserError if no recording of a speaker can be read, or if too many are lost, and
// base::Interrupted after a signal.
std::vector<torch::Tensor> read_speaker_clips(const pipeline::FeatureSet& features,
                                              std::int64_t reference_frames,
                                              pipeline::UnreadableUtterances& lost);

}  // namespace xtts::train
