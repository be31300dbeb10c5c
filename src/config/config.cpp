#include "config/config.h"

namespace xtts::config {

std::string precision_of(const Config& config) {
  if (!config.data.mixed_precision) return config.training.precision;
  return *config.data.mixed_precision ? "bf16" : "fp32";
}

}  // namespace xtts::config
