#include "cli/speak_request.h"

namespace myxtts::cli {

double SpeakResult::real_time_factor() const {
  double audio_s = 0.0;
  double wall_s = 0.0;
  for (const SpokenFile& file : files) {
    audio_s += file.audio_s;
    wall_s += file.wall_s;
  }
  return audio_s > 0.0 ? wall_s / audio_s : 0.0;
}

}  // namespace myxtts::cli
