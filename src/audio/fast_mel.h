#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "audio/mel.h"
#include "audio/mel_spec.h"

namespace myxtts::audio {

struct FastMelPlan;

// Vectorised log-mel extraction in float32, one frame per vector lane, with the widest vector
// instructions of the processor (AVX-512, AVX2, SSE4, NEON). ReferenceMel is the reference
// implementation.
//
// On speech the logarithm differs from the reference by 1e-5 on average and by at most 5e-3 (in a
// silent channel beside a loud one), the magnitude by 1e-6 of the frame's largest. Magnitudes below
// 1e-18 count as zero. Samples must be finite.
//
// The bits of a frame do not depend on its position or on the length of the audio. Instruction sets
// with fused multiply-add (AVX-512, AVX2, NEON) agree to the bit; those without (SSE4 and older)
// agree with each other but round differently.
//
// Immutable once built: threads share one instance without locking, each with its own Scratch.
class FastMel {
 public:
  // Working memory of one thread. Grows on demand: a thread that keeps its Scratch allocates only
  // at its first clip.
  class Scratch {
   public:
    // Returns `count` floats, aligned for the widest vectors; earlier contents are discarded.
    std::span<float> floats(std::size_t count);

   private:
    struct Free {
      void operator()(float* memory) const;
    };
    std::unique_ptr<float[], Free> memory_;
    std::size_t size_ = 0;
  };

  // Throws UsageError for a spec that validate() rejects.
  explicit FastMel(const MelSpec& spec);
  ~FastMel();
  FastMel(const FastMel&) = delete;
  FastMel& operator=(const FastMel&) = delete;

  const MelSpec& spec() const { return spec_; }

  // Samples are at the spec's sample rate; no samples give one frame of silence.
  // out  [M, C] with M = num_frames(spec, samples.size()), overwritten
  void log_mel(std::span<const float> samples, Scratch& scratch, std::span<float> out) const;

  Mel log_mel(std::span<const float> samples) const;

 private:
  MelSpec spec_;
  std::unique_ptr<const FastMelPlan> plan_;
};

}  // namespace myxtts::audio
