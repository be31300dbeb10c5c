// Finds leading and trailing silence.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace myxtts::audio {

// A range of samples: [begin, end).
struct SampleRange {
  std::size_t begin = 0;
  std::size_t end = 0;

  std::size_t size() const { return end - begin; }
};

struct TrimSettings {
  int frame_length = 2048;  // samples
  int hop_length = 512;     // samples
  double top_db = 40.0;     // silence threshold, dB below the loudest frame
  std::size_t margin = 0;   // samples of silence kept on either side
};

// Reusable working memory of find_speech().
struct TrimScratch {
  std::vector<double> block_sums;
  std::vector<double> powers;  // one per frame
};

// Returns the part of a recording between leading and trailing silence, like librosa.effects.trim:
// RMS of centred frames relative to the loudest frame. A completely silent recording is returned
// whole, so that later checks report it.
SampleRange find_speech(std::span<const float> samples,
                        const TrimSettings& settings,
                        TrimScratch& scratch);
SampleRange find_speech(std::span<const float> samples, const TrimSettings& settings);

}  // namespace myxtts::audio
