#include "cli/run_training_torch.h"

#include <utility>

#include "base/error.h"
#include "base/onednn_limit.h"
#include "base/terminal.h"
#include "cli/torch_library.h"
#include "step/precision_torch.h"
#include "train/run_lanes_torch.h"
#include "train/run_preview_torch.h"
#include "train/trainer_torch.h"

namespace myxtts::cli {
namespace {

// Replaces precision "auto" by the choice for the training device, which the run records. Must run
// before the model lane is entered: a restarted process needs all cores.
void choose_precision(config::Config& config, const data::LanePlan& lanes) {
  std::string& precision = config.training.precision;
  precision = config::precision_of(config);
  const bool is_cpu = !lanes.model.device.is_cuda;
  const bool wants_bf16 =
      precision == "bf16" || (precision == "auto" && (!is_cpu || step::cpu_has_bf16()));
  // The system may refuse AMX tiles that the processor lists.
  if (is_cpu && wants_bf16 && !step::bf16_works())
    restart_with(base::kOnednnLimit, base::kOnednnWithoutTiles);
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

train::TrainSummary run_training(train::TrainRequest request) {
  train::RunLanes lanes = train::find_lanes(request.resolved.config);
  choose_precision(request.resolved.config, lanes.plan);
  return train::train(request, std::move(lanes));
}

train::RunPreview preview_training(train::TrainRequest request) {
  const train::RunLanes lanes = train::find_lanes(request.resolved.config);
  choose_precision(request.resolved.config, lanes.plan);
  return train::preview_run(request.resolved.config, lanes.plan, request.task);
}

}  // namespace myxtts::cli
