#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace xtts::train {

// Which frames each symbol of a sentence stands for. The symbols follow each other in time.
struct AlignmentView {
  std::span<const std::int64_t> durations =
      {};                                // [T] frames, each >= 0, together at most num_frames
  std::int64_t num_frames = 0;           // >= 1
  double frame_s = 256.0 / 22050.0;      // seconds from one frame to the next
  std::vector<std::string> labels = {};  // [T] UTF-8, or empty: symbols are numbered from 0
};

struct AlignmentPicture {
  std::string png = {};
  int width = 0;  // pixels
  int height = 0;
};

// The alignment as a staircase from the lower left to the upper right, with an axis of seconds
// below, of frames above and of symbols at the left. A symbol without frames is a red mark where
// it was passed over. The font is ASCII: any other letter is written as its code point (u0259).
// Same arguments, same bytes.
AlignmentPicture alignment_picture(const AlignmentView& alignment, const std::string& title);

}  // namespace xtts::train
