#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace xtts::audio {

// A run of samples: [begin, end).
struct SampleRange {
  std::size_t begin = 0;
  std::size_t end = 0;

  std::size_t size() const { return end - begin; }
};

struct TrimSettings {
  int frame_length = 2048;  // samples
  int hop_length = 512;     // samples
  double top_db = 40.0;     // frames this far below the loudest one are silence
  std::size_t margin = 0;   // samples of silence kept on either side
};

// Working memory of find_speech(), used again from call to call.
struct TrimScratch {
  std::vector<double> block_sums;
  std::vector<double> powers;  // of each frame
};

// The part of a recording between leading and trailing silence, by the rule of
// librosa.effects.trim: RMS of centred frames, measured against the loudest of them. A recording
// that is silent throughout is returned whole: cutting it to nothing would hide it.
SampleRange find_speech(std::span<const float> samples,
                        const TrimSettings& settings,
                        TrimScratch& scratch);
SampleRange find_speech(std::span<const float> samples, const TrimSettings& settings);

}  // namespace xtts::audio
