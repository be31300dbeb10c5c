// Formats the shape plan of a run.
#pragma once

#include <string>
#include <vector>

#include "data/plan_table.h"

namespace myxtts::train {

struct RunDescription;

// A signature of the shape plan with the memory of a step.
struct PlannedShape {
  data::PlanRow plan;
  double step_bytes = 0.0;  // memory of a step
};

// Returns the shapes of a run in plan order.
std::vector<PlannedShape> planned_shapes(const RunDescription& run);

// Formats the shapes of a run: whether they are static, their limits, the plan as a table, the
// padding, and the utterances that are filtered by length (at most 20 per set by id).
std::string format_shapes(const RunDescription& run);

}  // namespace myxtts::train
