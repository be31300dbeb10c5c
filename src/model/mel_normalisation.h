#pragma once

namespace myxtts::model {

// Mean and standard deviation of the log-mels of the training corpus. Models compute with
// (mel - mean) / std.
struct MelNormalisation {
  float mean = 0.0F;
  float std = 1.0F;
};

}  // namespace myxtts::model
