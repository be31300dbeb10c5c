// Computes the advice from the measurements. A setting that is not clearly better is not changed.
#include <algorithm>
#include <cmath>
#include <variant>

#include <fmt/format.h>

#include "base/format.h"
#include "config/value.h"
#include "corpus/statistics.h"
#include "data/length_filter.h"
#include "data/run_plan.h"
#include "data/shape_plan.h"
#include "diagnose/recommend.h"
#include "rules/loading_need.h"
#include "rules/time_split.h"

namespace myxtts::diagnose {
namespace {

constexpr double kClearGain = 1.10;    // of speed, for changes that affect learning
constexpr double kSomeGain = 1.05;     // for other changes
constexpr double kFarAbove = 1.5;      // the longest utterance over p99
constexpr double kMuchPadding = 0.02;  // beyond that of the planned shapes
constexpr double kStarved = 0.05;      // of the model's time
constexpr std::int64_t kTinyBuffer = 4;
constexpr double kMemoryShare = 0.25;  // of free memory, for mels

// Returns the value of a key as typed on the command line.
std::string typed(const config::Config& config, std::string_view key) {
  config::Config copy = config;
  for (const config::Field& field : config::fields_of(copy)) {
    if (field.key() != key) continue;
    const auto* text = std::get_if<std::string*>(&field.value);  // YAML would quote "off"
    return text != nullptr ? **text : config::to_yaml(field);
  }
  return "";
}

Advice keep(const RecommendMeasured& measured, const std::string& key, std::string reason) {
  const std::string now = typed(measured.config, key);
  return {.key = key, .now = now, .value = now, .reason = std::move(reason)};
}

Advice change(const RecommendMeasured& measured,
              const std::string& key,
              std::string value,
              std::string reason) {
  Advice advice = keep(measured, key, std::move(reason));
  advice.value = std::move(value);
  return advice;
}

double base_speed(const RecommendMeasured& measured) {
  return measured.trials.empty() ? 0.0 : measured.trials.front().speed.value_or(0.0);
}

// "--batch-size 32 trains 1.32 x as much speech per second (measured)".
std::string format_speedup(const Trial& trial, double base) {
  if (!trial.speed) return fmt::format("{} failed ({})", trial.name, trial.fault);
  return fmt::format("{} trains {:.2f} x as much speech per second (measured)",
                     trial.name,
                     base > 0.0 ? *trial.speed / base : 0.0);
}

double padding_with(config::Config config,
                    std::optional<bool> is_fixed,
                    std::span<const data::Lengths> lengths) {
  config.data.pad_to_fixed_length = is_fixed;
  if (!is_fixed) config.data.shape_buckets.reset();
  const data::ShapePlan plan =
      data::plan_run(data::shape_settings_of(config), lengths, /*validation=*/{});
  return data::padding_of(plan, lengths);
}

// One of the two lengths of an utterance, and the limit on it.
struct LengthKind {
  const char* key;
  const char* unit;
  std::optional<int> limit;  // configured
  std::int64_t p99 = 0;
  std::int64_t longest = 0;
  std::int64_t (*round_limit)(std::int64_t);
  data::Lengths (*limits_of)(std::int64_t);  // this limit, and none on the other length
};

// Changes a configured limit that is far above all lengths or filters too many utterances.
std::optional<Advice> advise_configured_limit(const RecommendMeasured& measured,
                                              const LengthKind& kind) {
  const std::int64_t limit = *kind.limit;
  const data::FilteredByLength out =
      data::filter_by_length(kind.limits_of(limit), measured.lengths);
  const bool is_far = static_cast<double>(limit) > kFarAbove * static_cast<double>(kind.p99) &&
                      limit > kind.longest;
  if (!is_far && out.larger_share() <= data::kFilterWarningShare) return std::nullopt;
  return change(measured,
                kind.key,
                std::to_string(kind.round_limit(kind.longest)),
                is_far ? fmt::format("the longest utterance has {} {}", kind.longest, kind.unit)
                       : fmt::format("{} of the speech is longer than the limit",
                                     base::format_percent(out.frame_share)));
}

// Without a configured limit, recommends one if a few utterances are far longer than the others.
std::optional<Advice> advise_new_limit(const RecommendMeasured& measured, const LengthKind& kind) {
  if (static_cast<double>(kind.longest) <= kFarAbove * static_cast<double>(kind.p99))
    return std::nullopt;
  const std::int64_t limit = kind.round_limit(kind.p99);
  const data::FilteredByLength out =
      data::filter_by_length(kind.limits_of(limit), measured.lengths);
  return change(measured,
                kind.key,
                std::to_string(limit),
                fmt::format("99 % of the utterances have at most {} {}, the longest has {}; {} of "
                            "the speech is filtered",
                            kind.p99,
                            kind.unit,
                            kind.longest,
                            base::format_percent(out.frame_share)));
}

void advise_length(const RecommendMeasured& measured,
                   const LengthKind& kind,
                   std::vector<Advice>& advice) {
  const std::optional<Advice> other =
      kind.limit ? advise_configured_limit(measured, kind) : advise_new_limit(measured, kind);
  advice.push_back(other
                       ? *other
                       : keep(measured,
                              kind.key,
                              fmt::format("99 % of the utterances have at most {} {}, the longest "
                                          "has {}",
                                          kind.p99,
                                          kind.unit,
                                          kind.longest)));
}

void advise_lengths(const RecommendMeasured& measured, std::vector<Advice>& advice) {
  const rules::CorpusStats& corpus = measured.record.corpus;
  const config::DataConfig& data = measured.config.data;
  advise_length(measured,
                {.key = "data.max_text_length",
                 .unit = "symbols",
                 .limit = data.max_text_length,
                 .p99 = corpus.text_p99.value_or(0),
                 .longest = corpus.text_max.value_or(0),
                 .round_limit = corpus::round_text_limit,
                 .limits_of =
                     [](std::int64_t limit) {
                       return data::Lengths{limit, data::kNoLimit};
                     }},
                advice);
  advise_length(measured,
                {.key = "data.max_mel_frames",
                 .unit = "frames",
                 .limit = data.max_mel_frames,
                 .p99 = corpus.mel_p99.value_or(0),
                 .longest = corpus.mel_max.value_or(0),
                 .round_limit = corpus::round_mel_limit,
                 .limits_of =
                     [](std::int64_t limit) {
                       return data::Lengths{data::kNoLimit, limit};
                     }},
                advice);
}

void advise_buckets(const RecommendMeasured& measured, std::vector<Advice>& advice) {
  const config::DataConfig& data = measured.config.data;
  const double planned = padding_with(measured.config, std::nullopt, measured.lengths);
  const std::string key = "data.shape_buckets";
  if (data.pad_to_fixed_length == false) {
    advice.push_back(change(
        measured,
        key,
        "auto",
        fmt::format("shapes are dynamic, so no step is prepared; planned shapes have {} padding",
                    base::format_percent(planned))));
    advice.back().now = "dynamic";
    return;
  }
  const data::ShapePlan plan =
      data::plan_run(data::shape_settings_of(measured.config), measured.lengths, /*validation=*/{});
  const double now = data::padding_of(plan, measured.lengths);
  const double fixed = padding_with(measured.config, true, measured.lengths);
  const std::string reason =
      fmt::format("{} of the frames are padding with auto, {} with one shape",
                  base::format_percent(planned),
                  base::format_percent(fixed));
  if (now > planned + kMuchPadding) {
    advice.push_back(change(
        measured, key, "auto", fmt::format("{}, {} now", reason, base::format_percent(now))));
    if (data.pad_to_fixed_length == true) advice.back().now = "one fixed shape";
  } else {
    advice.push_back(keep(measured, key, reason));
  }
}

void advise_batch(const RecommendMeasured& measured, std::vector<Advice>& advice) {
  const double base = base_speed(measured);
  const Trial* best = nullptr;
  std::string reason;
  for (const Trial& trial : measured.trials) {
    if (trial.changes.size() != 1 || trial.changes[0].key != "data.batch_size") continue;
    reason += (reason.empty() ? "" : "; ") + format_speedup(trial, base);
    const bool is_clear = trial.speed && *trial.speed >= kClearGain * base;
    if (is_clear && (best == nullptr || *trial.speed > *best->speed)) best = &trial;
  }
  advice.push_back(
      best == nullptr
          ? keep(measured, "data.batch_size", reason)
          : change(measured, "data.batch_size", best->changes[0].value, std::move(reason)));
}

void advise_workers(const RecommendMeasured& measured, std::vector<Advice>& advice) {
  const rules::Record& record = measured.record;
  const rules::LoadingNeed need = rules::loading_need_of(record);
  const std::int64_t now = record.settings.num_workers.value_or(0);
  const std::int64_t cores = record.machine.usable_cores.value_or(1);
  const std::int64_t needed = need.workers_needed().value_or(1);
  const double waited = need.wait_share.value_or(0.0);
  const std::string reason = fmt::format(
      "loading a batch takes {} on one worker, a step {}: {} would keep the model busy "
      "(computed); the model waited {} of its time with {}",
      base::format_seconds(need.batch_s.value_or(0.0)),
      base::format_seconds(need.step_s.value_or(0.0)),
      base::format_count(needed, "worker"),
      base::format_percent(waited),
      now == 0 ? std::string("no worker") : base::format_count(now, "worker"));
  const std::int64_t wanted = std::min(std::max<std::int64_t>(needed, 1), cores);
  if (waited > kStarved && wanted > now) {
    advice.push_back(change(measured, "data.num_workers", std::to_string(wanted), reason));
  } else {
    advice.push_back(keep(measured, "data.num_workers", reason));
  }
}

void advise_buffer(const RecommendMeasured& measured, std::vector<Advice>& advice) {
  const double step_s = rules::median_step_s(measured.record.steps).value_or(0.0);
  const double pause = step_s > 0.0 ? measured.longest_pause_s / step_s : 0.0;
  const auto needed =
      std::max(kTinyBuffer, static_cast<std::int64_t>(std::ceil(std::min(pause, 1e6))) + 1);
  const std::optional<int> now = measured.config.data.pipeline_buffer_size;
  const std::string reason = fmt::format("the loader's longest pause was {}, {:.1f} steps",
                                         base::format_seconds(measured.longest_pause_s),
                                         pause);
  if (now && *now < needed) {
    advice.push_back(change(measured, "data.pipeline_buffer_size", "auto", reason));
  } else {
    advice.push_back(keep(measured, "data.pipeline_buffer_size", reason));
  }
}

void advise_cache(const RecommendMeasured& measured, std::vector<Advice>& advice) {
  double frames = 0.0;
  for (const data::Lengths& one : measured.lengths)
    frames += static_cast<double>(one.mel);
  const auto sampled = static_cast<double>(std::max<std::size_t>(1, measured.lengths.size()));
  const double all = std::max(1.0, static_cast<double>(measured.num_utterances) / sampled);
  const double bytes = all * frames * measured.config.model.n_mels * sizeof(float);
  const auto free = static_cast<double>(measured.record.machine.free_memory_bytes.value_or(0));
  const bool fits = bytes <= kMemoryShare * free;
  const std::string& now = measured.config.data.feature_cache;
  const double epochs = measured.record.settings.planned_epochs.value_or(kFarAbove);
  const std::string reason =
      fmt::format("the mels take {}; {} of memory are free: {}",
                  base::format_bytes(bytes),
                  base::format_bytes(free),
                  fits ? "they stay in memory" : "those that do not fit are kept on disk");
  const bool is_off = now == "off" && epochs > 1.0;
  const bool is_too_large = now == "ram" && !fits;
  if (is_off || is_too_large) {
    advice.push_back(change(measured, "data.feature_cache", "auto", reason));
  } else {
    advice.push_back(keep(measured, "data.feature_cache", reason));
  }
}

void advise_precision(const RecommendMeasured& measured, std::vector<Advice>& advice) {
  const std::string key = "training.precision";
  for (const Trial& trial : measured.trials) {
    if (trial.changes.empty() || trial.changes[0].key != key) continue;
    const double base = base_speed(measured);
    const bool is_better = trial.speed && *trial.speed >= kSomeGain * base;
    advice.push_back(
        is_better ? change(measured, key, trial.changes[0].value, format_speedup(trial, base))
                  : keep(measured, key, format_speedup(trial, base)));
    return;
  }
  advice.push_back(keep(measured, key, "this processor has no bfloat16 instructions"));
}

void advise_devices(const RecommendMeasured& measured, std::vector<Advice>& advice) {
  for (const Trial& trial : measured.trials) {
    if (trial.changes.empty() || trial.changes[0].key != "data.data_device") continue;
    const double base = base_speed(measured);
    const bool is_better = trial.speed && *trial.speed >= kSomeGain * base;
    for (const config::Override& one : trial.changes) {
      advice.push_back(is_better ? change(measured, one.key, one.value, format_speedup(trial, base))
                                 : keep(measured, one.key, format_speedup(trial, base)));
    }
    return;
  }
  const rules::LoadingNeed need = rules::loading_need_of(measured.record);
  advice.push_back(keep(measured,
                        "training.device",
                        fmt::format("the model waited {} of its time",
                                    base::format_percent(need.wait_share.value_or(0.0)))));
}

}  // namespace

std::vector<Advice> advise(const RecommendMeasured& measured) {
  std::vector<Advice> advice;
  advise_lengths(measured, advice);
  advise_buckets(measured, advice);
  advise_batch(measured, advice);
  advise_workers(measured, advice);
  advise_buffer(measured, advice);
  advise_cache(measured, advice);
  advise_precision(measured, advice);
  advise_devices(measured, advice);
  return advice;
}

std::vector<config::Override> changes_of(const std::vector<Advice>& advice) {
  std::vector<config::Override> changes;
  for (const Advice& one : advice)
    if (one.is_change()) changes.push_back({one.key, one.value});
  return changes;
}

}  // namespace myxtts::diagnose
