#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "pipeline/batch.h"
#include "pipeline/epoch_order.h"
#include "pipeline/features.h"

namespace xtts::pipeline {

struct LoaderSettings {
  std::uint64_t seed = 1;
  int grad_accum = 1;
  std::int64_t reference_frames = 258;  // R
  std::int64_t crop_frames = 0;         // frames the decoder sees of each utterance; 0: all
  float mel_pad = 0.0F;                 // logarithm of the mel floor
};

// The first frame of the decoder's crop of an utterance with `num_frames` frames; a pure function.
std::int64_t crop_start(std::uint64_t seed,
                        std::int64_t epoch,
                        std::size_t utterance,
                        std::int64_t num_frames,
                        std::int64_t crop_frames);

// Which recording of the same speaker is the reference of `utterance` in this epoch: another one
// where there is one. `same_speaker` holds the utterance itself. A pure function.
std::size_t reference_of(std::uint64_t seed,
                         std::int64_t epoch,
                         std::size_t utterance,
                         std::span<const std::size_t> same_speaker);

// [R, C] out of a mel: R frames that begin where `clip_seed` says; a shorter mel repeats from its
// start. A pure function.
std::vector<float> reference_clip(const audio::Mel& mel,
                                  std::int64_t reference_frames,
                                  std::uint64_t clip_seed);

// Frames of data.reference_audio_length, at least 1.
std::int64_t reference_frames_of(const config::Config& config);

// The updates of a run, one after the other, epoch after epoch, without end. Features and plan are
// borrowed and must outlive it. Not thread-safe; calls no ATen operation.
class Loader {
 public:
  // Throws UserError if the utterances do not fill one update of the plan.
  Loader(const FeatureSet& features, const ShapePlan& plan, LoaderSettings settings);

  // The next update. Same settings and position, same update, bit for bit.
  Update next();

  // next() continues there. Throws UserError for a position that the epoch does not have, as after
  // the corpus has changed.
  void seek(const LoaderPosition& position);
  LoaderPosition position() const { return position_; }
  std::int64_t updates_in_epoch(std::int64_t epoch) const;

 private:
  void enter_epoch(std::int64_t epoch);  // makes order_ that of the epoch

  const FeatureSet& features_;
  const ShapePlan& plan_;
  LoaderSettings settings_;
  std::vector<Lengths> lengths_;
  std::vector<std::vector<std::size_t>> by_speaker_;
  LoaderPosition position_;
  std::int64_t ordered_epoch_ = -1;
  std::vector<PlannedUpdate> order_;
};

// Every utterance that the plan holds once, for validation: references and crops are those of epoch
// 0. Each element is an update of one micro-batch whose counts are those of all elements together,
// so that summing their losses gives the mean over the set. Their `next` means nothing.
std::vector<Update> validation_updates(const FeatureSet& features,
                                       const ShapePlan& plan,
                                       const LoaderSettings& settings);

}  // namespace xtts::pipeline
