// The features of a corpus: symbol ids in memory, mels and waveforms in stores.
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
#include "data/feature_cache.h"
#include "data/mel_extractor.h"
#include "data/mel_store.h"
#include "data/signature.h"
#include "data/waveform_store.h"

namespace myxtts::data {

class UnreadableUtterances;

// Sums over mel values, for the mean and standard deviation of a corpus.
struct MelMoments {
  double sum = 0.0;
  double squares = 0.0;
};

// Features of one utterance.
struct Features {
  std::string id;
  std::string transcript;          // as in the metadata
  std::size_t speaker = 0;         // index into FeatureSet::speakers
  std::vector<std::int64_t> text;  // [T] symbol ids
  std::int64_t num_frames = 0;     // M; the mel itself is in FeatureSet::mels
  MelMoments moments;              // of all values of the mel

  Lengths lengths() const { return {static_cast<std::int64_t>(text.size()), num_frames}; }
};

// Features of a corpus, with stores for the mels and waveforms.
struct FeatureSet {
  std::vector<Features> utterances;      // usable ones, in corpus order
  std::vector<std::string> speakers;     // of these utterances, sorted, unique; "" is unnamed
  std::vector<corpus::Problem> skipped;  // all other utterances, in order, each with its reason
  int n_mels = 0;                        // C
  std::shared_ptr<const MelStore> mels;  // by index into `utterances`
  std::shared_ptr<const WaveformStore> waveforms = nullptr;  // by index; null unless needed
  std::int64_t crop_hops = 0;  // crop length of a waveform batch; 0: text and mel batches

  // Returns the lengths of an utterance in a batch. All waveform crops have the same length.
  Lengths lengths_of(std::size_t utterance) const;
  std::vector<Lengths> lengths() const;  // of all utterances
  // Returns a copy of a mel. Throws UnreadableUtterance if the recording has changed or reading it
  // does not end (timeout_store.h).
  audio::Mel mel(std::size_t utterance) const;
};

// Returns a copy of a mel, or nullopt if the utterance is unreadable, which is recorded. Throws
// UserError as UnreadableUtterances::add().
std::optional<audio::Mel> try_read_mel(const FeatureSet& features,
                                       std::size_t utterance,
                                       UnreadableUtterances& unreadable);

MelMoments moments_of(std::span<const float> values);

// Stores mels, one [M, C] per utterance, in memory, and sets frame counts and moments.
void set_memory_mels(FeatureSet& set, int n_mels, std::vector<std::vector<float>> mels);

// Where mels and waveforms are kept, and what computes the mels. Waveforms have no disk cache:
// those that do not fit into memory are decoded at each read.
struct MelPlacement {
  double memory_bytes = std::numeric_limits<double>::infinity();  // memory for mels and waveforms
  std::shared_ptr<FeatureCache> cache = nullptr;  // for the rest; null: computed at each read
  std::shared_ptr<const MelExtractor> extractor = nullptr;  // null: FastMel on the CPU
  std::int64_t crop_hops = 0;  // > 0: also keeps waveforms, for crops of this many hops
};

// Reads and decodes every utterance and computes its features. The result does not depend on
// `num_workers` (0 or 1: sequential). An utterance whose read does not end is skipped as `stuck`;
// the other reasons are those of the corpus check, such as `more_symbols_than_frames` for a text
// that cannot be aligned. Calls `on_done(1)` once per utterance, on the calling thread. Throws
// UsageError for an invalid mel spec or text settings, UserError if the text front end cannot run
// or the disk does not respond.
FeatureSet load_features(const corpus::Corpus& corpus,
                         const config::Config& config,
                         int num_workers,
                         const std::function<void(std::size_t)>& on_done = {},
                         const MelPlacement& placement = {});

}  // namespace myxtts::data
