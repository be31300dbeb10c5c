#include "rules/limit_line.h"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "base/format.h"
#include "rules/loading_need.h"
#include "rules/rules.h"
#include "rules/time_split.h"

namespace myxtts::rules {
namespace {

constexpr double kLeastShare = 0.10;  // of the time, to be called a limit

struct Limit {
  std::string name;    // see limit_name()
  double share = 0.0;  // of the time
};

// Retraces happen within steps; their time is what those steps took beyond the median.
Limit limit_of(const Record& record) {
  const TimeSplit split = split_of(record.steps);
  if (split.total_s() <= 0.0) return {.name = "nothing"};
  const double loading_s = starved_s(record.steps);
  const std::array<Limit, 5> others = {
      Limit{"loading", split.share_of(loading_s)},
      Limit{"cores", split.share_of(split.wait_s - loading_s)},
      Limit{"retraces", split.share_of(retrace_cost_s(record.steps).value_or(0.0))},
      Limit{"host", split.share_of(split.host_s)},
      Limit{"copying", split.share_of(split.copy_s)}};
  Limit worst = *std::ranges::max_element(others, {}, &Limit::share);
  if (worst.share >= kLeastShare) return worst;
  return {.name = "model", .share = split.share_of(split.compute_s)};
}

std::string format_workers(const Record& record) {
  if (!record.settings.num_workers) return "";
  const std::int64_t workers = *record.settings.num_workers;
  return workers == 0 ? " on no worker, between the steps"
                      : " on " + base::format_count(workers, "worker");
}

// Returns the number of workers to use if it can be computed, else an empty string.
std::string workers_advice(const Record& record) {
  const std::optional<std::int64_t> needed = loading_need_of(record).workers_needed();
  const std::int64_t workers = record.settings.num_workers.value_or(1);
  if (!needed || *needed <= workers) return "";
  const std::int64_t cores = record.machine.usable_cores.value_or(*needed);
  if (*needed <= cores) {
    return fmt::format("; --num-workers {} would keep the model busy (computed)", *needed);
  }
  return fmt::format(
      "; it would take {} workers to keep the model busy (computed), and there {} {}",
      *needed,
      cores == 1 ? "is" : "are",
      base::format_count(cores, "core"));
}

std::string format_loading(const Record& record) {
  const std::vector<StageShare> stages = stage_shares(record.loading);
  std::string text = stages.empty() ? fmt::format("; loading ran{}", format_workers(record))
                                    : fmt::format("; {} takes {} of loading{}",
                                                  stages.front().name,
                                                  base::format_percent(stages.front().share),
                                                  format_workers(record));
  if (stages.empty() && !record.settings.num_workers) text.clear();
  return text + workers_advice(record);
}

std::string format_limit(const Record& record, const Limit& limit) {
  const std::string share = base::format_percent(limit.share);
  if (limit.name == "loading") {
    return fmt::format(
        "limited by loading: the model waited {} of the time{}", share, format_loading(record));
  }
  if (limit.name == "retraces") {
    return fmt::format(
        "limited by retraces: {} in {} took {} of the time; --shape-buckets auto "
        "plans every shape before step 1",
        num_retraces(record.steps),
        base::format_count(std::ssize(record.steps), "step"),
        share);
  }
  if (limit.name == "host") {
    return fmt::format(
        "limited by the host: reports, validations, samples and checkpoints took {} of the "
        "time",
        share);
  }
  if (limit.name == "copying") {
    return fmt::format("limited by copying: inputs were copied to the device {} of the time",
                       share);
  }
  if (limit.name == "cores") {
    return fmt::format(
        "limited by the cores: the model waited {} of the time although data was ready", share);
  }
  return fmt::format("limited by the model: it was busy {} of the time", share);
}

// Other programs slow everything down, so every limit line reports them.
std::string format_other_load(const Record& record) {
  if (!is_machine_busy(record)) return "";
  return fmt::format("; other programs kept {:.1f} of {} busy",
                     *record.machine.load_by_others,
                     base::format_count(*record.machine.usable_cores, "core"));
}

}  // namespace

std::string limit_name(const Record& record) {
  return limit_of(record).name;
}

std::string limit_line(const Record& record) {
  const Limit limit = limit_of(record);
  if (limit.name == "nothing") return "nothing was measured: no step ran";
  return format_limit(record, limit) + format_other_load(record);
}

}  // namespace myxtts::rules
