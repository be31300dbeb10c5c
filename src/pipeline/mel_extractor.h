// Note [Makers of mels]: every maker is within the tolerance of the plain mel, but no two agree to
// the bit. So the maker of a run follows from its lanes and nothing else, its name() is part
// of the cache's key, and every save has it: a run that goes on with another maker says so.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "audio/mel_spec.h"
#include "pipeline/mel_store.h"

namespace xtts::pipeline {

// Turns prepared samples into log-mels, on the device of a data lane. Thread-safe, with a scratch
// per thread.
class MelExtractor {
 public:
  MelExtractor() = default;
  MelExtractor(const MelExtractor&) = delete;
  MelExtractor& operator=(const MelExtractor&) = delete;
  virtual ~MelExtractor() = default;

  virtual const audio::MelSpec& contract() const = 0;

  // Samples are finite and at the contract's rate; none at all give one frame of silence. Both may
  // lie in the scratch, of which nothing but `mel` is used.
  // out  [M, C] with M = num_frames(contract, samples.size()), overwritten
  virtual void log_mel(std::span<const float> samples,
                       MelScratch& scratch,
                       std::span<float> out) const = 0;

  // What decides the bits of a recording's mel beside its file and the contract, in a few words:
  // makers of the same name make the same bits.
  virtual const std::string& name() const = 0;
};

// How loudness and fast mel round on this processor (audio/fast_loudness.h, audio/fast_mel.h); the
// first is part of the way to every mel.
std::string rounding_of_processor();

// audio::FastMel on the processor that calls.
std::shared_ptr<const MelExtractor> fast_mel_extractor(const audio::MelSpec& contract);

}  // namespace xtts::pipeline
