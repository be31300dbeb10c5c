#pragma once

namespace xtts::model {

// Mels enter and leave a model as (mel - mean) / deviation. Of the training corpus.
struct MelScale {
  float mean = 0.0F;
  float deviation = 1.0F;
};

}  // namespace xtts::model
