// Draws the alignment of an utterance as a PNG image.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace myxtts::train {

// The monotonic alignment of an utterance: the number of frames of each symbol.
struct AlignmentView {
  std::span<const std::int64_t> durations = {};  // [T] frames, each >= 0, sum at most num_frames
  std::int64_t num_frames = 0;                   // >= 1
  double frame_s = 256.0 / 22050.0;              // seconds per frame
  std::vector<std::string> labels = {};          // [T] UTF-8, or empty: symbols are numbered from 0
};

struct AlignmentPicture {
  std::string png = {};
  int width = 0;  // pixels
  int height = 0;
};

// Draws an alignment as a PNG image: a staircase from the lower left to the upper right, with axes
// for seconds (bottom), frames (top) and symbols (left). A symbol without frames is a red mark. The
// font is ASCII; other characters are written as code points (u0259). Deterministic.
AlignmentPicture alignment_picture(const AlignmentView& alignment, const std::string& title);

}  // namespace myxtts::train
