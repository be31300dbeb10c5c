// Reads recordings of a corpus and turns them into mels and prepared samples.
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
#include "data/feature_cache.h"
#include "data/mel_extractor.h"
#include "data/mel_store.h"
#include "data/waveform_store.h"

namespace myxtts::data {

// The mel of a recording with values for the corpus checks, or why it cannot be used.
struct RecordedMel {
  std::int64_t num_frames = 0;
  std::span<const float> values;   // [M, C], in the cache or in the scratch
  std::span<const float> samples;  // prepared, in the scratch; empty if the mel was cached
  double speech_s = 0.0;           // after trimming
  std::optional<corpus::Problem> problem;
};

// The prepared samples of a recording, or why it cannot be used.
struct RecordedWaveform {
  std::span<const float> samples;  // in the scratch
  std::optional<corpus::Problem> problem;
};

// Returns the mels of recordings from the cache, or reads, decodes and prepares them, computes
// their mels and adds these to the cache. Thread-safe with one scratch per thread.
class Recordings {
 public:
  // `cache` may be null. Without an extractor FastMel is used. Throws UsageError if the mel spec is
  // invalid.
  Recordings(const std::filesystem::path& root,
             const config::Config& config,
             std::shared_ptr<FeatureCache> cache,
             std::shared_ptr<const MelExtractor> extractor = nullptr);

  std::filesystem::path path_of(const corpus::Utterance& utterance) const;

  // Reads the mel of an utterance; `path` is path_of(utterance). The result is valid until the
  // scratch is used again. Never throws because of a file's content.
  RecordedMel read(const corpus::Utterance& utterance,
                   const std::filesystem::path& path,
                   MelScratch& scratch) const;

  // Reads the prepared samples, as read(). Always decodes: the cache has no samples.
  RecordedWaveform read_waveform(const corpus::Utterance& utterance,
                                 const std::filesystem::path& path,
                                 MelScratch& scratch) const;

 private:
  struct Prepared {
    double recording_s = 0.0;  // before trimming
    std::optional<corpus::Problem> problem;
  };

  Prepared prepare_file(const corpus::Utterance& utterance,
                        const std::filesystem::path& path,
                        MelScratch& scratch) const;
  RecordedMel cached(const corpus::Utterance& utterance, const MelView& view) const;

  const std::filesystem::path root_;
  const corpus::RecordingLimits limits_;
  const std::shared_ptr<const MelExtractor> extractor_;  // shared with other users of the device
  const std::shared_ptr<FeatureCache> cache_;
};

// Computes each mel, or finds it in the cache, when it is read.
class RecordedMels final : public MelStore {
 public:
  RecordedMels(std::shared_ptr<const Recordings> recordings,
               std::vector<corpus::Utterance> utterances);

  std::span<const float> read(std::size_t utterance, MelScratch& scratch) const override;

 private:
  std::shared_ptr<const Recordings> recordings_;
  std::vector<corpus::Utterance> utterances_;
  std::vector<std::filesystem::path> paths_;  // precomputed, because building a path allocates
};

// Decodes and prepares waveforms when they are read.
class RecordedWaveforms final : public WaveformStore {
 public:
  RecordedWaveforms(std::shared_ptr<const Recordings> recordings,
                    std::vector<corpus::Utterance> utterances);

  std::int64_t copy(std::size_t utterance,
                    std::int64_t start,
                    std::span<float> samples,
                    MelScratch& scratch) const override;

 private:
  std::shared_ptr<const Recordings> recordings_;
  std::vector<corpus::Utterance> utterances_;
  std::vector<std::filesystem::path> paths_;
};

}  // namespace myxtts::data
