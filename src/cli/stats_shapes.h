// Shape plan and padding as reported by `myxtts stats`.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "config/config.h"
#include "data/plan_table.h"
#include "data/run_plan.h"

namespace myxtts::cli {

// The shape plan of a training run, compared with a fixed shape and dynamic shapes.
struct StatsShapes {
  // The plan of one setting; absent if its limits filter more than half of the utterances.
  struct Setting {
    std::optional<data::ShapePlan> plan;
    double padding = 0.0;         // share of mel frames, 0..1
    double filtered_share = 0.0;  // of the utterances, 0..1
  };

  data::ShapeSettings settings;
  data::Lengths limits;             // of the configured setting
  std::string refusal;              // why `train` would refuse the limits; "": accepted
  std::vector<data::PlanRow> rows;  // of the configured plan
  Setting configured, fixed, dynamic;
};

// Computes the plans. Throws UsageError for invalid batch sizes.
StatsShapes shapes_of(const config::Config& config,
                      std::span<const data::Lengths> training,
                      std::span<const data::Lengths> validation);

nlohmann::json shape_plan_json(const StatsShapes& shapes);
nlohmann::json padding_json(const StatsShapes& shapes);  // null for a refused setting
std::string shapes_text(const StatsShapes& shapes);      // ends with a newline
std::string shapes_section(const StatsShapes& shapes);   // HTML

}  // namespace myxtts::cli
