#include "audio/resample.h"

#include <cmath>
#include <cstddef>

#include <soxr.h>

#include "base/error.h"

namespace myxtts::audio {

std::vector<float> resample(std::span<const float> samples, int from_rate, int to_rate) {
  std::vector<float> resampled;
  resample(samples, from_rate, to_rate, resampled);
  return resampled;
}

void resample(std::span<const float> samples,
              int from_rate,
              int to_rate,
              std::vector<float>& resampled) {
  invariant(from_rate > 0 && to_rate > 0, "sample rates are positive");
  if (from_rate == to_rate || samples.empty()) {
    resampled.assign(samples.begin(), samples.end());
    return;
  }
  const double ratio = static_cast<double>(to_rate) / from_rate;
  resampled.resize(
      static_cast<std::size_t>(std::llround(static_cast<double>(samples.size()) * ratio)));
  if (resampled.empty()) return;  // soxr does not accept an empty output

  const soxr_io_spec_t io = soxr_io_spec(SOXR_FLOAT32_I, SOXR_FLOAT32_I);
  const soxr_quality_spec_t quality = soxr_quality_spec(SOXR_VHQ, 0);
  const soxr_runtime_spec_t runtime =
      soxr_runtime_spec(1);  // one thread: clips are too short to gain from more
  std::size_t num_done = 0;
  const soxr_error_t failure = soxr_oneshot(from_rate,
                                            to_rate,
                                            1,
                                            samples.data(),
                                            samples.size(),
                                            nullptr,
                                            resampled.data(),
                                            resampled.size(),
                                            &num_done,
                                            &io,
                                            &quality,
                                            &runtime);
  require(failure == nullptr,
          "cannot resample from {} to {} Hz: {}",
          from_rate,
          to_rate,
          failure == nullptr ? "" : failure);
  resampled.resize(num_done);  // soxr may round the length differently
}

}  // namespace myxtts::audio
