#include "train/run_training_torch.h"

#include <utility>

#include "base/error.h"
#include "base/terminal.h"
#include "step/precision_torch.h"
#include "train/run_lanes_torch.h"
#include "train/run_preview_torch.h"
#include "train/trainer_torch.h"

namespace myxtts::train {
namespace {

// Replaces precision "auto" by the choice for the training device, which the run records.
void choose_precision(config::Config& config, const data::LanePlan& lanes) {
  std::string& precision = config.training.precision;
  precision = config::precision_of(config);
  const bool is_cpu = !lanes.model.device.is_cuda;
  const bool wants_bf16 =
      precision == "bf16" || (precision == "auto" && (!is_cpu || step::cpu_has_bf16()));
  bool works = wants_bf16 && (!is_cpu || step::bf16_works());
  require(works || precision != "bf16",
          "bf16 matrix products fail on this machine; use --precision fp32");
  if (works && is_cpu && precision == "auto") {
    const double gain = step::bf16_gain();
    works = gain >= step::kMinBf16Gain;
    if (!works)
      base::log(
          "[config] precision fp32: bf16 matrix products are only {:.1f} x as fast on this "
          "machine\n",
          gain);
  }
  precision = works ? "bf16" : "fp32";
}

}  // namespace

TrainSummary run_training(TrainRequest request) {
  RunLanes lanes = find_lanes(request.resolved.config);
  choose_precision(request.resolved.config, lanes.plan);
  return train(request, std::move(lanes));
}

RunPreview preview_training(TrainRequest request) {
  const RunLanes lanes = find_lanes(request.resolved.config);
  choose_precision(request.resolved.config, lanes.plan);
  return preview_run(request.resolved.config, lanes.plan, request.task);
}

}  // namespace myxtts::train
