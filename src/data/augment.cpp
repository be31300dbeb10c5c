#include "data/augment.h"

#include <algorithm>

#include "base/error.h"
#include "base/random.h"

namespace myxtts::data {
namespace {

// Derives an independent seed for each purpose, epoch and utterance.
std::uint64_t utterance_seed(std::uint64_t seed,
                             std::string_view purpose,
                             std::int64_t epoch,
                             std::size_t utterance) {
  const std::uint64_t of_epoch = base::mix_seed(seed, purpose, static_cast<std::uint64_t>(epoch));
  return base::mix_seed(of_epoch, "utterance", utterance);
}

// Returns a random start of a window of `window` frames; 0 if there are not more frames.
std::int64_t window_start(std::uint64_t window_seed, std::int64_t num_frames, std::int64_t window) {
  if (num_frames <= window) return 0;
  const auto starts = static_cast<std::uint64_t>(num_frames - window + 1);
  return static_cast<std::int64_t>(base::Random(window_seed).below(starts));
}

}  // namespace

std::int64_t crop_start(std::uint64_t seed,
                        std::int64_t epoch,
                        std::size_t utterance,
                        std::int64_t num_frames,
                        std::int64_t crop_frames) {
  if (crop_frames <= 0) return 0;
  return window_start(utterance_seed(seed, "crop", epoch, utterance), num_frames, crop_frames);
}

std::size_t pick_reference(std::uint64_t seed,
                           std::int64_t epoch,
                           std::size_t utterance,
                           std::span<const std::size_t> same_speaker) {
  if (same_speaker.size() < 2) return utterance;
  base::Random random(utterance_seed(seed, "reference", epoch, utterance));
  // Draws from all but the last, which replaces the utterance itself: the rest is equally likely.
  const std::size_t drawn = same_speaker[random.below(same_speaker.size() - 1)];
  return drawn == utterance ? same_speaker.back() : drawn;
}

std::int64_t reference_clip_start(std::uint64_t seed,
                                  std::int64_t epoch,
                                  std::size_t utterance,
                                  std::int64_t num_frames,
                                  std::int64_t clip_frames) {
  return window_start(utterance_seed(seed, "clip", epoch, utterance), num_frames, clip_frames);
}

std::size_t pick_replacement(std::uint64_t seed,
                             std::int64_t epoch,
                             std::size_t utterance,
                             std::size_t attempt,
                             std::size_t count) {
  const std::uint64_t of_utterance = utterance_seed(seed, "stand-in", epoch, utterance);
  return base::Random(base::mix_seed(of_utterance, "attempt", attempt)).below(count);
}

void copy_clip(std::span<const float> mel,
               std::int64_t n_mels,
               std::int64_t start,
               std::span<float> clip) {
  invariant(!mel.empty(), "a mel has frames");
  std::size_t from = static_cast<std::size_t>(start * n_mels);
  while (!clip.empty()) {
    const std::size_t count = std::min(clip.size(), mel.size() - from);
    std::ranges::copy(mel.subspan(from, count), clip.begin());
    clip = clip.subspan(count);
    from = 0;
  }
}

}  // namespace myxtts::data
