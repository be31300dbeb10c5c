// What is left to chance in a batch, as pure functions of (seed, epoch, utterance): the same
// whatever worker makes it, in whatever order, before or after a resume.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace xtts::pipeline {

// The first frame of the crop of an utterance with `num_frames` frames: what the decoder sees of
// it, or what a batch of sound holds.
std::int64_t crop_start(std::uint64_t seed,
                        std::int64_t epoch,
                        std::size_t utterance,
                        std::int64_t num_frames,
                        std::int64_t crop_frames);

// Which recording of the same speaker is the reference of `utterance` in this epoch: another one
// where there is one. `same_speaker` holds the utterance itself.
std::size_t reference_of(std::uint64_t seed,
                         std::int64_t epoch,
                         std::size_t utterance,
                         std::span<const std::size_t> same_speaker);

// The first frame of the clip out of the reference of `utterance`.
std::int64_t clip_start(std::uint64_t seed,
                        std::int64_t epoch,
                        std::size_t utterance,
                        std::int64_t num_frames,
                        std::int64_t clip_frames);

// Who stands in for an utterance that was lost: an index below `count`, another one for each
// attempt.
std::size_t replacement(std::uint64_t seed,
                        std::int64_t epoch,
                        std::size_t utterance,
                        std::size_t attempt,
                        std::size_t count);

// Fills `clip` [R, C] with the frames of `mel` [M, C] from `start` on; a shorter mel repeats.
void copy_clip(std::span<const float> mel,
               std::int64_t n_mels,
               std::int64_t start,
               std::span<float> clip);

}  // namespace xtts::pipeline
