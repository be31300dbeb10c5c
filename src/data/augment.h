// Random crops, references and replacements, as pure functions of (seed, epoch, utterance). They do
// not depend on the worker, the order of collation or a resume.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace myxtts::data {

// Returns the first frame of a random crop of an utterance with `num_frames` frames: the decoder's
// crop, or the crop of a waveform batch.
std::int64_t crop_start(std::uint64_t seed,
                        std::int64_t epoch,
                        std::size_t utterance,
                        std::int64_t num_frames,
                        std::int64_t crop_frames);

// Picks the reference of `utterance` in this epoch: another recording of the same speaker if there
// is one. `same_speaker` contains the utterance itself.
std::size_t pick_reference(std::uint64_t seed,
                           std::int64_t epoch,
                           std::size_t utterance,
                           std::span<const std::size_t> same_speaker);

// Returns the first frame of the reference clip of `utterance`.
std::int64_t reference_clip_start(std::uint64_t seed,
                                  std::int64_t epoch,
                                  std::size_t utterance,
                                  std::int64_t num_frames,
                                  std::int64_t clip_frames);

// Picks the replacement of an unreadable utterance: an index below `count`, per attempt.
std::size_t pick_replacement(std::uint64_t seed,
                             std::int64_t epoch,
                             std::size_t utterance,
                             std::size_t attempt,
                             std::size_t count);

// Fills `clip` [R, C] with the frames of `mel` [M, C] from `start` on. A shorter mel is repeated.
void copy_clip(std::span<const float> mel,
               std::int64_t n_mels,
               std::int64_t start,
               std::span<float> clip);

}  // namespace myxtts::data
