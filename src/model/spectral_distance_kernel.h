// How far the bins of predicted frames are from those of recorded ones, and the slope of that.
// A frame is F bins, each a real and an imaginary part: [M, F, 2] float32.
//
// Both functions work on a range of frames, so that threads can share them; sums are of that range
// alone and overwrite.
#pragma once

#include "model/vector_loops.h"

namespace xtts::model {

// Magnitudes below it count as this: 63 dB below those of speech, where a recording has nothing but
// the noise of its numbers.
constexpr float kMagnitudeFloor = 1e-3F;

struct SpectralSums {
  double log_magnitude = 0.0;  // |difference of the logarithms of magnitudes, floored|
  double difference = 0.0;     // squared difference of magnitudes
  double recorded = 0.0;       // squared magnitude of the recording
  double complex = 0.0;        // |difference of real parts| + |difference of imaginary parts|
};

struct SpectralDistance {
  const float* predicted = nullptr;  // [M, F, 2]
  const float* recorded = nullptr;   // [M, F, 2]
  SpectralSums* sums = nullptr;      // written
};
void run(const SpectralDistance& work, std::int64_t bins, Range frames);

// gradient = the gradient of log_magnitude_slope * sums.log_magnitude + difference_slope / 2 *
// sums.difference + complex_slope * sums.complex with respect to the predicted bins.
struct SpectralSlope {
  const float* predicted = nullptr;  // [M, F, 2]
  const float* recorded = nullptr;   // [M, F, 2]
  float log_magnitude_slope = 0.0F;
  float difference_slope = 0.0F;
  float complex_slope = 0.0F;
  float* gradient = nullptr;  // [M, F, 2], written
};
void run(const SpectralSlope& work, std::int64_t bins, Range frames);

}  // namespace xtts::model
