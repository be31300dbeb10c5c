#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "config/config.h"
#include "corpus/load_recording.h"
#include "corpus/reader.h"
#include "pipeline/feature_cache.h"
#include "pipeline/mel_extractor.h"
#include "pipeline/mel_store.h"
#include "pipeline/waveform_store.h"

namespace xtts::pipeline {

// A mel with what the checks of a corpus want to know of its recording, or why there is none.
struct RecordedMel {
  std::int64_t num_frames = 0;
  std::span<const float> values;   // [M, C], in the cache or in the scratch
  std::span<const float> samples;  // prepared, in the scratch; none if it was in the cache
  double speech_s = 0.0;           // after trimming
  std::optional<corpus::Problem> problem;
};

// Prepared samples, or why there are none.
struct RecordedWaveform {
  std::span<const float> samples;  // in the scratch
  std::optional<corpus::Problem> problem;
};

// Utterances of a corpus to mels: out of the cache if there is one and it knows the recording, else
// read, decoded, prepared and computed, and given to the cache. Thread-safe, with a scratch per
// thread.
class Recordings {
 public:
  // `cache` may be null. Without a maker mels are made by FastMel. Throws UsageError for a mel
  // contract that cannot be.
  Recordings(const std::filesystem::path& root,
             const config::Config& config,
             std::shared_ptr<FeatureCache> cache,
             std::shared_ptr<const MelExtractor> maker = nullptr);

  std::filesystem::path path_of(const corpus::Utterance& utterance) const;

  // `path` is that of the utterance. What is returned lives until the scratch is used again. Never
  // throws for what lies on the disk.
  RecordedMel read(const corpus::Utterance& utterance,
                   const std::filesystem::path& path,
                   MelScratch& scratch) const;

  // The same for what the mel is computed from. Always decoded: the cache has no samples.
  RecordedWaveform read_sound(const corpus::Utterance& utterance,
                              const std::filesystem::path& path,
                              MelScratch& scratch) const;

 private:
  struct Prepared {
    double recording_s = 0.0;  // before it was prepared
    std::optional<corpus::Problem> problem;
  };

  Prepared prepare_file(const corpus::Utterance& utterance,
                        const std::filesystem::path& path,
                        MelScratch& scratch) const;
  RecordedMel cached(const corpus::Utterance& utterance, const MelView& view) const;

  const std::filesystem::path root_;
  const corpus::RecordingLimits limits_;
  const std::shared_ptr<const MelExtractor>
      maker_;  // shared with who else makes mels on its device
  const std::shared_ptr<FeatureCache> cache_;
};

// The good utterances of a corpus, each computed (or found in the cache) when it is asked for.
class RecordedMels final : public MelStore {
 public:
  RecordedMels(std::shared_ptr<const Recordings> recordings,
               std::vector<corpus::Utterance> utterances);

  std::span<const float> read(std::size_t utterance, MelScratch& scratch) const override;

 private:
  std::shared_ptr<const Recordings> recordings_;
  std::vector<corpus::Utterance> utterances_;
  std::vector<std::filesystem::path> paths_;  // theirs: making one asks for memory
};

// Their samples, decoded and prepared when they are asked for.
class RecordedWaveforms final : public WaveformStore {
 public:
  RecordedWaveforms(std::shared_ptr<const Recordings> recordings,
                    std::vector<corpus::Utterance> utterances);

  std::int64_t copy(std::size_t utterance,
                    std::int64_t start,
                    std::span<float> place,
                    MelScratch& scratch) const override;

 private:
  std::shared_ptr<const Recordings> recordings_;
  std::vector<corpus::Utterance> utterances_;
  std::vector<std::filesystem::path> paths_;
};

}  // namespace xtts::pipeline
