#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/format.h"
#include "rules/loading_need.h"
#include "rules/rules.h"
#include "rules/time_split.h"

namespace myxtts::rules {
namespace {

constexpr std::int64_t kTinyBuffer = 4;  // fewer batches do not cover a pause
constexpr double kBufferWait = 0.03;     // of the model's time
constexpr double kLoaderHasTime = 0.95;  // loading time over model time
constexpr double kLeastComputed = 0.5;   // of loading; the rest waits for a disk

// Findings that explain starvation by themselves.
constexpr std::array<std::string_view, 11> kCauses = {"threads_oversubscribed",
                                                      "shared_core",
                                                      "slow_text",
                                                      "huge_mp3s",
                                                      "resampling_every_file",
                                                      "slow_disk",
                                                      "file_latency",
                                                      "one_worker",
                                                      "tiny_buffer",
                                                      "cache_off",
                                                      "cache_full"};

std::string longest_stage(const Loading& loading) {
  const std::vector<StageShare> stages = stage_shares(loading);
  if (stages.empty()) return "loading takes longer than the steps";
  return fmt::format(
      "{} takes {} of loading", stages.front().name, base::format_percent(stages.front().share));
}

bool is_blamed_on_files(const Findings& findings) {
  return std::ranges::any_of(findings, [](const Finding& finding) {
    return finding.id == "slow_disk" || finding.id == "file_latency";
  });
}

void find_one_worker(const Record& record, Findings& findings) {
  const std::optional<std::int64_t> workers = record.settings.num_workers;
  const std::int64_t cores = record.machine.usable_cores.value_or(1);
  if (!workers || *workers > 1 || cores < 2) return;
  if (!is_starved(record) || is_blamed_on_files(findings)) return;
  const LoadingNeed need = loading_need_of(record);
  const bool computes = !need.batch_s || *need.batch_s <= 0.0 ||
                        need.batch_cpu_s.value_or(0.0) >= kLeastComputed * *need.batch_s;
  if (!computes) return;
  const std::int64_t asked = std::max<std::int64_t>(2, need.workers_needed().value_or(cores));
  const std::int64_t given = std::min(asked, cores);
  findings.push_back(
      {.id = "one_worker",
       .severity = is_badly_starved(record) ? Severity::kCritical : Severity::kWarning,
       .message = fmt::format(
           "{} on {}; {}",
           longest_stage(record.loading),
           *workers == 0 ? std::string("no worker, between the steps") : std::string("1 worker"),
           asked <= cores
               ? fmt::format("{} workers would keep the model busy (computed)", asked)
               : fmt::format(
                     "{} workers would keep the model busy (computed), and this process has "
                     "{} cores",
                     asked,
                     cores)),
       .suggestion = fmt::format("--num-workers {}", given)});
}

// The loader is fast enough on average; only the buffer is too small for its pauses.
void find_tiny_buffer(const Record& record, Findings& findings) {
  const std::optional<std::int64_t> buffer = record.settings.buffer;
  if (!buffer || *buffer >= kTinyBuffer || record.settings.num_workers == 0) return;
  const LoadingNeed need = loading_need_of(record);
  if (need.wait_share.value_or(0.0) <= kBufferWait) return;
  std::int64_t max_depth = 0;
  for (const Step& step : record.steps)
    max_depth = std::max(max_depth, step.buffer_depth.value_or(0));
  const auto workers =
      static_cast<double>(std::max<std::int64_t>(1, record.settings.num_workers.value_or(1)));
  const bool has_time = need.batch_s && need.step_s
                            ? *need.batch_s / workers <= kLoaderHasTime * *need.step_s
                            : max_depth >= *buffer;
  if (!has_time) return;
  findings.push_back(
      {.id = "tiny_buffer",
       .severity = is_badly_starved(record) ? Severity::kCritical : Severity::kWarning,
       .message =
           fmt::format("the model waited {} of its time although the loader is fast enough: "
                       "a buffer of {} is too small to cover loading pauses",
                       base::format_percent(*need.wait_share),
                       *buffer == 1 ? std::string("1 batch") : fmt::format("{} batches", *buffer)),
       .suggestion = "--buffer-size auto"});
}

bool has_cause(const Findings& findings) {
  return std::ranges::any_of(findings, [](const Finding& finding) {
    return std::ranges::find(kCauses, finding.id) != kCauses.end();
  });
}

std::string on_workers(const Record& record) {
  const std::optional<std::int64_t> workers = record.settings.num_workers;
  return workers ? " on " + base::format_count(*workers, "worker") : "";
}

// More workers would keep up: suggests them if there are enough cores, else a mel cache.
Finding too_few_workers(const Record& record, std::int64_t needed) {
  const std::int64_t cores = record.machine.usable_cores.value_or(needed);
  const bool has_cores = needed <= cores;
  return {
      .id = "few_workers",
      .message = fmt::format(
          "{}{}; {} workers would keep the model busy (computed){}",
          longest_stage(record.loading),
          on_workers(record),
          needed,
          has_cores ? ""
                    : fmt::format(", and this process has {}", base::format_count(cores, "core"))),
      .suggestion = has_cores ? fmt::format("--num-workers {}", needed) : mel_cache_flag(record)};
}

// The workers should keep up, or the loading time is unknown.
Finding slow_workers(const Record& record, const LoadingNeed& need) {
  const std::optional<std::int64_t> needed = need.workers_needed();
  const bool is_kept = record.settings.cache == "auto" || record.settings.cache == "ram";
  return {.id = "few_workers",
          .message = fmt::format(
              "the model waited {} of its time for data{}{}",
              base::format_percent(need.wait_share.value_or(0.0)),
              on_workers(record),
              needed ? fmt::format(", although {} would be enough (computed)", *needed) : ""),
          .suggestion = record.settings.cache && !is_kept ? mel_cache_flag(record)
                                                          : "myxtts diagnose bottleneck"};
}

}  // namespace

void loading_findings(const Record& record, Findings& findings) {
  const std::size_t before = findings.size();
  find_tiny_buffer(record, findings);
  if (findings.size() == before) find_one_worker(record, findings);
}

void starvation_findings(const Record& record, Findings& findings) {
  if (!waits_for_data(record) || has_cause(findings) || is_starved_by_others(record)) return;
  const LoadingNeed need = loading_need_of(record);
  const std::int64_t needed = need.workers_needed().value_or(0);
  Finding finding = needed > std::max<std::int64_t>(1, record.settings.num_workers.value_or(1))
                        ? too_few_workers(record, needed)
                        : slow_workers(record, need);
  finding.severity = is_badly_starved(record) ? Severity::kCritical : Severity::kWarning;
  findings.push_back(std::move(finding));
}

}  // namespace myxtts::rules
