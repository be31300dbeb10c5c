// Builds padded batches from features: the collate function of the data loader.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <vector>

#include "data/batch.h"
#include "data/epoch_order.h"
#include "data/features.h"
#include "data/unreadable_utterances.h"

namespace myxtts::data {

struct LoaderSettings {
  std::uint64_t seed = 1;
  int grad_accum = 1;
  std::int64_t reference_frames = 258;  // R, frames of the reference clip; 0: none
  std::int64_t crop_frames = 0;         // frames of the decoder's crop; 0: no crops
  float mel_pad = 0.0F;                 // logarithm of the mel floor
};

// Converts data.reference_audio_length to frames, at least 1.
std::int64_t reference_frames_of(const config::Config& config);

// Returns the settings for text and mel batches.
LoaderSettings loader_settings_of(const config::Config& config);
// Returns the settings for waveform batches, which have no reference clip and no decoder crop.
LoaderSettings vocoder_loader_settings_of(const config::Config& config);

// Publishes which utterance a thread reads and since when, to detect stuck reads.
class ReadTimer {
 public:
  using Clock = std::chrono::steady_clock;

  void begin(std::size_t utterance) {
    utterance_.store(utterance, std::memory_order_relaxed);
    since_.store(Clock::now().time_since_epoch().count(), std::memory_order_release);
  }
  void end() { since_.store(0, std::memory_order_release); }

  std::size_t utterance() const { return utterance_.load(std::memory_order_relaxed); }
  // Returns the start of the current read; zero if there is none.
  Clock::duration since() const { return Clock::duration(since_.load(std::memory_order_acquire)); }
  // Returns the duration of the current read; zero if there is none.
  Clock::duration elapsed() const { return elapsed_since(since()); }
  static Clock::duration elapsed_since(Clock::duration since) {
    return since == Clock::duration(0) ? since : Clock::now().time_since_epoch() - since;
  }

 private:
  std::atomic<std::size_t> utterance_ = 0;
  std::atomic<Clock::rep> since_ = 0;
};

// Thrown in an abandoned worker thread as soon as its read returns.
struct Abandoned : std::exception {};

// Working memory of one collating thread. Threads never share one.
struct CollatorScratch {
  MelScratch mel;
  ReadTimer read_timer;
  std::atomic<bool> is_abandoned = false;
};

// Builds batches from features. Rows hold text and mel; if FeatureSet::crop_hops is set, rows hold
// a waveform crop of that many hops and the matching frames of the utterance's mel, padded with
// silence. Features and plan are borrowed and must outlive the collator; the mel store is shared.
// Thread-safe. Calls no ATen operation.
class Collator {
 public:
  Collator(const FeatureSet& features, const ShapePlan& plan, LoaderSettings settings);

  // Fills `batch` except for `next`. Equal arguments give bit-identical batches. Memory of `batch`
  // is reused: only the first use allocates. An unreadable utterance is recorded and replaced by
  // another one that fits the signature. Any other read error is rethrown with the utterance's id.
  void collate(const PlannedBatch& planned,
               std::int64_t epoch,
               CollatorScratch& scratch,
               Batch& batch) const;

  // Returns the memory of a batch that is reserved for every signature of the plan.
  std::size_t max_batch_bytes() const;

  UnreadableUtterances& unreadable() const { return unreadable_; }
  const Features& features_of(std::size_t utterance) const {
    return features_.utterances.at(utterance);
  }

 private:
  struct Row;

  Signature dynamic_signature(const std::vector<std::size_t>& utterances) const;
  // Returns the mel, which the store may compute in `destination`; empty if it is unreadable.
  std::span<const float> read(std::size_t utterance,
                              CollatorScratch& scratch,
                              std::span<float> destination) const;
  template <typename Read>
  bool read_timed(std::size_t utterance, CollatorScratch& scratch, const Read& read) const;
  std::size_t fill_features(const Row& row, std::size_t utterance) const;
  bool fill_mel(const Row& row, std::size_t utterance) const;
  bool fill_crop(const Row& row, std::size_t utterance) const;
  void fill_reference(const Row& row, std::size_t utterance) const;
  void fill_row(const Row& row, std::size_t utterance) const;

  const FeatureSet& features_;
  const ShapePlan& plan_;
  const LoaderSettings settings_;
  const std::vector<std::vector<std::size_t>> by_speaker_;
  mutable UnreadableUtterances unreadable_;
};

}  // namespace myxtts::data
