#include "cli/run_training_torch.h"

#include <utility>

#include "base/error.h"
#include "base/onednn_limit.h"
#include "base/terminal.h"
#include "cli/tensor_library.h"
#include "step/precision_torch.h"
#include "train/run_lanes_torch.h"
#include "train/run_preview_torch.h"
#include "train/trainer_torch.h"

namespace xtts::cli {
namespace {

// "auto" becomes what runs on the device that trains, and is written down as such. Comes before the
// lane is entered: a process that starts anew must find all cores.
void decide(config::Config& config, const pipeline::LanePlan& lanes) {
  std::string& precision = config.training.precision;
  precision = config::precision_of(config);
  const bool is_cpu = !lanes.model.device.is_cuda;
  const bool wants_bf16 =
      precision == "bf16" || (precision == "auto" && (!is_cpu || step::cpu_has_bf16()));
  // Tiles that are listed may still be refused, by a system that does not grant them.
  if (is_cpu && wants_bf16 && !step::bf16_works())
    start_anew_with(base::kOnednnLimit, base::kOnednnWithoutTiles);
  bool works = wants_bf16 && (!is_cpu || step::bf16_works());
  require(works || precision != "bf16",
          "this machine cannot multiply matrices in bf16; use --precision fp32");
  if (works && is_cpu && precision == "auto") {
    const double gain = step::bf16_gain();
    works = gain >= step::kLeastBf16Gain;
    if (!works)
      base::say("[config] precision fp32: products in bf16 are {:.1f} x as fast here\n", gain);
  }
  precision = works ? "bf16" : "fp32";
}

}  // namespace

train::TrainSummary train_voice(train::TrainRequest request) {
  train::RunLanes lanes = train::find_lanes(request.resolved.config);
  decide(request.resolved.config, lanes.plan);
  return train::train(request, std::move(lanes));
}

train::RunPreview describe_training(train::TrainRequest request) {
  const train::RunLanes lanes = train::find_lanes(request.resolved.config);
  decide(request.resolved.config, lanes.plan);
  return train::describe_without_training(request.resolved.config, lanes.plan, request.trained);
}

}  // namespace xtts::cli
