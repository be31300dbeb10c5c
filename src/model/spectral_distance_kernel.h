// CPU kernels of the spectral distance between predicted and recorded frames, forward and backward.
// A frame has F bins with a real and an imaginary part: [M, F, 2] float32.
//
// Both functions work on a range of frames, so that threads can share a row; they overwrite their
// sums, which cover this range only.
#pragma once

#include "model/vector_loops.h"

namespace myxtts::model {

// Lower limit of magnitudes: 63 dB below speech, where a recording has only quantisation noise.
constexpr float kMagnitudeFloor = 1e-3F;

struct SpectralSums {
  double log_magnitude = 0.0;  // |difference of floored log magnitudes|
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

// Computes the gradient of log_magnitude_weight * sums.log_magnitude + difference_weight / 2 *
// sums.difference + complex_weight * sums.complex with respect to the predicted bins.
struct SpectralGradient {
  const float* predicted = nullptr;  // [M, F, 2]
  const float* recorded = nullptr;   // [M, F, 2]
  float log_magnitude_weight = 0.0F;
  float difference_weight = 0.0F;
  float complex_weight = 0.0F;
  float* gradient = nullptr;  // [M, F, 2], written
};
void run(const SpectralGradient& work, std::int64_t bins, Range frames);

}  // namespace myxtts::model
