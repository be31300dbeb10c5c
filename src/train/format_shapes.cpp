#include "train/format_shapes.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "data/length_filter.h"
#include "train/format_run.h"

namespace myxtts::train {
namespace {

constexpr std::size_t kMaxFilteredListed = 20;

// The wording of the original MyXTTS, so these lines are not aligned with the others.
std::string format_static_shapes(const data::ShapePlan& plan) {
  const data::Signature& longest = plan.signatures.back();
  if (longest.samples > 0)
    return fmt::format("Crops:                 {} samples\n", longest.samples);
  return fmt::format(
      "Static shapes (pad_to_fixed_length): {}\nMax text length: {}\nMax mel frames: {}\n",
      plan.is_dynamic() ? "False" : "True",
      std::min(plan.limits.text, longest.text),
      std::min(plan.limits.mel, longest.mel));
}

double bytes_of(const MemoryNeed& memory, const data::Signature& signature) {
  const auto found = std::ranges::find(memory.signatures, signature, &SignatureNeed::signature);
  return found == memory.signatures.end() ? 0.0 : found->step_bytes();
}

std::string format_plan(const RunDescription& run) {
  const data::ShapePlan& plan = run.plan;
  std::string lines =
      plan.is_dynamic()
          ? "Signatures:            none: each batch has its own shape; the largest:\n"
          : fmt::format("Signatures:            {} ({})\n",
                        plan.signatures.size(),
                        data::name_of(plan.mode));
  lines += fmt::format("  {:<16}{:>6}{:>17}{:>10}{:>12}\n",
                       "signature",
                       "batch",
                       "share of steps",
                       "padding",
                       "memory");
  for (const PlannedShape& shape : planned_shapes(run)) {
    const data::PlanRow& row = shape.plan;
    lines += fmt::format("  {:<16}{:>6}{:>15.1f} %{:>8.1f} %{:>9.0f} MB\n",
                         data::name_of(row.signature),
                         row.signature.batch,
                         100.0 * row.share,
                         100.0 * row.padding,
                         shape.step_bytes / 1e6);
  }
  return lines;
}

std::string format_filtered(const char* split,
                            const data::FeatureSet& features,
                            const data::ShapePlan& plan) {
  const data::FilteredByLength filtered = data::filter_by_length(plan.limits, features.lengths());
  if (filtered.utterances.empty()) return "";
  std::string lines =
      fmt::format("Filtered by length in the {} set: {} of {} utterances ({:.1f} %)\n",
                  split,
                  filtered.utterances.size(),
                  features.utterances.size(),
                  100.0 * filtered.utterance_share);
  const std::size_t num_listed = std::min(kMaxFilteredListed, filtered.utterances.size());
  for (std::size_t i = 0; i < num_listed; ++i) {
    const data::Features& one = features.utterances[filtered.utterances[i]];
    lines +=
        fmt::format("  {}: {} symbols, {} frames\n", one.id, one.lengths().text, one.lengths().mel);
  }
  if (filtered.utterances.size() > num_listed)
    lines += fmt::format("  and {} more\n", filtered.utterances.size() - num_listed);
  return lines;
}

bool is_validation_empty(const RunDescription& run) {
  const std::vector<data::Lengths> lengths = run.corpora.validation.lengths();
  return !lengths.empty() && std::ranges::none_of(lengths, [&](const data::Lengths& one) {
    return run.plan.find_signature(one).has_value();
  });
}

}  // namespace

std::vector<PlannedShape> planned_shapes(const RunDescription& run) {
  std::vector<PlannedShape> shapes;
  for (const data::PlanRow& row : data::plan_table(run.plan,
                                                   run.config.training.gradient_accumulation_steps,
                                                   run.corpora.training.lengths()))
    shapes.push_back({.plan = row, .step_bytes = bytes_of(run.memory, row.signature)});
  return shapes;
}

std::string format_shapes(const RunDescription& run) {
  std::string lines = format_static_shapes(run.plan) + format_plan(run);
  lines += fmt::format("Padding:               {:.1f} % of the mel frames\n",
                       100.0 * data::padding_of(run.plan, run.corpora.training.lengths()));
  lines += format_filtered("training", run.corpora.training, run.plan);
  lines += format_filtered("validation", run.corpora.validation, run.plan);
  if (is_validation_empty(run))
    lines +=
        "warning: all validation utterances are filtered by length; there is no validation loss\n";
  for (const std::string& note : run.plan.notes)
    lines += note + "\n";
  return lines;
}

}  // namespace myxtts::train
