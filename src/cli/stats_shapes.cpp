#include "cli/stats_shapes.h"

#include <array>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/html_page.h"
#include "data/length_filter.h"

namespace myxtts::cli {
namespace {

using data::Lengths;
using data::ShapeMode;

StatsShapes::Setting setting_of(const data::ShapeSettings& settings,
                                std::span<const Lengths> training,
                                std::span<const Lengths> validation) {
  const Lengths limits = data::limits_of(settings, training);
  StatsShapes::Setting setting;
  setting.filtered_share = data::filter_by_length(limits, training).utterance_share;
  if (data::length_filter_refusal(limits, training)) return setting;
  setting.plan = data::plan_run(settings, training, validation);
  setting.padding = data::padding_of(*setting.plan, training);
  return setting;
}

// Returns e.g. "8.1 %", with the signature and the filtered share.
std::string format_padding(const StatsShapes::Setting& setting) {
  if (!setting.plan) return "refused: more than half of the utterances would be filtered";
  std::string text = fmt::format("{:5.1f} %", 100.0 * setting.padding);
  if (!setting.plan->is_dynamic()) {
    text += setting.plan->signatures.size() == 1
                ? "  " + data::name_of(setting.plan->signatures[0])
                : fmt::format("  {} signatures", setting.plan->signatures.size());
  }
  if (setting.filtered_share > 0.0)
    text += fmt::format(", {:.1f} % of the utterances filtered", 100.0 * setting.filtered_share);
  return text;
}

std::string heading_of(const StatsShapes& shapes) {
  return fmt::format("Shape plan ({}, batch size {}{})",
                     data::name_of(shapes.settings.mode),
                     shapes.settings.plan.batch_size,
                     shapes.settings.plan.grad_accum == 1
                         ? ""
                         : fmt::format(" in {} micro-batches", shapes.settings.plan.grad_accum));
}

using Comparison = std::array<std::pair<const char*, std::string>, 3>;

Comparison comparison_of(const StatsShapes& shapes) {
  return {{{"this plan", format_padding(shapes.configured)},
           {"one fixed signature", format_padding(shapes.fixed)},
           {"dynamic shapes", format_padding(shapes.dynamic)}}};
}

}  // namespace

StatsShapes shapes_of(const config::Config& config,
                      std::span<const Lengths> training,
                      std::span<const Lengths> validation) {
  StatsShapes shapes;
  shapes.settings = data::shape_settings_of(config);
  const auto with_mode = [&](ShapeMode mode) {
    data::ShapeSettings settings = shapes.settings;
    settings.mode = mode;
    return setting_of(settings, training, validation);
  };
  shapes.limits = data::limits_of(shapes.settings, training);
  shapes.refusal = data::length_filter_refusal(shapes.limits, training).value_or("");
  shapes.configured = with_mode(shapes.settings.mode);
  shapes.fixed = with_mode(ShapeMode::kFixed);
  shapes.dynamic = with_mode(ShapeMode::kDynamic);
  if (shapes.configured.plan) {
    shapes.rows =
        data::plan_table(*shapes.configured.plan, shapes.settings.plan.grad_accum, training);
  }
  return shapes;
}

nlohmann::json shape_plan_json(const StatsShapes& shapes) {
  nlohmann::json signatures = nlohmann::json::array();
  for (const data::PlanRow& row : shapes.rows) {
    if (shapes.settings.mode == ShapeMode::kDynamic) continue;  // no fixed signatures
    signatures.push_back({{"batch", row.signature.batch},
                          {"text", row.signature.text},
                          {"mel", row.signature.mel},
                          {"share", row.share},
                          {"padding", row.padding}});
  }
  nlohmann::json json = {{"mode", data::name_of(shapes.settings.mode)},
                         {"signatures", std::move(signatures)},
                         {"refusal", nullptr}};
  if (!shapes.refusal.empty()) json["refusal"] = shapes.refusal;
  return json;
}

nlohmann::json padding_json(const StatsShapes& shapes) {
  const auto padding = [](const StatsShapes::Setting& setting) {
    return setting.plan ? nlohmann::json(setting.padding) : nlohmann::json(nullptr);
  };
  return {{"fixed", padding(shapes.fixed)},
          {"plan", padding(shapes.configured)},
          {"dynamic", padding(shapes.dynamic)}};
}

std::string shapes_text(const StatsShapes& shapes) {
  std::string text = heading_of(shapes) + "\n";
  if (!shapes.refusal.empty()) text += fmt::format("  train refuses: {}\n", shapes.refusal);
  for (const data::PlanRow& row : shapes.rows) {
    text += fmt::format("  {:<16}{:>6.1f} % of steps{:>8.1f} % padding\n",
                        data::name_of(row.signature),
                        100.0 * row.share,
                        100.0 * row.padding);
  }
  text += "Padding (share of mel frames)\n";
  for (const auto& [name, padding] : comparison_of(shapes))
    text += fmt::format("  {:<20} {}\n", name, padding);
  return text;
}

std::string shapes_section(const StatsShapes& shapes) {
  std::string html =
      fmt::format("<section aria-labelledby=\"shapes\">\n<h2 id=\"shapes\">{}</h2>\n",
                  base::escape_html(heading_of(shapes)));
  if (!shapes.refusal.empty())
    html += fmt::format("<p>train refuses: {}</p>\n", base::escape_html(shapes.refusal));
  html +=
      "<div class=\"scroll\"><table>\n<thead><tr><th scope=\"col\">signature</th>"
      "<th scope=\"col\" class=\"n\">share of steps</th><th scope=\"col\" class=\"n\">padding</th>"
      "</tr></thead>\n<tbody>\n";
  for (const data::PlanRow& row : shapes.rows) {
    html += fmt::format(
        "<tr><th scope=\"row\">{}</th><td class=\"n\">{:.1f} %</td><td class=\"n\">{:.1f} %</td>"
        "</tr>\n",
        data::name_of(row.signature),
        100.0 * row.share,
        100.0 * row.padding);
  }
  html += "</tbody></table></div>\n<p>Padding (share of mel frames):</p>\n<ul>\n";
  for (const auto& [name, padding] : comparison_of(shapes))
    html += fmt::format("<li>{}: {}</li>\n", name, base::escape_html(padding));
  return html + "</ul>\n</section>\n";
}

}  // namespace myxtts::cli
