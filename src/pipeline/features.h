#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "audio/mel.h"
#include "config/config.h"
#include "corpus/reader.h"
#include "pipeline/feature_cache.h"
#include "pipeline/mel_extractor.h"
#include "pipeline/mel_store.h"
#include "pipeline/signature.h"
#include "pipeline/waveform_store.h"

namespace xtts::pipeline {

class UnreadableUtterances;

// Sums over values, from which mean and deviation of a corpus follow.
struct MelMoments {
  double sum = 0.0;
  double squares = 0.0;
};

// One utterance as the model sees it.
struct Features {
  std::string id;
  std::string transcript;          // as the metadata has it
  std::size_t speaker = 0;         // index into FeatureSet::speakers
  std::vector<std::int64_t> text;  // [T] symbol ids
  std::int64_t num_frames = 0;     // M; the mel itself is in FeatureSet::mels
  MelMoments moments;              // of all values of the mel

  Lengths lengths() const { return {static_cast<std::int64_t>(text.size()), num_frames}; }
};

// A corpus as a training sees it: small things in memory, mels in a store.
struct FeatureSet {
  std::vector<Features> utterances;      // the good ones, in the corpus's order
  std::vector<std::string> speakers;     // of the good ones, sorted, each once; "" is one: unnamed
  std::vector<corpus::Problem> skipped;  // the others, in order, each with its reason
  int n_mels = 0;                        // C
  std::shared_ptr<const MelStore> mels;  // of the good ones, by their index
  std::shared_ptr<const WaveformStore> sounds =
      nullptr;                 // theirs, if batches of sound are made of it
  std::int64_t crop_hops = 0;  // of an utterance in a batch of sound; 0: batches of texts and mels

  // What an utterance needs of a signature. A crop of sound is as long as any other: shorter
  // utterances are padded with silence.
  Lengths lengths_of(std::size_t utterance) const;
  std::vector<Lengths> lengths() const;  // of all
  // A copy of its own. Throws UnreadableUtterance if it is no longer what it was, or if reading it
  // does not end (patient_mels.h).
  audio::Mel mel(std::size_t utterance) const;
};

// The same for one who can do without: nothing if it is lost, now or before. Throws UserError as
// UnreadableUtterances::lose().
std::optional<audio::Mel> mel_or_loss(const FeatureSet& features,
                                      std::size_t utterance,
                                      UnreadableUtterances& lost);

MelMoments moments_of(std::span<const float> values);

// Gives a set its mels, one [M, C] per utterance, in memory; lengths and moments follow.
void keep_in_memory(FeatureSet& set, int n_mels, std::vector<std::vector<float>> mels);

// Where the mels of a corpus are to be, and its samples where they are needed, and who makes them.
// Samples have no cache on disk: those that memory has no room for are decoded whenever asked for.
struct MelPlacement {
  double memory_bytes = std::numeric_limits<double>::infinity();  // as many as fit into this
  std::shared_ptr<FeatureCache> cache = nullptr;  // the others; null: computed whenever asked for
  std::shared_ptr<const MelExtractor> maker = nullptr;  // null: FastMel on this processor
  std::int64_t crop_hops = 0;  // > 0: keeps samples too, for batches of sound of so many hops
};

// Reads, decodes, prepares and encodes every utterance, bit for bit the same whatever `num_workers`
// is (0 or 1: one after the other). One whose read does not end is skipped as `stuck`. What else is
// skipped, and why, is what the check of the corpus says; among others a
// text with more symbols than its mel has frames, which cannot be aligned
// (`more_symbols_than_frames`). `on_done(1)` once per utterance, on the caller's thread. Throws
// UsageError for a mel contract or text settings that cannot be, UserError if the text front end
// cannot run at all or the disk does not answer.
FeatureSet load_features(const corpus::Corpus& corpus,
                         const config::Config& config,
                         int num_workers,
                         const std::function<void(std::size_t)>& on_done = {},
                         const MelPlacement& placement = {});

}  // namespace xtts::pipeline
