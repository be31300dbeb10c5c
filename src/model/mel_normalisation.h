#pragma once

namespace xtts::model {

// Mels enter and leave a model as (mel - mean) / std. Of the training corpus.
struct MelNormalisation {
  float mean = 0.0F;
  float std = 1.0F;
};

}  // namespace xtts::model
