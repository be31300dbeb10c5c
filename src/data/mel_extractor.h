// Computes log-mels on the device of the data lane.
//
// Note [Mel extractors]: every extractor is within the tolerance of audio::ReferenceMel, but no two
// are bit-identical. So the lanes alone determine the extractor of a run, its name() is part of the
// cache key, and every checkpoint stores it: a run that resumes with another extractor reports it.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "audio/mel_spec.h"
#include "data/mel_store.h"

namespace myxtts::data {

// Computes log-mels of prepared samples. Thread-safe with one scratch per thread.
class MelExtractor {
 public:
  MelExtractor() = default;
  MelExtractor(const MelExtractor&) = delete;
  MelExtractor& operator=(const MelExtractor&) = delete;
  virtual ~MelExtractor() = default;

  virtual const audio::MelSpec& spec() const = 0;

  // Samples are finite and at the sample rate of the spec; no samples give one frame of silence.
  // Both arrays may be in the scratch, of which only `mel` is used. out  [M, C] with M =
  // num_frames(spec, samples.size()), overwritten
  virtual void log_mel(std::span<const float> samples,
                       MelScratch& scratch,
                       std::span<float> out) const = 0;

  // Identifies the rounding of the mels: extractors with equal names compute bit-identical mels.
  virtual const std::string& name() const = 0;
};

// Identifies how loudness and fast mel round on this CPU (audio/fast_loudness.h, audio/fast_mel.h).
// Every extractor uses the loudness.
std::string rounding_of_processor();

// Returns an extractor that computes audio::FastMel on the calling thread.
std::shared_ptr<const MelExtractor> fast_mel_extractor(const audio::MelSpec& spec);

}  // namespace myxtts::data
