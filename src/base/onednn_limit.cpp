#include "base/onednn_limit.h"

#include <cstdlib>

namespace myxtts::base {

void limit_onednn(bool tiles_are_unusable) {
  if (tiles_are_unusable) setenv(kOnednnLimit, kOnednnWithoutTiles, /*overwrite=*/0);
}

}  // namespace myxtts::base
