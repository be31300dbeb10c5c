#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "base/format.h"
#include "rules/loading_need.h"
#include "rules/rules.h"

namespace myxtts::rules {
namespace {

constexpr double kManyEpochs = 3.0;
constexpr double kFullShare = 0.98;  // of the limit
constexpr double kFewMisses = 0.02;  // of all requests
constexpr double kRoom = 1.25;       // suggested limit over the computed need
// Bytes of one second of mels: 22,050 / 256 frames of 80 channels of 4 bytes.
constexpr double kMelBytesPerSecond = 22050.0 / 256.0 * 80.0 * 4.0;

void find_cache_off(const Record& record, Findings& findings) {
  const double epochs = record.settings.planned_epochs.value_or(0.0);
  if (record.settings.cache != "off" || epochs < kManyEpochs) return;
  findings.push_back({.id = "cache_off",
                      .severity = is_starved(record) ? Severity::kCritical : Severity::kWarning,
                      .message = fmt::format(
                          "the cache is off and {:.0f} epochs are planned: every mel is computed "
                          "{:.0f} times",
                          epochs,
                          epochs),
                      .suggestion = "--cache auto"});
}

double misses_share(const Cache& cache) {
  const auto hits = static_cast<double>(cache.hits.value_or(0));
  const auto misses = static_cast<double>(cache.misses.value_or(0));
  return hits + misses > 0.0 ? misses / (hits + misses) : 0.0;
}

bool is_full(const Cache& cache) {
  if (cache.stopped.value_or(false)) return true;
  const auto limit = static_cast<double>(cache.limit_bytes.value_or(0));
  return limit > 0.0 && static_cast<double>(cache.bytes.value_or(0)) >= kFullShare * limit;
}

// A full cache that holds everything is healthy; only misses make it a fault.
void find_cache_full(const Record& record, Findings& findings) {
  const Cache& cache = record.cache;
  const double missed = misses_share(cache);
  if (!is_full(cache) || missed <= kFewMisses) return;
  const auto held = static_cast<double>(cache.bytes.value_or(0));
  const double corpus_bytes = record.corpus.hours.value_or(0.0) * 3600.0 * kMelBytesPerSecond;
  const double needed = kRoom * std::max(held / std::max(1.0 - missed, 0.1), corpus_bytes);
  findings.push_back(
      {.id = "cache_full",
       .severity = is_starved(record) ? Severity::kCritical : Severity::kWarning,
       .message = fmt::format("the cache is full at {}: {} of the mels are computed again whenever "
                              "they are used",
                              base::format_bytes(held),
                              base::format_percent(missed)),
       .suggestion = fmt::format("--cache-limit {}", base::format_size_flag(needed))});
}

}  // namespace

void cache_findings(const Record& record, Findings& findings) {
  find_cache_off(record, findings);
  find_cache_full(record, findings);
}

}  // namespace myxtts::rules
