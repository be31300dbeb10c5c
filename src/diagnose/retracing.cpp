#include "diagnose/retracing.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "base/format.h"
#include "data/length_filter.h"
#include "data/plan_table.h"
#include "data/run_plan.h"
#include "rules/apply_rules.h"
#include "train/record_settings.h"

namespace myxtts::diagnose {
namespace {

using data::Lengths;

// Replaces the suggestion to run `diagnose retracing`, which is this command.
constexpr const char* kOneShape = "--enable-static-shapes";

std::string number_or(const std::optional<int>& value, const char* otherwise) {
  return value ? std::to_string(*value) : std::string(otherwise);
}

std::string format_padding(const config::DataConfig& data) {
  if (!data.pad_to_fixed_length) return "not set: shape_buckets applies";
  return *data.pad_to_fixed_length ? "true" : "false";
}

std::vector<ShapeSetting> settings_of(const config::Config& config) {
  const config::DataConfig& data = config.data;
  const int parts = config.training.gradient_accumulation_steps;
  return {{"pad_to_fixed_length", format_padding(data), ""},
          {"shape_buckets", number_or(data.shape_buckets, "auto"), ""},
          {"max_text_length", number_or(data.max_text_length, "not set"), ""},
          {"max_mel_frames", number_or(data.max_mel_frames, "not set"), ""},
          {"batch_size",
           parts == 1 ? std::to_string(data.batch_size)
                      : fmt::format("{} in {} micro-batches", data.batch_size, parts),
           ""},
          {"compile_step", config.training.compile_step ? "true" : "false", ""}};
}

bool contains(const std::string& text, const char* word) {
  return text.find(word) != std::string::npos;
}

// Returns true if a finding concerns the setting. The suggestion of filtered_by_length names the
// limit that it concerns.
bool is_about(const rules::Finding& finding, const std::string& setting) {
  if (finding.id == "dynamic_shapes") return setting == "pad_to_fixed_length";
  if (finding.id == "oversized_signature") return setting == "max_mel_frames";
  if (finding.id == "batch_size_not_fixed" || finding.id == "remainder_batch")
    return setting == "batch_size";
  if (finding.id != "filtered_by_length") return false;
  return (setting == "max_text_length" && contains(finding.suggestion, "--max-text-length")) ||
         (setting == "max_mel_frames" && contains(finding.suggestion, "--max-mel-frames"));
}

void update_problems(RetracingReport& report) {
  for (ShapeSetting& setting : report.settings) {
    setting.problem.clear();
    for (const rules::Finding& finding : report.findings)
      if (is_about(finding, setting.name)) setting.problem = finding.message;
  }
}

// Finds length limits that filter a large part of the corpus; `train` refuses to filter most of it.
void find_filtered(const Lengths& limits,
                   std::span<const Lengths> lengths,
                   rules::Findings& findings) {
  const data::FilteredByLength filtered = data::filter_by_length(limits, lengths);
  if (filtered.larger_share() <= data::kFilterWarningShare) return;
  const bool is_refused = data::length_filter_refusal(limits, lengths).has_value();
  findings.push_back(
      {.id = "filtered_by_length",
       .severity = is_refused ? rules::Severity::kCritical : rules::Severity::kWarning,
       .message = fmt::format("{} of {} utterances ({}) are longer than the limits and are "
                              "filtered{}",
                              filtered.utterances.size(),
                              lengths.size(),
                              base::format_percent(filtered.utterance_share),
                              is_refused ? ", more than training accepts" : ""),
       .suggestion = data::flags_between(limits, data::limits_that_keep_most(limits, lengths))});
}

void find_unplanned_shapes(const BatchShapes& shapes, rules::Findings& findings) {
  if (shapes.unplanned.empty()) return;
  findings.push_back({.id = "unplanned_shape",
                      .severity = rules::Severity::kCritical,
                      .message = fmt::format("{} batches do not follow the shape plan: {}",
                                             shapes.unplanned.size(),
                                             shapes.unplanned.front()),
                      .suggestion = "--shape-buckets auto"});
}

void record_plan(const config::Config& config,
                 const data::ShapePlan& plan,
                 std::span<const Lengths> lengths,
                 rules::Settings& settings) {
  settings.shape_mode = std::string(name_of(plan.mode));
  settings.pad_to_fixed_length = config.data.pad_to_fixed_length;
  settings.batch_size = config.data.batch_size;
  settings.grad_accum = config.training.gradient_accumulation_steps;
  if (plan.is_dynamic()) return;
  for (const data::PlanRow& row :
       data::plan_table(plan, config.training.gradient_accumulation_steps, lengths)) {
    settings.signatures.push_back({.batch = row.signature.batch,
                                   .text = row.signature.text,
                                   .mel = row.signature.mel,
                                   .share = row.share});
  }
}

// Drops the wait times: those of a few first steps are not representative (see `diagnose
// bottleneck`).
rules::Step without_waits(const MeasuredStep& step) {
  return {.step_s = step.measured.step_s,
          .epoch = step.measured.epoch,
          .signature = step.measured.signature,
          .retraces = step.measured.retraces};
}

void update_findings(RetracingReport& report) {
  report.findings = rules::apply_rules(report.record);
  for (rules::Finding& finding : report.findings) {
    if (finding.id == "retraces") finding.suggestion = kOneShape;
  }
  report.findings.insert(
      report.findings.end(), report.settings_findings.begin(), report.settings_findings.end());
  std::ranges::stable_sort(report.findings, {}, &rules::Finding::severity);
  update_problems(report);
}

}  // namespace

std::int64_t RetracingReport::num_retraces() const {
  std::int64_t count = 0;
  for (const MeasuredStep& step : steps)
    count += step.measured.retraces;
  return count;
}

double RetracingReport::mean_step_s() const {
  double sum = 0.0;
  for (const MeasuredStep& step : steps)
    sum += step.measured.step_s;
  return steps.empty() ? 0.0 : sum / static_cast<double>(steps.size());
}

double RetracingReport::std_step_s() const {
  const double mean = mean_step_s();
  double squares = 0.0;
  for (const MeasuredStep& step : steps)
    squares += (step.measured.step_s - mean) * (step.measured.step_s - mean);
  return steps.empty() ? 0.0 : std::sqrt(squares / static_cast<double>(steps.size()));
}

RetracingReport check_shapes(const config::Config& config,
                             const train::Corpora& corpora,
                             std::int64_t num_batches) {
  RetracingReport report{.settings = settings_of(config)};
  const std::vector<Lengths> lengths = corpora.training.lengths();
  const Lengths limits = data::limits_of(data::shape_settings_of(config), lengths);
  report.record.corpus = train::record_lengths(lengths);
  report.is_refused = data::length_filter_refusal(limits, lengths).has_value();
  if (!report.is_refused) {
    const data::ShapePlan plan = train::plan_of(config, corpora);
    report.notes = plan.notes;
    record_plan(config, plan, lengths, report.record.settings);
    report.shapes =
        inspect_batches(corpora.training, plan, data::loader_settings_of(config), num_batches);
  }
  find_unplanned_shapes(report.shapes, report.settings_findings);
  find_filtered(limits, lengths, report.settings_findings);
  update_findings(report);
  return report;
}

void add_steps(RetracingReport& report, std::vector<MeasuredStep> steps) {
  report.steps = std::move(steps);
  report.record.steps.clear();
  for (const MeasuredStep& step : report.steps)
    report.record.steps.push_back(without_waits(step));
  update_findings(report);
}

}  // namespace myxtts::diagnose
