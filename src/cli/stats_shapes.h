// The part of the answer of `stats` that is about shapes.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "config/config.h"
#include "pipeline/plan_table.h"
#include "pipeline/run_plan.h"

namespace xtts::cli {

// The shapes that a training would have, and what the other settings would cost.
struct StatsShapes {
  // One setting's plan; absent where its limits leave out more than half.
  struct Setting {
    std::optional<pipeline::ShapePlan> plan;
    double padding = 0.0;         // share of mel frames, 0..1
    double left_out_share = 0.0;  // of the utterances, 0..1
  };

  pipeline::ShapeSettings settings;
  pipeline::Lengths limits;             // of the setting that is configured
  std::string refusal;                  // why `train` would refuse it; "": it would not
  std::vector<pipeline::PlanRow> rows;  // of its plan
  Setting configured, fixed, dynamic;
};

// Pure. Throws UsageError for sizes of an update that cannot be.
StatsShapes shapes_of(const config::Config& config,
                      std::span<const pipeline::Lengths> training,
                      std::span<const pipeline::Lengths> validation);

nlohmann::json shape_plan_json(const StatsShapes& shapes);
nlohmann::json padding_json(const StatsShapes& shapes);  // null where there is no plan
std::string shapes_text(const StatsShapes& shapes);      // whole lines
std::string shapes_section(const StatsShapes& shapes);   // markup

}  // namespace xtts::cli
