// Chooses the short training runs for a recommendation.
#include <algorithm>

#include <fmt/format.h>

#include "base/cpu_features.h"
#include "base/error.h"
#include "config/field.h"
#include "diagnose/recommend.h"

namespace myxtts::diagnose {
namespace {

constexpr double kWorthMore = 1.10;  // speedup of a batch size that justifies a larger trial
constexpr int kLargestTriedBatch = 256;

Trial trial_of(std::vector<config::Override> changes) {
  Trial trial{.name = flags_of(changes)};
  trial.changes = std::move(changes);
  return trial;
}

Trial batch_trial(int batch_size) {
  return trial_of({{"data.batch_size", std::to_string(batch_size)}});
}

bool may_have_bf16(const config::Config& config, const rules::Machine& machine) {
  return config.training.device.starts_with("cuda") || base::has_bf16(machine.cpu_features);
}

bool has_lanes(const config::Config& config) {
  return config::data_lane_of(config.data) || config::model_lane_of(config.data);
}

}  // namespace

double speed_of(const train::TrainSummary& summary) {
  return summary.audio_s_per_s * (summary.time_split.compute + summary.time_split.copy);
}

double longest_pause(const std::vector<double>& batch_s) {
  if (batch_s.size() < 2) return 0.0;
  return *std::max_element(batch_s.begin() + 1, batch_s.end());
}

std::vector<Trial> initial_trials(const config::Config& config, const rules::Machine& machine) {
  std::vector<Trial> trials = {{.name = "current settings"}};
  const int batch = config.data.batch_size;
  const int parts = config.training.gradient_accumulation_steps;
  trials.push_back(batch_trial(2 * batch));
  if (batch >= 2 * parts && batch / 2 % parts == 0) trials.push_back(batch_trial(batch / 2));
  if (may_have_bf16(config, machine)) {
    const bool is_fp32 = config::precision_of(config) == "fp32";
    trials.push_back(trial_of({{"training.precision", is_fp32 ? "bf16" : "fp32"}}));
  }
  const bool is_cuda = config.training.device.starts_with("cuda");
  if (!has_lanes(config) && (is_cuda || machine.usable_cores.value_or(1) >= 2)) {
    const char* kind = is_cuda ? "cuda" : "cpu";
    trials.push_back(trial_of({{"data.data_device", fmt::format("{}:0", kind)},
                               {"data.model_device", fmt::format("{}:1", kind)}}));
  }
  return trials;
}

std::optional<Trial> next_trial(const config::Config& config, const std::vector<Trial>& known) {
  int largest = config.data.batch_size;
  double largest_speed = known.front().speed.value_or(0.0);
  double other_speed = 0.0;  // the fastest smaller batch
  for (const Trial& trial : known) {
    const bool is_batch = trial.changes.size() == 1 && trial.changes[0].key == "data.batch_size";
    if (!is_batch) continue;
    const int batch = std::stoi(trial.changes[0].value);
    if (batch > largest) {
      other_speed = std::max(other_speed, largest_speed);
      largest = batch;
      largest_speed = trial.speed.value_or(0.0);
    } else {
      other_speed = std::max(other_speed, trial.speed.value_or(0.0));
    }
  }
  const bool is_tried = largest > config.data.batch_size;
  if (!is_tried || 2 * largest > kLargestTriedBatch) return std::nullopt;
  if (largest_speed < kWorthMore * other_speed) return std::nullopt;
  return batch_trial(2 * largest);
}

std::string flags_of(const std::vector<config::Override>& changes) {
  config::Config defaults;
  const std::vector<config::Field> fields = config::fields_of(defaults);
  std::string flags;
  for (const config::Override& change : changes) {
    const auto field = std::ranges::find_if(
        fields, [&](const config::Field& one) { return one.key() == change.key; });
    invariant(field != fields.end(), "advice is about keys of the configuration: " + change.key);
    const std::string names = field->flags();
    flags += fmt::format(
        "{}{} {}", flags.empty() ? "" : " ", names.substr(0, names.find(',')), change.value);
  }
  return flags;
}

}  // namespace myxtts::diagnose
