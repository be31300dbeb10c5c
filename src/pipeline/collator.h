#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <vector>

#include "pipeline/batch.h"
#include "pipeline/epoch_order.h"
#include "pipeline/features.h"
#include "pipeline/unreadable_utterances.h"

namespace xtts::pipeline {

struct LoaderSettings {
  std::uint64_t seed = 1;
  int grad_accum = 1;
  std::int64_t reference_frames = 258;  // R; 0: batches without voices
  std::int64_t crop_frames = 0;         // frames the decoder sees of each utterance; 0: all
  float mel_pad = 0.0F;                 // logarithm of the mel floor
};

// Frames of data.reference_audio_length, at least 1.
std::int64_t reference_frames_of(const config::Config& config);

// Those of a run.
LoaderSettings loader_settings_of(const config::Config& config);
// Those of a run on batches of sound: no voices.
LoaderSettings vocoder_loader_settings_of(const config::Config& config);

// What a thread is reading, for others who wonder why it takes so long.
class ReadTimer {
 public:
  using Clock = std::chrono::steady_clock;

  void begin(std::size_t utterance) {
    utterance_.store(utterance, std::memory_order_relaxed);
    since_.store(Clock::now().time_since_epoch().count(), std::memory_order_release);
  }
  void end() { since_.store(0, std::memory_order_release); }

  std::size_t utterance() const { return utterance_.load(std::memory_order_relaxed); }
  // When the read that goes on began; zero: none does.
  Clock::duration since() const { return Clock::duration(since_.load(std::memory_order_acquire)); }
  // How long it has taken; zero: none does.
  Clock::duration taken() const { return taken_since(since()); }
  static Clock::duration taken_since(Clock::duration since) {
    return since == Clock::duration(0) ? since : Clock::now().time_since_epoch() - since;
  }

 private:
  std::atomic<std::size_t> utterance_ = 0;
  std::atomic<Clock::rep> since_ = 0;
};

// Thrown in a thread that others no longer wait for, as soon as its read returns.
struct Abandoned : std::exception {};

// What one thread needs to make updates; no two at once use the same.
struct CollatorScratch {
  MelScratch mel;
  ReadTimer watch;
  std::atomic<bool> is_abandoned = false;
};

// Makes the batches of planned updates out of features: of texts and mels, or, if the set has
// crop_hops, of sound: of each utterance a crop of so many hops with the frames of its whole mel
// there; a shorter one is padded with silence and counts like any other. Features and plan are
// borrowed and must outlive it; the store of the mels is shared. Thread-safe, and calls no ATen
// operation.
class Collator {
 public:
  Collator(const FeatureSet& features, const ShapePlan& plan, LoaderSettings settings);

  // Fills `update` except for `next`. Same arguments, same update, bit for bit. Memory that it has
  // is used again: none is asked for but the first time. An utterance that cannot be read is lost;
  // another one of the same signature takes its row. Any other error of reading has its id.
  void make(const PlannedBatch& planned,
            std::int64_t epoch,
            CollatorScratch& scratch,
            Batch& update) const;

  // Of an update that has held every signature of the plan; what a dynamic one may have at most.
  std::size_t most_bytes() const;

  UnreadableUtterances& lost() const { return lost_; }
  const Features& features_of(std::size_t utterance) const {
    return features_.utterances.at(utterance);
  }

 private:
  struct Row;

  Signature own_signature(const std::vector<std::size_t>& utterances) const;
  // `place`: where a mel that has to be made may go.
  std::span<const float> read(std::size_t utterance,
                              CollatorScratch& scratch,
                              std::span<float> place) const;
  template <typename Read>
  bool read_watched(std::size_t utterance, CollatorScratch& scratch, const Read& read) const;
  std::size_t fill_features(const Row& row, std::size_t utterance) const;
  bool fill_mel(const Row& row, std::size_t utterance) const;
  bool fill_crop(const Row& row, std::size_t utterance) const;
  void fill_reference(const Row& row, std::size_t utterance) const;
  void fill_row(const Row& row, std::size_t utterance) const;

  const FeatureSet& features_;
  const ShapePlan& plan_;
  const LoaderSettings settings_;
  const std::vector<std::vector<std::size_t>> by_speaker_;
  mutable UnreadableUtterances lost_;
};

}  // namespace xtts::pipeline
