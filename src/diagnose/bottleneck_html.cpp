// HTML report of `diagnose bottleneck`: findings, lanes over time, batch times, buffer depth.
#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "base/format.h"
#include "base/html_page.h"
#include "base/svg.h"
#include "base/version.h"
#include "diagnose/bottleneck.h"
#include "rules/limit_line.h"
#include "rules/loading_need.h"
#include "rules/suggestion.h"

namespace myxtts::diagnose {
namespace {

using base::escape_html;

constexpr double kLaneHeight = 20.0;
constexpr double kLaneGap = 8.0;
constexpr double kLanesLeft = 68.0;  // for the names
constexpr double kLanesWidth = 400.0;
constexpr int kTicks = 4;

std::string_view colour_of(LaneState state) {
  switch (state) {
    case LaneState::kBusy:
      return "var(--bar)";
    case LaneState::kWaiting:
      return "var(--mark)";
    case LaneState::kHost:
      return "var(--warn)";
  }
  return "var(--soft)";
}

std::string heading(std::string_view id, std::string_view title) {
  return fmt::format(
      "<section aria-labelledby=\"{0}\">\n<h2 id=\"{0}\">{1}</h2>\n", id, escape_html(title));
}

double end_of(const std::vector<RunLane>& lanes) {
  double end_s = 0.0;
  for (const RunLane& lane : lanes) {
    for (const LaneSpan& span : lane.spans)
      end_s = std::max(end_s, span.to_s);
  }
  return end_s;
}

std::string time_axis(double end_s, double bottom) {
  std::string svg;
  const double step_s = base::tick_step(end_s, kTicks);
  for (int i = 0; i * step_s <= end_s; ++i) {
    const double x = kLanesLeft + kLanesWidth * (i * step_s) / end_s;
    svg += fmt::format(
        "<line class=\"rule\" x1=\"{0:.1f}\" y1=\"0\" x2=\"{0:.1f}\" y2=\"{1:.1f}\"/>"
        "<text x=\"{0:.1f}\" y=\"{2:.1f}\" text-anchor=\"middle\">{3:g} s</text>\n",
        x,
        bottom,
        bottom + 16.0,
        i * step_s);
  }
  return svg;
}

std::string lanes_svg(const std::vector<RunLane>& lanes) {
  const double end_s = end_of(lanes);
  if (end_s <= 0.0) return "";
  const double bottom = static_cast<double>(lanes.size()) * (kLaneHeight + kLaneGap);
  std::string svg = fmt::format(
      "<svg viewBox=\"0 0 {:.0f} {:.0f}\" style=\"max-width:44rem\" role=\"img\" "
      "aria-label=\"Activity of "
      "the model and {} "
      "during {:.1f} seconds\">\n",
      kLanesLeft + kLanesWidth + 24.0,
      bottom + 24.0,
      base::format_count(std::max<long long>(0, std::ssize(lanes) - 1), "loader"),
      end_s);
  svg += time_axis(end_s, bottom);
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    const double top = static_cast<double>(i) * (kLaneHeight + kLaneGap);
    svg += fmt::format(
        "<text x=\"0\" y=\"{:.1f}\">{}</text><rect x=\"{}\" y=\"{:.1f}\" width=\"{}\" "
        "height=\"{}\" style=\"fill:var(--line)\"/>\n",
        top + 0.7 * kLaneHeight,
        escape_html(lanes[i].name),
        kLanesLeft,
        top,
        kLanesWidth,
        kLaneHeight);
    for (const LaneSpan& span : lanes[i].spans) {
      svg += fmt::format(
          "<rect x=\"{:.2f}\" y=\"{:.1f}\" width=\"{:.2f}\" height=\"{}\" style=\"fill:{}\"/>\n",
          kLanesLeft + kLanesWidth * span.from_s / end_s,
          top,
          kLanesWidth * (span.to_s - span.from_s) / end_s,
          kLaneHeight,
          colour_of(span.state));
    }
  }
  return svg + "</svg>\n";
}

std::string swatch(std::string_view colour, std::string_view label) {
  return fmt::format(
      "<span><svg viewBox=\"0 0 12 12\" width=\"12\" height=\"12\" "
      "aria-hidden=\"true\"><rect width=\"12\" height=\"12\" style=\"fill:{}\"/></svg> {}</span> ",
      colour,
      label);
}

std::string lanes_section(const BottleneckReport& report) {
  const std::string picture = lanes_svg(report.lanes);
  if (picture.empty()) return "";
  return heading("lanes", "Lanes over time") + "<p>" + swatch("var(--bar)", "busy") +
         swatch("var(--mark)", "waiting for data") + swatch("var(--warn)", "between steps") +
         swatch("var(--line)", "blocked: buffer full, or no work") + "</p>\n<figure>\n" + picture +
         "</figure>\n</section>\n";
}

std::string findings_section(const BottleneckReport& report) {
  std::string html = heading("findings", "Findings");
  if (report.findings.empty()) html += "<p class=\"good\">No findings.</p>\n";
  for (const rules::Finding& finding : report.findings) {
    html += fmt::format("<article>\n<p class=\"said\"><strong>{}</strong>: {}</p>\n",
                        escape_html(rules::name_of(finding.severity)),
                        escape_html(finding.message));
    if (!finding.suggestion.empty()) {
      const char* kind = rules::is_command(finding.suggestion) ? "pre" : "p";
      html += fmt::format("<{0}>{1}</{0}>\n", kind, escape_html(finding.suggestion));
    }
    html += "</article>\n";
  }
  return html + "</section>\n";
}

// The stages of the model have no share of loading.
std::string model_row(std::string_view name, double seconds) {
  return fmt::format(
      "<tr><th scope=\"row\">{}</th><td class=\"n\">{:.3f} ms</td><td class=\"n\">the model</td>"
      "</tr>\n",
      name,
      1e3 * seconds);
}

std::string stages_section(const BottleneckReport& report) {
  std::string html = heading("stages", "Stages alone") +
                     "<div class=\"scroll\"><table>\n<caption>Per utterance, on one "
                     "thread; share: of loading one batch row.</caption>\n<thead><tr><th "
                     "scope=\"col\">stage</th><th scope=\"col\" class=\"n\">time</th><th "
                     "scope=\"col\" class=\"n\">share</th></tr></thead>\n"
                     "<tbody>\n";
  for (const rules::Stage& stage : report.stages.stages) {
    html += fmt::format(
        "<tr><th scope=\"row\">{}</th><td class=\"n\">{:.3f} ms</td><td class=\"n\">{}</td></tr>\n",
        escape_html(stage.name),
        1e3 * stage.wall_s.value_or(stage.cpu_s.value_or(0.0)),
        base::format_percent(rules::share_of_stage(report.record.loading, stage.name)));
  }
  if (report.model) html += model_row("copy", report.model->copy_s);
  if (report.model) html += model_row("step", report.model->step_s);
  return html + "</tbody></table></div>\n</section>\n";
}

std::string curve(std::string_view title, const base::SeriesPlot& plot) {
  return fmt::format("<div><figure>\n<h3>{}</h3>\n{}</figure></div>\n",
                     escape_html(title),
                     base::series_svg(plot));
}

std::string times_section(const BottleneckReport& report) {
  base::SeriesPlot alone{.name = "Seconds between batches of the loader alone",
                         .x_label = "batch",
                         .y_label = "s",
                         .series = {{.label = "loader alone", .points = {}}}};
  for (std::size_t i = 0; i < report.loader.batch_s.size(); ++i)
    alone.series[0].points.emplace_back(i + 1, report.loader.batch_s[i]);
  base::SeriesPlot steps{
      .name = "Seconds of each training step and of the wait before it",
      .x_label = "step",
      .y_label = "s",
      .series = {{.label = "step", .points = {}}, {.label = "wait", .points = {}}}};
  base::SeriesPlot depth{.name = "Batches ready after each step",
                         .x_label = "step",
                         .y_label = "batches",
                         .series = {{.label = "ready", .points = {}}},
                         .min_y_step = 1.0};
  for (std::size_t i = 0; i < report.record.steps.size(); ++i) {
    const rules::Step& step = report.record.steps[i];
    const std::size_t number = i + 2;  // the first step is not in the record
    steps.series[0].points.emplace_back(number, step.step_s);
    steps.series[1].points.emplace_back(number, step.wait_s.value_or(0.0));
    depth.series[0].points.emplace_back(number, step.buffer_depth.value_or(0));
  }
  std::string html = heading("times", "Batch times and buffer depth") + "<div class=\"grid\">\n";
  if (!report.record.steps.empty()) {
    html += curve("Training: step and wait", steps) + curve("Training: buffer depth", depth);
  }
  return html + curve("Loader alone, from the files", alone) + "</div>\n</section>\n";
}

}  // namespace

std::string to_html(const BottleneckReport& report) {
  return base::render({.title = "Training bottleneck",
                       .lead = rules::limit_line(report.record),
                       .body = findings_section(report) + lanes_section(report) +
                               times_section(report) + stages_section(report) +
                               fmt::format("<p>{}; {}</p>\n",
                                           escape_html(report.corpus),
                                           escape_html(base::machine_text())) +
                               base::page_footer()});
}

}  // namespace myxtts::diagnose
