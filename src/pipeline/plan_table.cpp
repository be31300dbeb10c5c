#include "pipeline/plan_table.h"

namespace xtts::pipeline {

std::vector<PlanRow> table_of(const ShapePlan& plan,
                              int grad_accum,
                              std::span<const Lengths> lengths) {
  std::vector<std::vector<Lengths>> members(plan.signatures.size());
  for (const Lengths& one : lengths) {
    if (const auto place = plan.place(one)) members[*place].push_back(one);
  }
  std::vector<PlanRow> rows;
  std::int64_t all_updates = 0;
  std::int64_t moved_up = 0;  // what the shorter signature could not use
  for (std::size_t i = 0; i < members.size(); ++i) {
    const std::int64_t available = moved_up + std::ssize(members[i]);
    const std::int64_t per_update = plan.signatures[i].batch * grad_accum;
    rows.push_back({.signature = plan.signatures[i],
                    .updates = available / per_update,
                    .padding = padding_of(plan, members[i])});
    moved_up = available % per_update;
    all_updates += rows.back().updates;
  }
  for (PlanRow& row : rows) {
    if (all_updates > 0)
      row.share = static_cast<double>(row.updates) / static_cast<double>(all_updates);
  }
  return rows;
}

}  // namespace xtts::pipeline
