#include "cli/top_rows.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/format.h"
#include "cli/bar_rows.h"
#include "corpus/reasons.h"
#include "rules/time_split.h"

namespace myxtts::cli {
namespace {

constexpr std::size_t kMaxPartsShown = 4;
constexpr std::size_t kStepsPerBar = 8;
constexpr double kBehindWaitShare = 0.05;  // of the model's time
constexpr std::size_t kLongestName = 60;

using StepValue = std::function<double(const train::TailedStep&)>;

std::string loss_text(double loss) {
  return std::isfinite(loss) ? fmt::format("{:.4f}", loss) : "not finite";
}

std::size_t columns_of(const FrameStyle& style) {
  return static_cast<std::size_t>(style.size.columns);
}

// Returns the values of the steps that a row shows, at most kStepsPerBar per bar.
std::vector<double> values_of(const StepValue& value_at,
                              const TopView& view,
                              const FrameStyle& style) {
  const std::size_t bars = std::max<std::size_t>(bar_columns(columns_of(style)), 1);
  const std::size_t shown = std::min(view.steps.size(), kStepsPerBar * bars);
  std::vector<double> values;
  for (std::size_t i = view.steps.size() - shown; i < view.steps.size(); ++i)
    values.push_back(value_at(view.steps[i]));
  return values;
}

std::string row_text(const BarRow& row, const FrameStyle& style) {
  return format_row(row, columns_of(style), style.unicode);
}

double total_s(const train::TailedStep& step) {
  return step.times.step_s + step.times.wait_s.value_or(0.0) + step.times.host_s.value_or(0.0);
}

}  // namespace

std::string printable_word(const std::string& word) {
  return corpus::printable(word, kLongestName);
}

void add_losses(const TopView& view, const FrameStyle& style, FrameLines& lines) {
  const train::TailedStep& last = view.steps.back();
  const auto add = [&](int rank, std::string label, double value, const StepValue& value_at) {
    lines.push_back({rank,
                     row_text({.label = std::move(label),
                               .value = loss_text(value),
                               .values = values_of(value_at, view, style),
                               .format = loss_text},
                              style)});
  };
  add(1, "loss", last.loss, [](const auto& step) { return step.loss; });
  for (std::size_t i = 0; i < std::min(last.parts.size(), kMaxPartsShown); ++i) {
    const std::string name = truncate_text(printable_word(last.parts[i].first), kLabelColumns - 3);
    add(6, "  " + name, last.parts[i].second, [i](const auto& step) {
      return i < step.parts.size() ? step.parts[i].second : std::nan("");
    });
  }
  if (!view.validation) return;
  lines.push_back(
      {3,
       row_text({.label = "validation", .value = loss_text(view.validation->loss)}, style) +
           fmt::format("at step {}", view.validation->step)});
}

// A step and its parts use one scale, so that they can be compared.
void add_times(const TopView& view, const FrameStyle& style, FrameLines& lines) {
  const rules::TimeSplit split = rules::split_of(view.record.steps);
  const double high = range_of(values_of(total_s, view, style)).high;
  const auto add =
      [&](int rank, const char* label, const std::string& value, const StepValue& part) {
        lines.push_back({rank,
                         row_text({.label = label,
                                   .value = value,
                                   .values = values_of(part, view, style),
                                   .format = base::format_seconds,
                                   .low = 0.0,
                                   .high = high},
                                  style)});
      };
  const auto share = [&split](double part_s) {
    return base::format_percent(split.share_of(part_s));
  };
  add(2, "step time", base::format_seconds(view.step_interval_s()), total_s);
  add(4, "  compute", share(split.compute_s), [](const auto& step) {
    return step.times.step_s - step.times.copy_s.value_or(0.0);
  });
  add(4, "  wait", share(split.wait_s), [](const auto& step) {
    return step.times.wait_s.value_or(std::nan(""));
  });
  if (split.copy_s > 0.0) {
    add(5, "  copy", share(split.copy_s), [](const auto& step) {
      return step.times.copy_s.value_or(std::nan(""));
    });
  }
  if (split.has_host) {
    add(4, "  host", share(split.host_s), [](const auto& step) {
      return step.times.host_s.value_or(std::nan(""));
    });
  }
}

// Shows the model lane by its busy share and the data lane by its ready batches.
void add_lanes(const TopView& view, FrameLines& lines) {
  const rules::TimeSplit split = rules::split_of(view.record.steps);
  const std::optional<std::int64_t> depth = view.steps.back().times.buffer_depth;
  const double starved = split.share_of_wanted(rules::starved_s(view.record.steps));
  std::string data = starved > kBehindWaitShare ? "behind" : "ahead";
  if (depth) data += fmt::format(", {} ready", *depth);
  lines.push_back({3,
                   fmt::format("{:<{}}model: busy {}   data: {}",
                               "lanes",
                               kLabelColumns,
                               base::format_percent(split.share_of(split.compute_s)),
                               data)});
}

void add_buffer(const TopView& view, const FrameStyle& style, FrameLines& lines) {
  const std::optional<std::int64_t> depth = view.steps.back().times.buffer_depth;
  if (!depth) return;
  const auto value_at = [](const train::TailedStep& step) {
    const std::optional<std::int64_t> ready = step.times.buffer_depth;
    return ready ? static_cast<double>(*ready) : std::nan("");
  };
  lines.push_back({2,
                   row_text({.label = "buffer",
                             .value = std::to_string(*depth),
                             .values = values_of(value_at, view, style),
                             .format = [](double value) { return fmt::format("{:.0f}", value); },
                             .low = 0.0},
                            style)});
}

void add_counts(const TopView& view, const FrameStyle& style, FrameLines& lines) {
  const train::TailedStep& last = view.steps.back();
  const std::int64_t recent = rules::num_retraces(view.record.steps);
  lines.push_back({3,
                   fmt::format("{:<{}}{} in the last {}, {} in all",
                               "retraces",
                               kLabelColumns,
                               recent,
                               base::format_count(std::ssize(view.record.steps), "step"),
                               last.retraces)});
  const std::vector<std::string> pieces = {
      fmt::format("{:<{}}lr {:.1e}", "last step", kLabelColumns, last.lr),
      fmt::format("grad norm {:.3g}", last.grad_norm),
      fmt::format("signature {}", printable_word(last.times.signature))};
  for (const std::string& line : wrap_pieces(pieces, columns_of(style), "   "))
    lines.push_back({7, line});
  const auto skipped = std::ranges::count(view.steps, true, &train::TailedStep::skipped);
  if (skipped > 0) {
    lines.push_back({1,
                     fmt::format("{:<{}}{} of the last {}: loss not finite",
                                 "skipped",
                                 kLabelColumns,
                                 skipped,
                                 base::format_count(std::ssize(view.steps), "step"))});
  }
}

}  // namespace myxtts::cli
