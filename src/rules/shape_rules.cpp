// Rules about batch shapes, from the settings and the actual shapes of the steps. With a shape
// plan, B is compared among batches of the same T and M, because every signature has its own B. A
// smaller batch at most once per epoch is a remainder; B that changes more often is a batch size
// that is not fixed.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/format.h"
#include "rules/rules.h"
#include "rules/step_shapes.h"
#include "rules/time_split.h"

namespace myxtts::rules {
namespace {

constexpr double kFarAboveP99 = 1.5;        // mel length of a signature over p99 of the corpus
constexpr double kLeastPaddingLost = 0.05;  // of all frames
constexpr double kMaxRemainders = 0.10;     // of the steps, if epochs are unknown
constexpr std::int64_t kMelMultiple = 32;   // limits are rounded up to a multiple, as in `stats`

// Batches whose number of rows differs from most batches of the same T and M.
struct OddRows {
  std::int64_t steps = 0;             // with a valid shape
  std::int64_t odd = 0;               // with another number of rows
  std::int64_t max_per_epoch = 0;     // odd batches
  std::set<std::int64_t> sizes = {};  // numbers of rows of the odd batches
  std::int64_t usual = 0;             // rows of the other batches
  bool knows_epochs = true;
};

using Kind = std::pair<std::int64_t, std::int64_t>;  // T and M; zeros with dynamic shapes

OddRows odd_rows_of(std::span<const Step> steps, bool is_dynamic) {
  std::vector<std::pair<Shape, const Step*>> shapes;
  std::map<Kind, std::map<std::int64_t, std::int64_t>> counts;  // number of batches by rows
  const auto kind_of = [is_dynamic](const Shape& shape) {
    return is_dynamic ? Kind() : Kind(shape.text, shape.mel);
  };
  for (const Step& step : steps) {
    const std::optional<Shape> shape = parse_shape(step.signature);
    if (!shape) continue;
    shapes.emplace_back(*shape, &step);
    ++counts[kind_of(*shape)][shape->batch];
  }
  OddRows rows{.steps = std::ssize(shapes)};
  std::map<std::int64_t, std::int64_t> in_epoch;
  for (const auto& entry : shapes) {
    const auto usual = std::ranges::max_element(
        counts[kind_of(entry.first)], {}, [](const auto& count) { return count.second; });
    if (entry.first.batch == usual->first) continue;
    ++rows.odd;
    rows.usual = usual->first;
    rows.sizes.insert(entry.first.batch);
    rows.knows_epochs = rows.knows_epochs && entry.second->epoch.has_value();
    rows.max_per_epoch = std::max(rows.max_per_epoch, ++in_epoch[entry.second->epoch.value_or(0)]);
  }
  return rows;
}

// If epochs are unknown, a single rare size counts as the last batch of an epoch.
bool is_remainder(const OddRows& rows) {
  if (*rows.sizes.rbegin() > rows.usual) return false;
  if (rows.knows_epochs) return rows.max_per_epoch <= 1;
  return rows.sizes.size() == 1 &&
         static_cast<double>(rows.odd) <= kMaxRemainders * static_cast<double>(rows.steps);
}

bool is_dynamic(const Record& record) {
  if (record.settings.shape_mode) return *record.settings.shape_mode == "dynamic";
  return record.settings.pad_to_fixed_length == false;
}

void find_dynamic(const Record& record, Findings& findings) {
  if (!is_dynamic(record)) return;
  std::set<std::string> shapes;
  for (const Step& step : record.steps)
    shapes.insert(step.signature);
  const std::string seen =
      record.steps.empty() ? std::string("every batch has a shape of its own")
                           : fmt::format("{} in {}, {}",
                                         base::format_count(std::ssize(shapes), "shape"),
                                         base::format_count(std::ssize(record.steps), "step"),
                                         base::format_count(num_retraces(record.steps), "retrace"));
  findings.push_back(
      {.id = "dynamic_shapes",
       .severity = Severity::kCritical,
       .message = fmt::format("shapes are dynamic (pad_to_fixed_length: false): {}; steps run "
                              "eagerly, and each new shape is a retrace",
                              seen),
       .suggestion = "--shape-buckets auto"});
}

void find_odd_rows(const Record& record, Findings& findings) {
  const OddRows rows = odd_rows_of(record.steps, is_dynamic(record));
  if (rows.odd == 0) return;
  if (is_remainder(rows)) {
    findings.push_back(
        {.id = "remainder_batch",
         .severity = Severity::kWarning,
         .message = fmt::format("the last batch of an epoch has {} rows instead of {}: one more "
                                "shape, for which no step was prepared",
                                *rows.sizes.begin(),
                                rows.usual),
         .suggestion = "--shape-buckets auto"});
    return;
  }
  findings.push_back(
      {.id = "batch_size_not_fixed",
       .severity = Severity::kCritical,
       .message = fmt::format("the batch size is not fixed: {} of {} batches have {} to {} rows "
                              "where others of their length have {}",
                              rows.odd,
                              rows.steps,
                              *rows.sizes.begin(),
                              *rows.sizes.rbegin(),
                              rows.usual),
       .suggestion = fmt::format("--batch-size {} --shape-buckets auto",
                                 record.settings.batch_size.value_or(rows.usual))});
}

void find_oversized(const Record& record, Findings& findings) {
  const std::optional<std::int64_t> p99 = record.corpus.mel_p99;
  if (!p99 || *p99 <= 0) return;
  for (const Shape& shape : record.settings.signatures) {
    const double over = static_cast<double>(shape.mel) / static_cast<double>(*p99);
    const double share =
        shape.share.value_or(1.0 / static_cast<double>(record.settings.signatures.size()));
    const double lost = share * (1.0 - 1.0 / over);
    if (over <= kFarAboveP99 || lost < kLeastPaddingLost) continue;
    const std::int64_t limit = (*p99 + kMelMultiple - 1) / kMelMultiple * kMelMultiple;
    findings.push_back({.id = "oversized_signature",
                        .severity = Severity::kWarning,
                        .message = fmt::format(
                            "input signature {}x{}x{} has {:.1f} times the {} frames that 99 % of "
                            "the utterances have at most: it makes at least {} of all frames "
                            "padding",
                            shape.batch,
                            shape.text,
                            shape.mel,
                            over,
                            *p99,
                            base::format_percent(lost)),
                        .suggestion = fmt::format("--max-mel-frames {}", limit)});
    return;  // one suggestion covers all signatures
  }
}

void find_retraces(const Record& record, Findings& findings) {
  const std::int64_t count = num_retraces(record.steps);
  if (count == 0 || !findings.empty()) return;  // earlier shape findings explain the retraces
  const std::optional<double> cost_s = retrace_cost_s(record.steps);
  findings.push_back({.id = "retraces",
                      .severity = Severity::kWarning,
                      .message = fmt::format(
                          "{} in {} although the shapes are planned{}",
                          base::format_count(count, "retrace"),
                          base::format_count(std::ssize(record.steps), "step"),
                          cost_s ? fmt::format(", {} lost", base::format_seconds(*cost_s)) : ""),
                      .suggestion = "myxtts diagnose retracing --steps 50"});
}

}  // namespace

void shape_findings(const Record& record, Findings& findings) {
  Findings found;
  find_dynamic(record, found);
  find_odd_rows(record, found);
  find_retraces(record, found);
  find_oversized(record, found);
  findings.insert(findings.end(), found.begin(), found.end());
}

}  // namespace myxtts::rules
