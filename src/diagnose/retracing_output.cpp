// Text and JSON output of `diagnose retracing`, with the sections of the original's tool.
#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "diagnose/retracing.h"
#include "rules/record_json.h"

namespace myxtts::diagnose {
namespace {

using data::Signature;

constexpr std::size_t kMaxShownRetraces =
    8;  // batches, shapes and steps; the others are only counted

std::string plural(std::size_t count, std::string noun) {
  if (count != 1) noun += noun.ends_with("ch") ? "es" : "s";
  return fmt::format("{} {}", count, noun);
}

std::string more_line(std::size_t count) {
  return count > kMaxShownRetraces ? fmt::format("  ... and {} more\n", count - kMaxShownRetraces)
                                   : "";
}

std::string settings_text(const RetracingReport& report) {
  std::string text = "CONFIG VALIDATION\n";
  for (const ShapeSetting& setting : report.settings) {
    text += fmt::format("  {:<20} {:<32} {}\n",
                        setting.name,
                        setting.value,
                        setting.problem.empty() ? "ok" : "PROBLEM: " + setting.problem);
  }
  const rules::Settings& settings = report.record.settings;
  if (settings.shape_mode) {
    text += fmt::format("  {:<20} {}", "plan", *settings.shape_mode);
    for (const rules::Shape& shape : settings.signatures)
      text += fmt::format(" {}x{}x{}", shape.batch, shape.text, shape.mel);
    text += '\n';
  }
  for (const std::string& note : report.notes)
    text += fmt::format("  {}\n", note);
  return text;
}

std::string batches_text(const RetracingReport& report) {
  const BatchShapes& shapes = report.shapes;
  if (shapes.num_sampled == 0) return "";
  std::string text = fmt::format("\nBATCH SHAPES\n  {} of an epoch in {}:\n",
                                 plural(static_cast<std::size_t>(shapes.num_sampled), "batch"),
                                 plural(shapes.sampled.size(), "shape"));
  for (std::size_t i = 0; i < std::min(kMaxShownRetraces, shapes.sampled.size()); ++i) {
    text += fmt::format("  {:<20} {}\n",
                        name_of(shapes.sampled[i].first),
                        plural(static_cast<std::size_t>(shapes.sampled[i].second), "batch"));
  }
  text += more_line(shapes.sampled.size()) + "  loaded batches:\n";
  for (std::size_t i = 0; i < std::min(kMaxShownRetraces, shapes.loaded.size()); ++i) {
    const Signature& shape = shapes.loaded[i];
    text += fmt::format("  batch {}: text=({}, {}), mel=({}, {}, {})\n",
                        i + 1,
                        shape.batch,
                        shape.text,
                        shape.batch,
                        shape.mel,
                        shapes.n_mels);
  }
  text += more_line(shapes.loaded.size());
  if (report.record.settings.shape_mode == "dynamic") {
    return text + "  PROBLEM: shapes are not known before training\n";
  }
  if (shapes.unplanned.empty()) return text + "  ok: every batch has a shape of the plan\n";
  for (std::size_t i = 0; i < std::min(kMaxShownRetraces, shapes.unplanned.size()); ++i)
    text += fmt::format("  PROBLEM: {}\n", shapes.unplanned[i]);
  return text + more_line(shapes.unplanned.size());
}

std::string steps_text(const RetracingReport& report) {
  if (report.steps.empty()) return "";
  std::string text =
      fmt::format("\n{}\n",
                  report.steps.size() == 1 ? "1 TRAINING STEP"
                                           : fmt::format("{} TRAINING STEPS", report.steps.size()));
  for (std::size_t i = 0; i < report.steps.size(); ++i) {
    const rules::Step& step = report.steps[i].measured;
    // Shows all steps with a retrace.
    if (i >= kMaxShownRetraces && step.retraces == 0) continue;
    text += fmt::format("  step {}: {}, loss={:.4f}, time={:.3f} s{}\n",
                        i + 1,
                        step.signature,
                        report.steps[i].loss,
                        step.step_s,
                        step.retraces > 0 ? "  RETRACE" : "");
  }
  return text;
}

std::string format_diagnosis(const RetracingReport& report) {
  if (report.is_refused) return "PROBLEM: training refuses these settings";
  if (report.num_retraces() > 0) return "PROBLEM: retracing detected";
  if (!rules::is_healthy(report.findings))
    return "PROBLEM: no retracing, but other findings (see below)";
  return "healthy: no retracing detected";
}

std::string summary_text(const RetracingReport& report) {
  return fmt::format(
      "\nDIAGNOSTIC SUMMARY\n  total steps          {}\n  retracing events     {}\n"
      "  average step time    {:.3f} s +- {:.3f} s\n  diagnosis            {}\n",
      report.steps.size(),
      report.num_retraces(),
      report.mean_step_s(),
      report.std_step_s(),
      format_diagnosis(report));
}

nlohmann::ordered_json shapes_json(const BatchShapes& shapes) {
  nlohmann::ordered_json sampled = nlohmann::ordered_json::array();
  for (const auto& [shape, count] : shapes.sampled)
    sampled.push_back({{"shape", name_of(shape)}, {"batches", count}});
  nlohmann::ordered_json loaded = nlohmann::ordered_json::array();
  for (const Signature& shape : shapes.loaded)
    loaded.push_back(name_of(shape));
  return {{"in_epoch", shapes.num_sampled},
          {"shapes", std::move(sampled)},
          {"loaded", std::move(loaded)},
          {"unplanned", shapes.unplanned}};
}

}  // namespace

std::string to_text(const RetracingReport& report) {
  std::string text =
      settings_text(report) + batches_text(report) + steps_text(report) + summary_text(report);
  if (!report.findings.empty()) text += '\n';
  for (const rules::Finding& finding : report.findings)
    text += format_finding(finding) + "\n";
  return text;
}

nlohmann::ordered_json to_json(const RetracingReport& report) {
  nlohmann::ordered_json settings = nlohmann::ordered_json::object();
  nlohmann::ordered_json problems = nlohmann::ordered_json::object();
  for (const ShapeSetting& setting : report.settings) {
    settings[setting.name] = setting.value;
    if (!setting.problem.empty()) problems[setting.name] = setting.problem;
  }
  nlohmann::ordered_json losses = nlohmann::ordered_json::array();
  for (const MeasuredStep& step : report.steps)
    losses.push_back(step.loss);  // null if not finite
  return {{"healthy", rules::is_healthy(report.findings)},
          {"findings", rules::to_json(report.findings)},
          {"settings", std::move(settings)},
          {"problems", std::move(problems)},
          {"batches", shapes_json(report.shapes)},
          {"summary",
           {{"steps", report.steps.size()},
            {"retraces", report.num_retraces()},
            {"step_s", {{"mean", report.mean_step_s()}, {"std", report.std_step_s()}}},
            {"losses", std::move(losses)},
            {"diagnosis", format_diagnosis(report)}}},
          {"record", rules::to_json(report.record)}};
}

}  // namespace myxtts::diagnose
