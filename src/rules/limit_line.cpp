#include "rules/limit_line.h"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "rules/format.h"
#include "rules/loading_need.h"
#include "rules/rules.h"
#include "rules/time_split.h"

namespace xtts::rules {
namespace {

constexpr double kLeastShare = 0.10;  // of the time, to be called a limit

struct Limit {
  std::string word;    // of limit_word()
  double share = 0.0;  // of the time
};

// Retraces are part of the steps; they count as theirs what the steps lost by them.
Limit limit_of(const Record& record) {
  const TimeSplit split = split_of(record.steps);
  if (split.total_s() <= 0.0) return {.word = "nothing"};
  const double loading_s = starved_s(record.steps);
  const std::array<Limit, 5> others = {
      Limit{"loading", split.share_of(loading_s)},
      Limit{"cores", split.share_of(split.wait_s - loading_s)},
      Limit{"retraces", split.share_of(retrace_cost_s(record.steps).value_or(0.0))},
      Limit{"host", split.share_of(split.host_s)},
      Limit{"copying", split.share_of(split.copy_s)}};
  Limit worst = *std::ranges::max_element(others, {}, &Limit::share);
  if (worst.share >= kLeastShare) return worst;
  return {.word = "model", .share = split.share_of(split.compute_s)};
}

std::string workers_words(const Record& record) {
  if (!record.settings.num_workers) return "";
  const std::int64_t workers = *record.settings.num_workers;
  return workers == 0 ? " on no worker, between the steps" : " on " + counted(workers, "worker");
}

// What to do about it, where it can be computed.
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
      counted(cores, "core"));
}

std::string loading_words(const Record& record) {
  const std::vector<StageShare> stages = stage_shares(record.loading);
  std::string words = stages.empty() ? fmt::format("; loading ran{}", workers_words(record))
                                     : fmt::format("; {} takes {} of loading{}",
                                                   stages.front().name,
                                                   percent(stages.front().share),
                                                   workers_words(record));
  if (stages.empty() && !record.settings.num_workers) words.clear();
  return words + workers_advice(record);
}

std::string limit_words(const Record& record, const Limit& limit) {
  const std::string share = percent(limit.share);
  if (limit.word == "loading") {
    return fmt::format(
        "limited by loading: the model waited {} of the time{}", share, loading_words(record));
  }
  if (limit.word == "retraces") {
    return fmt::format(
        "limited by retraces: {} in {} took {} of the time; --shape-buckets auto "
        "plans every shape before step 1",
        num_retraces(record.steps),
        counted(std::ssize(record.steps), "step"),
        share);
  }
  if (limit.word == "host") {
    return fmt::format(
        "limited by the host: reports, validations, samples and saves took {} of the "
        "time",
        share);
  }
  if (limit.word == "copying") {
    return fmt::format("limited by copying: inputs were on their way to the device {} of the time",
                       share);
  }
  if (limit.word == "cores") {
    return fmt::format(
        "limited by the cores: the model waited {} of the time although data was ready", share);
  }
  return fmt::format("limited by the model: it was busy {} of the time", share);
}

// Whoever shares the machine makes everything longer: it is said with every limit.
std::string others_words(const Record& record) {
  if (!is_machine_busy(record)) return "";
  return fmt::format("; other programs kept {:.1f} of {} busy",
                     *record.machine.load_by_others,
                     counted(*record.machine.usable_cores, "core"));
}

}  // namespace

std::string limit_word(const Record& record) {
  return limit_of(record).word;
}

std::string limit_line(const Record& record) {
  const Limit limit = limit_of(record);
  if (limit.word == "nothing") return "nothing was measured: no step was made";
  return limit_words(record, limit) + others_words(record);
}

}  // namespace xtts::rules
