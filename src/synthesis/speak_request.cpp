#include "synthesis/speak_request.h"

#include "base/error.h"

namespace myxtts::synthesis {

bool is_bf16(const std::string& precision) {
  require_usage(precision == "fp32" || precision == "bf16",
                "--precision {}: expected fp32 or bf16",
                precision);
  return precision == "bf16";
}

double SpeakResult::real_time_factor() const {
  double audio_s = 0.0;
  double wall_s = 0.0;
  for (const SpokenFile& file : files) {
    audio_s += file.audio_s;
    wall_s += file.wall_s;
  }
  return audio_s > 0.0 ? wall_s / audio_s : 0.0;
}

}  // namespace myxtts::synthesis
