#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "audio/mel.h"
#include "audio/mel_spec.h"

namespace xtts::audio {

struct FastMelPlan;

// Samples to log-mel frames by the contract, for speed: float32, as many frames at once as a vector
// has lanes, by the widest vector instructions that the processor has (AVX-512, AVX2, SSE4, NEON).
// ReferenceMel is its plain twin.
//
// On speech the logarithm differs from the plain one's by 1e-5 in the mean and 5e-3 at most, where
// a channel is silent beside a loud one; the magnitude by 1e-6 of the frame's largest. Magnitudes
// below 1e-18 count as none. Samples are finite.
//
// A frame has the same bits wherever in a sound it is and however long the sound is. Instruction
// sets with a fused multiplication and addition (AVX-512, AVX2, NEON) agree to the bit; those
// without (SSE4 and older) agree with each other but round otherwise than the first.
//
// Immutable once built: threads share one instance without locking, each with a Scratch of its own.
class FastMel {
 public:
  // Working memory of one thread. Grows when a contract needs more than it has, so that a thread
  // that keeps one allocates nothing after its first sound.
  class Scratch {
   public:
    // At least `count` floats, aligned for the widest vectors; what was in it is lost.
    std::span<float> floats(std::size_t count);

   private:
    struct Free {
      void operator()(float* memory) const;
    };
    std::unique_ptr<float[], Free> memory_;
    std::size_t size_ = 0;
  };

  // Throws UsageError for a contract that validate() refuses.
  explicit FastMel(const MelSpec& contract);
  ~FastMel();
  FastMel(const FastMel&) = delete;
  FastMel& operator=(const FastMel&) = delete;

  const MelSpec& contract() const { return contract_; }

  // Samples are at the contract's rate; none at all give one frame of silence.
  // out  [M, C] with M = num_frames(contract, samples.size()), overwritten
  void log_mel(std::span<const float> samples, Scratch& scratch, std::span<float> out) const;

  Mel log_mel(std::span<const float> samples) const;

 private:
  MelSpec contract_;
  std::unique_ptr<const FastMelPlan> plan_;
};

}  // namespace xtts::audio
