#include "rules/loading_need.h"

#include <algorithm>
#include <cmath>

#include "rules/rules.h"
#include "rules/step_shapes.h"
#include "rules/time_split.h"

namespace myxtts::rules {
namespace {

constexpr double kStarvedWait = 0.05;  // of the model's time
constexpr double kBadlyStarvedWait = 0.30;
constexpr double kStarvedPreparation = 0.20;  // of the whole run
constexpr double kBadlyStarvedPreparation = 0.50;
constexpr double kMaxWorkers = 256;
constexpr double kLeastFreeCores = 0.02;  // share of the cores that is always available

double wall_of(const Stage& stage) {
  return stage.wall_s.value_or(stage.cpu_s.value_or(0.0));
}

double cpu_of(const Stage& stage) {
  return std::min(stage.cpu_s.value_or(wall_of(stage)), wall_of(stage));
}

// Returns loading time over step time with the configured workers; 1: equally long.
std::optional<double> load_over_step(const Record& record, const LoadingNeed& need) {
  if (!need.batch_s || !need.step_s || *need.step_s <= 0.0) return std::nullopt;
  const auto workers =
      static_cast<double>(std::max<std::int64_t>(1, record.settings.num_workers.value_or(1)));
  return *need.batch_s / workers / *need.step_s;
}

bool waits_beyond(const Record& record, const LoadingNeed& need, double wait_share) {
  if (need.wait_share) return *need.wait_share > wait_share;
  // Waiting w of the time means that loading takes 1 / (1 - w) times as long as the step.
  const std::optional<double> ratio = load_over_step(record, need);
  return ratio && *ratio > 1.0 / (1.0 - wait_share);
}

bool is_starved_beyond(const Record& record, double wait_share, double preparation_share) {
  const LoadingNeed need = loading_need_of(record);
  return need.preparation_share.value_or(0.0) > preparation_share ||
         (waits_beyond(record, need, wait_share) && !is_starved_by_others(record));
}

// Returns the share of the cores that other programs leave free.
double free_share(const Machine& machine) {
  const auto cores = static_cast<double>(machine.usable_cores.value_or(1));
  return std::max(kLeastFreeCores, 1.0 - machine.load_by_others.value_or(0.0) / cores);
}

}  // namespace

std::vector<StageShare> stage_shares(const Loading& loading) {
  double total_s = 0.0;
  for (const Stage& stage : loading.stages)
    total_s += wall_of(stage);
  std::vector<StageShare> shares;
  if (total_s <= 0.0) return shares;
  for (const Stage& stage : loading.stages) {
    const double wall_s = wall_of(stage);
    shares.push_back({.name = stage.name,
                      .share = wall_s / total_s,
                      .waiting_share = wall_s > 0.0 ? 1.0 - cpu_of(stage) / wall_s : 0.0});
  }
  std::ranges::stable_sort(shares, std::ranges::greater(), &StageShare::share);
  return shares;
}

double share_of_stage(const Loading& loading, std::string_view name) {
  for (const StageShare& stage : stage_shares(loading))
    if (stage.name == name) return stage.share;
  return 0.0;
}

std::optional<std::int64_t> LoadingNeed::workers_needed() const {
  if (!batch_s || !step_s || *step_s <= 0.0) return std::nullopt;
  const double needed = std::ceil(*batch_s / *step_s);
  return static_cast<std::int64_t>(std::clamp(needed, 1.0, kMaxWorkers));
}

LoadingNeed loading_need_of(const Record& record) {
  const Loading& loading = record.loading;
  LoadingNeed need;
  const std::optional<double> rows = rows_per_batch(record);
  if (!loading.stages.empty() && rows) {
    double wall_s = 0.0;
    double cpu_s = 0.0;
    for (const Stage& stage : loading.stages) {
      wall_s += *rows * wall_of(stage);
      cpu_s += *rows * cpu_of(stage);
    }
    need.batch_s = wall_s;
    need.batch_cpu_s = cpu_s;
  } else if (loading.batch_wall_s || loading.batch_cpu_s) {
    need.batch_s = loading.batch_wall_s ? loading.batch_wall_s : loading.batch_cpu_s;
    need.batch_cpu_s = loading.batch_cpu_s ? loading.batch_cpu_s : loading.batch_wall_s;
  }
  need.step_s = median_step_s(record.steps);
  const TimeSplit split = split_of(record.steps);
  if (split.has_wait) need.wait_share = split.share_of_wanted(starved_s(record.steps));
  if (loading.preparation_s && record.settings.planned_steps && need.step_s) {
    const double steps_s = *need.step_s * static_cast<double>(*record.settings.planned_steps);
    const double all_s = *loading.preparation_s + steps_s;
    if (all_s > 0.0) need.preparation_share = *loading.preparation_s / all_s;
  }
  return need;
}

// Loading is measured in CPU time, a step in wall time: without other programs the step would be
// shorter by about their share of the cores.
bool is_starved_by_others(const Record& record) {
  if (!is_machine_busy(record) || !waits_for_data(record)) return false;
  const std::optional<double> ratio = load_over_step(record, loading_need_of(record));
  return !ratio || *ratio <= free_share(record.machine);
}

bool waits_for_data(const Record& record) {
  return waits_beyond(record, loading_need_of(record), kStarvedWait);
}

bool is_starved(const Record& record) {
  return is_starved_beyond(record, kStarvedWait, kStarvedPreparation);
}

bool is_badly_starved(const Record& record) {
  return is_starved_beyond(record, kBadlyStarvedWait, kBadlyStarvedPreparation);
}

}  // namespace myxtts::rules
