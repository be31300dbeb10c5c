#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "base/format.h"
#include "rules/loading_need.h"
#include "rules/rules.h"

namespace myxtts::rules {
namespace {

constexpr double kLeastFreeShare = 0.06;  // of all memory
constexpr double kMaxNeedShare = 0.95;    // of what is available to this process

void find_oversubscribed(const Record& record, Findings& findings) {
  const std::optional<std::int64_t> threads = record.settings.threads;
  const std::optional<std::int64_t> cores = record.machine.usable_cores;
  if (!threads || !cores || *threads <= *cores) return;
  findings.push_back(
      {.id = "threads_oversubscribed",
       .severity = *threads >= 2 * *cores ? Severity::kCritical : Severity::kWarning,
       .message = fmt::format(
           "{} for the model on {}: the threads share cores, and every step waits for the "
           "slowest thread",
           base::format_count(*threads, "thread"),
           base::format_count(*cores, "core")),
       .suggestion = fmt::format("--threads {}", *cores)});
}

bool lanes_overlap(const Settings& settings) {
  return std::ranges::any_of(settings.data_cores, [&](std::int64_t core) {
    return std::ranges::find(settings.model_cores, core) != settings.model_cores.end();
  });
}

// An idle-priority loader may share cores with the model, but one core is too few for both.
void find_shared_core(const Record& record, Findings& findings) {
  const Settings& settings = record.settings;
  const Machine& machine = record.machine;
  if (settings.num_workers == 0) return;
  const bool is_idle_priority = settings.loader_is_idle_priority.value_or(false);
  if (lanes_overlap(settings) && !is_idle_priority) {
    findings.push_back(
        {.id = "shared_core",
         .severity = Severity::kCritical,
         .message = fmt::format("the loader and the model compute on the same cores: "
                                "{} of the data lane, {} of the model lane",
                                base::format_count(std::ssize(settings.data_cores), "core"),
                                base::format_count(std::ssize(settings.model_cores), "core")),
         .suggestion = "--data-device cpu:0 --model-device cpu:1"});
    return;
  }
  if (machine.usable_cores != 1) return;
  const std::int64_t cores = machine.cores.value_or(1);
  if (cores > 1) {
    findings.push_back({.id = "shared_core",
                        .severity = Severity::kCritical,
                        .message = fmt::format("the loader and the model share one core: this "
                                               "process may use 1 of the machine's {}",
                                               cores),
                        .suggestion = fmt::format("taskset -c 0-{} myxtts train", cores - 1)});
  } else if (is_starved(record)) {
    findings.push_back({.id = "shared_core",
                        .severity = Severity::kWarning,
                        .message = "the loader and the model share the only core of this machine, "
                                   "and the model waits for data",
                        .suggestion = "--cache disk"});
  }
}

// Suggests a disk cache if mels are kept in memory, else micro-batches of half the size for the
// same batch size.
std::string less_memory(const Settings& settings) {
  if (settings.cache == "ram") return "--cache disk";
  return fmt::format("--grad-accum {}", 2 * settings.grad_accum.value_or(1));
}

void find_full_memory(const Record& record, Findings& findings) {
  const std::optional<std::int64_t> free = record.machine.free_memory_bytes;
  if (!free) return;
  const auto free_bytes = static_cast<double>(*free);
  const auto resident = static_cast<double>(record.memory.resident_bytes.value_or(0));
  const auto need = static_cast<double>(record.memory.need_bytes.value_or(0));
  const auto total = static_cast<double>(record.machine.total_memory_bytes.value_or(0));
  double can_get = free_bytes + resident;
  if (record.memory.budget_bytes)
    can_get = std::min(can_get, static_cast<double>(*record.memory.budget_bytes));
  if (need > kMaxNeedShare * can_get) {
    findings.push_back({.id = "memory_nearly_full",
                        .severity = Severity::kCritical,
                        .message = fmt::format("the run needs {} of memory; {} are available",
                                               base::format_bytes(need),
                                               base::format_bytes(can_get)),
                        .suggestion = less_memory(record.settings)});
  } else if (total > 0.0 && free_bytes < kLeastFreeShare * total) {
    findings.push_back(
        {.id = "memory_nearly_full",
         .severity = Severity::kCritical,
         .message = fmt::format("memory is nearly full: {} of {} are free, this run uses {}",
                                base::format_bytes(free_bytes),
                                base::format_bytes(total),
                                base::format_bytes(resident)),
         .suggestion = less_memory(record.settings)});
  }
}

}  // namespace

void machine_findings(const Record& record, Findings& findings) {
  find_oversubscribed(record, findings);
  find_shared_core(record, findings);
  find_full_memory(record, findings);
}

}  // namespace myxtts::rules
