#include "cli/train_verb_torch.h"

#include "base/error.h"
#include "base/terminal.h"
#include "cli/tensor_library.h"
#include "step/captured_work_torch.h"
#include "step/precision_torch.h"
#include "train/run_parts_torch.h"
#include "train/run_preview_torch.h"
#include "train/trainer_torch.h"

namespace xtts::cli {
namespace {

// Instructions up to this set are tried where oneDNN's own choice fails (AMX that a virtual machine
// announces and does not have).
constexpr const char* kIsaVariable = "ONEDNN_MAX_CPU_ISA";
constexpr const char* kIsaWithoutAmx = "AVX512_CORE_FP16";

// "auto" becomes what runs, and is written down as such.
void decide(config::Config& config) {
  std::string& precision = config.training.precision;
  precision = config::precision_of(config);
  const bool is_cpu = train::training_device(config.training).is_cpu();
  const bool wants_bf16 =
      precision == "bf16" || (precision == "auto" && (!is_cpu || step::cpu_has_bf16()));
  if (is_cpu && wants_bf16 && !step::bf16_works()) start_anew_with(kIsaVariable, kIsaWithoutAmx);
  const bool works = wants_bf16 && (!is_cpu || step::bf16_works());
  require(works || precision != "bf16",
          "this machine cannot multiply matrices in bf16; use --precision fp32");
  precision = works ? "bf16" : "fp32";
}

// Says what is missing before anything is read.
void check_device(const config::Config& config) {
  const torch::Device device = train::training_device(config.training);
  if (device.is_cuda()) step::open_graph_device(device.index());
}

}  // namespace

train::TrainSummary train_voice(train::TrainRequest request) {
  check_device(request.resolved.config);
  decide(request.resolved.config);
  return train::train(request);
}

train::RunPreview describe_training(train::TrainRequest request) {
  check_device(request.resolved.config);
  decide(request.resolved.config);
  return train::describe_without_training(request.resolved.config);
}

}  // namespace xtts::cli
