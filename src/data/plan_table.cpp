#include "data/plan_table.h"

namespace myxtts::data {

std::vector<PlanRow> plan_table(const ShapePlan& plan,
                                int grad_accum,
                                std::span<const Lengths> lengths) {
  std::vector<std::vector<Lengths>> members(plan.signatures.size());
  for (const Lengths& one : lengths) {
    if (const auto signature = plan.find_signature(one)) members[*signature].push_back(one);
  }
  std::vector<PlanRow> rows;
  std::int64_t all_batches = 0;
  std::int64_t moved_up = 0;  // remainder of the shorter signature
  for (std::size_t i = 0; i < members.size(); ++i) {
    const std::int64_t available = moved_up + std::ssize(members[i]);
    const std::int64_t per_batch = plan.signatures[i].batch * grad_accum;
    rows.push_back({.signature = plan.signatures[i],
                    .batches = available / per_batch,
                    .padding = padding_of(plan, members[i])});
    moved_up = available % per_batch;
    all_batches += rows.back().batches;
  }
  for (PlanRow& row : rows) {
    if (all_batches > 0)
      row.share = static_cast<double>(row.batches) / static_cast<double>(all_batches);
  }
  return rows;
}

}  // namespace myxtts::data
