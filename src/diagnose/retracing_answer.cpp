// The answer of `diagnose retracing`, for people and for machines. Its sections are those of the
// tool that it takes the place of.
#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "diagnose/retracing.h"
#include "rules/record_json.h"

namespace xtts::diagnose {
namespace {

using pipeline::Signature;

constexpr std::size_t kMostShown = 8;  // batches, shapes and steps beyond these are counted

std::string plural(std::size_t count, std::string noun) {
  if (count != 1) noun += noun.ends_with("ch") ? "es" : "s";
  return fmt::format("{} {}", count, noun);
}

std::string more_line(std::size_t count) {
  return count > kMostShown ? fmt::format("  ... and {} more\n", count - kMostShown) : "";
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
  if (shapes.num_ordered == 0) return "";
  std::string text = fmt::format("\nBATCH SHAPES\n  {} of an epoch in {}:\n",
                                 plural(static_cast<std::size_t>(shapes.num_ordered), "batch"),
                                 plural(shapes.ordered.size(), "shape"));
  for (std::size_t i = 0; i < std::min(kMostShown, shapes.ordered.size()); ++i) {
    text += fmt::format("  {:<20} {}\n",
                        name_of(shapes.ordered[i].first),
                        plural(static_cast<std::size_t>(shapes.ordered[i].second), "batch"));
  }
  text += more_line(shapes.ordered.size()) + "  made by the loader:\n";
  for (std::size_t i = 0; i < std::min(kMostShown, shapes.made.size()); ++i) {
    const Signature& shape = shapes.made[i];
    text += fmt::format("  batch {}: text=({}, {}), mel=({}, {}, {})\n",
                        i + 1,
                        shape.batch,
                        shape.text,
                        shape.batch,
                        shape.mel,
                        shapes.n_mels);
  }
  text += more_line(shapes.made.size());
  if (report.record.settings.shape_mode == "dynamic") {
    return text + "  PROBLEM: no batch has a shape that is known before it comes\n";
  }
  if (shapes.odd.empty()) return text + "  ok: every batch has a shape of the plan\n";
  for (std::size_t i = 0; i < std::min(kMostShown, shapes.odd.size()); ++i)
    text += fmt::format("  PROBLEM: {}\n", shapes.odd[i]);
  return text + more_line(shapes.odd.size());
}

std::string steps_text(const RetracingReport& report) {
  if (report.steps.empty()) return "";
  std::string text =
      fmt::format("\n{}\n",
                  report.steps.size() == 1 ? "1 TRAINING STEP"
                                           : fmt::format("{} TRAINING STEPS", report.steps.size()));
  for (std::size_t i = 0; i < report.steps.size(); ++i) {
    const rules::Step& step = report.steps[i].measured;
    // Those with a retrace are what the person came for: all of them are shown.
    if (i >= kMostShown && step.retraces == 0) continue;
    text += fmt::format("  step {}: {}, loss={:.4f}, time={:.3f} s{}\n",
                        i + 1,
                        step.signature,
                        report.steps[i].loss,
                        step.step_s,
                        step.retraces > 0 ? "  RETRACE" : "");
  }
  return text;
}

std::string verdict_words(const RetracingReport& report) {
  if (report.is_refused) return "PROBLEM: a training refuses these settings";
  if (report.num_retraces() > 0) return "PROBLEM: retracing detected";
  if (!rules::is_healthy(report.findings)) return "PROBLEM: no retracing, but see below";
  return "healthy: no retracing detected";
}

std::string summary_text(const RetracingReport& report) {
  return fmt::format(
      "\nDIAGNOSTIC SUMMARY\n  total steps          {}\n  retracing events     {}\n"
      "  average step time    {:.3f} s +- {:.3f} s\n  verdict              {}\n",
      report.steps.size(),
      report.num_retraces(),
      report.mean_step_s(),
      report.deviation_step_s(),
      verdict_words(report));
}

nlohmann::ordered_json shapes_json(const BatchShapes& shapes) {
  nlohmann::ordered_json ordered = nlohmann::ordered_json::array();
  for (const auto& [shape, count] : shapes.ordered)
    ordered.push_back({{"shape", name_of(shape)}, {"batches", count}});
  nlohmann::ordered_json made = nlohmann::ordered_json::array();
  for (const Signature& shape : shapes.made)
    made.push_back(name_of(shape));
  return {{"in_epoch", shapes.num_ordered},
          {"shapes", std::move(ordered)},
          {"made", std::move(made)},
          {"odd", shapes.odd}};
}

}  // namespace

std::string to_text(const RetracingReport& report) {
  std::string text =
      settings_text(report) + batches_text(report) + steps_text(report) + summary_text(report);
  if (!report.findings.empty()) text += '\n';
  for (const rules::Finding& finding : report.findings)
    text += line_of(finding) + "\n";
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
  for (const RunStep& step : report.steps)
    losses.push_back(step.loss);  // null where not finite
  return {{"healthy", rules::is_healthy(report.findings)},
          {"findings", rules::to_json(report.findings)},
          {"settings", std::move(settings)},
          {"problems", std::move(problems)},
          {"batches", shapes_json(report.shapes)},
          {"summary",
           {{"steps", report.steps.size()},
            {"retraces", report.num_retraces()},
            {"step_s", {{"mean", report.mean_step_s()}, {"std", report.deviation_step_s()}}},
            {"losses", std::move(losses)},
            {"verdict", verdict_words(report)}}},
          {"record", rules::to_json(report.record)}};
}

}  // namespace xtts::diagnose
