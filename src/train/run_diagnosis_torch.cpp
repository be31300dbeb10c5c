#include "train/run_diagnosis_torch.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "rules/record_json.h"
#include "step/precision_torch.h"
#include "train/product_speed_torch.h"
#include "train/run_record.h"

namespace xtts::train {

RunDiagnosis::RunDiagnosis(const DiagnosedRun& judged, const TrainRequest& request)
    : judged_(judged) {
  if (request.profiled_steps == 0) return;
  profile_.emplace(request.profiled_steps,
                   judged.run,
                   /*has_own_trace=*/request.trace_file.empty(),
                   request.suggestion_flags);
}

void RunDiagnosis::step_begins() {
  if (profile_) profile_->step_begins();
}

void RunDiagnosis::end_profile() {
  profile_->stop();
  judged_.report.say(profile_->finish(record_now()));
  profile_.reset();
}

std::string RunDiagnosis::say_limit() {
  const rules::Record record = record_now();
  try {
    base::write_file_atomically(judged_.run / "record.json", rules::to_json(record).dump(1) + "\n");
  } catch (const UserError& error) {  // a full disk: what matters has been saved
    judged_.report.say(fmt::format("[train] {}\n", error.what()));
  }
  return judged_.report.limit(record);
}

rules::Record RunDiagnosis::record_now() const {
  const bool is_cpu = judged_.parts.device.is_cpu();
  const bool has_bf16 = is_cpu && step::cpu_has_bf16();
  const bool works = has_bf16 && step::bf16_works();
  const bool is_unused = works && judged_.config.training.precision == "fp32";
  return run_record(
      {.config = judged_.config,
       .lanes = judged_.lanes,
       .plan = judged_.plan,
       .corpora = judged_.corpora,
       .memory = judged_.memory,
       .data = judged_.data.report(),
       .steps = judged_.report.last_steps(),
       .num_parameters = judged_.parts.parameters().num_elements(),
       .load_by_others = load_.by_others(),
       .product_speed = is_cpu ? std::optional(measure_product_speed()) : std::nullopt,
       .bf16_works = has_bf16 ? std::optional(works) : std::nullopt,
       .bf16_gain = is_unused ? std::optional(step::bf16_gain()) : std::nullopt});
}

}  // namespace xtts::train
