#include "train/run_diagnosis_torch.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "rules/record_json.h"
#include "step/precision_torch.h"
#include "train/matmul_speed_torch.h"
#include "train/run_record.h"

namespace myxtts::train {

RunDiagnosis::RunDiagnosis(const DiagnosedRun& run, const TrainRequest& request) : run_(run) {
  if (request.profiled_steps == 0) return;
  profile_.emplace(request.profiled_steps,
                   run.run,
                   /*has_own_trace=*/request.trace_file.empty(),
                   request.suggestion_flags);
}

void RunDiagnosis::begin_step() {
  if (profile_) profile_->begin_step();
}

void RunDiagnosis::end_profile() {
  profile_->stop();
  run_.report.log(profile_->finish(record_now()));
  profile_.reset();
}

std::string RunDiagnosis::log_bottleneck() {
  const rules::Record record = record_now();
  try {
    base::write_file_atomically(run_.run / "record.json", rules::to_json(record).dump(1) + "\n");
  } catch (const UserError& error) {  // a full disk; the checkpoint is already written
    run_.report.log(fmt::format("[train] {}\n", error.what()));
  }
  return run_.report.limit(record);
}

rules::Record RunDiagnosis::record_now() const {
  const bool is_cpu = run_.parts.device.is_cpu();
  const bool has_bf16 = is_cpu && step::cpu_has_bf16();
  const bool works = has_bf16 && step::bf16_works();
  const bool is_unused = works && run_.config.training.precision == "fp32";
  return run_record({.config = run_.config,
                     .lanes = run_.lanes,
                     .plan = run_.plan,
                     .corpora = run_.corpora,
                     .memory = run_.memory,
                     .data = run_.data.report(),
                     .steps = run_.report.last_steps(),
                     .num_parameters = run_.parts.parameters().num_elements(),
                     .load_by_others = load_.by_others(),
                     .matmul_speed = is_cpu ? std::optional(measure_matmul_speed()) : std::nullopt,
                     .bf16_works = has_bf16 ? std::optional(works) : std::nullopt,
                     .bf16_gain = is_unused ? std::optional(step::bf16_gain()) : std::nullopt});
}

}  // namespace myxtts::train
