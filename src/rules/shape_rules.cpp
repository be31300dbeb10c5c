// What is wrong with the shapes of batches, by the settings and by the shapes that steps really
// had. With a plan, B is compared among batches of the same T and M, since every signature has its
// own B. A batch with fewer rows than that, once per epoch at most, is a remainder; rows that
// change more often are a batch size that is not fixed.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "rules/format.h"
#include "rules/rules.h"
#include "rules/step_shapes.h"
#include "rules/time_split.h"

namespace xtts::rules {
namespace {

constexpr double kFarAboveP99 = 1.5;        // frames of a signature over p99 of the corpus
constexpr double kLeastPaddingLost = 0.05;  // of all frames
constexpr double kMostRemainders = 0.10;    // of the steps; more often it is no remainder
constexpr std::int64_t kMelMultiple = 32;   // limits are rounded up to it, as `stats` does

// Rows of batches beside those that most batches of their kind have.
struct OddRows {
  std::int64_t steps = 0;             // whose shape could be read
  std::int64_t odd = 0;               // of them, those with other rows
  std::int64_t most_in_an_epoch = 0;  // of the odd ones
  std::set<std::int64_t> sizes = {};  // different numbers of rows among them
  std::int64_t usual = 0;             // what they should have had
  bool knows_epochs = true;
};

using Kind = std::pair<std::int64_t, std::int64_t>;  // T and M; none with dynamic shapes

OddRows odd_rows_of(std::span<const Step> steps, bool is_dynamic) {
  std::vector<std::pair<Shape, const Step*>> shapes;
  std::map<Kind, std::map<std::int64_t, std::int64_t>> counts;  // batches by their rows
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
    rows.most_in_an_epoch =
        std::max(rows.most_in_an_epoch, ++in_epoch[entry.second->epoch.value_or(0)]);
  }
  return rows;
}

// Where epochs are not known, one size that comes rarely is taken for the end of each.
bool is_remainder(const OddRows& rows) {
  if (*rows.sizes.rbegin() > rows.usual) return false;
  if (rows.knows_epochs) return rows.most_in_an_epoch <= 1;
  return rows.sizes.size() == 1 &&
         static_cast<double>(rows.odd) <= kMostRemainders * static_cast<double>(rows.steps);
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
  const std::string seen = record.steps.empty()
                               ? std::string("every batch has a shape of its own")
                               : fmt::format("{} in {}, {}",
                                             counted(std::ssize(shapes), "shape"),
                                             counted(std::ssize(record.steps), "step"),
                                             counted(num_retraces(record.steps), "retrace"));
  findings.push_back(
      {.id = "dynamic_shapes",
       .severity = Severity::kCritical,
       .message = fmt::format("shapes are dynamic (pad_to_fixed_length: false): {}; a new shape is "
                              "prepared anew and never runs as a prepared step",
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
                                "shape, which no preparation was made for",
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
                            "the signature {}x{}x{} has {:.1f} times the {} frames that 99 % of "
                            "the utterances stay within: at least {} of all frames are padding "
                            "because of it",
                            shape.batch,
                            shape.text,
                            shape.mel,
                            over,
                            *p99,
                            percent(lost)),
                        .suggestion = fmt::format("--max-mel-frames {}", limit)});
    return;  // one remedy holds for all of them
  }
}

void find_retraces(const Record& record, Findings& findings) {
  const std::int64_t count = num_retraces(record.steps);
  if (count == 0 || !findings.empty()) return;  // what was found so far explains them
  const std::optional<double> cost_s = retrace_cost_s(record.steps);
  findings.push_back(
      {.id = "retraces",
       .severity = Severity::kWarning,
       .message = fmt::format("{} in {} although the shapes are planned{}",
                              counted(count, "retrace"),
                              counted(std::ssize(record.steps), "step"),
                              cost_s ? fmt::format(", {} lost", seconds_text(*cost_s)) : ""),
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

}  // namespace xtts::rules
