#pragma once

#include <string>
#include <vector>

#include "pipeline/plan_table.h"

namespace xtts::train {

struct RunDescription;

// A row of the table of shapes.
struct PlannedShape {
  pipeline::PlanRow plan;
  double step_bytes = 0.0;  // memory of a step of it
};

std::vector<PlannedShape> planned_shapes(const RunDescription& run);

// The shapes of a run, in lines: whether they are static, their limits, the plan as a table, what
// it is padded with, and every utterance that is left out, at most 20 of a set by name.
std::string describe_shapes(const RunDescription& run);

}  // namespace xtts::train
