#include "cli/top_frame.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/format.h"
#include "base/utf8.h"
#include "cli/bar_rows.h"
#include "cli/top_rows.h"
#include "rules/limit_line.h"
#include "rules/step_shapes.h"
#include "train/progress_line.h"

namespace myxtts::cli {
namespace {

constexpr std::size_t kMinColumns = 40;
constexpr std::size_t kMaxFindingsShown = 2;
constexpr double kStaleMetricsSeconds = 30.0;

std::string heading(const TopView& view, std::size_t columns) {
  std::string status(name_of(view.status));
  if (view.pid) status += fmt::format(" (pid {})", *view.pid);
  const std::string name =
      truncate_text("myxtts top  " + printable_word(view.run), columns - status.size() - 2);
  const std::size_t gap = columns - base::display_width(name) - status.size();
  return name + std::string(gap, ' ') + status;
}

// Returns step, epoch, speed and remaining time.
std::vector<std::string> position_pieces(const TopView& view) {
  const train::TailedStep& last = view.steps.back();
  const double step_interval_s = view.step_interval_s();
  const std::int64_t total = view.total_steps.value_or(0);
  std::vector<std::string> pieces = {fmt::format("step {}", last.step)};
  if (total > 0) {
    const double share = static_cast<double>(last.step) / static_cast<double>(total);
    pieces[0] += fmt::format(" of {} ({})", total, base::format_percent(std::min(1.0, share)));
  }
  if (last.times.epoch) pieces.push_back(fmt::format("epoch {}", *last.times.epoch));
  if (step_interval_s <= 0.0) return pieces;
  pieces.push_back(fmt::format("{:.3g} steps/s", 1.0 / step_interval_s));
  if (const std::optional<double> rows = rules::rows_per_batch(view.record)) {
    pieces.push_back(fmt::format("{:.3g} utterances/s", *rows / step_interval_s));
  }
  if (view.status == RunStatus::kRunning && total > last.step) {
    const double remaining_s = static_cast<double>(total - last.step) * step_interval_s;
    pieces.push_back("eta " + train::duration_text(remaining_s));
  }
  return pieces;
}

void add_findings(const TopView& view, std::size_t columns, FrameLines& lines) {
  std::size_t shown = 0;
  for (const rules::Finding& finding : findings_of(view)) {
    if (finding.severity == rules::Severity::kNote || shown++ == kMaxFindingsShown) return;
    for (const std::string& line : wrap_text(rules::format_finding(finding), columns))
      lines.push_back({2, line});
  }
}

void add_notes(const TopView& view, const FrameStyle& style, FrameLines& lines) {
  if (view.num_unreadable > 0) {
    lines.push_back({2,
                     fmt::format("{} of metrics.jsonl could not be parsed",
                                 base::format_count(view.num_unreadable, "line"))});
  }
  if (view.status == RunStatus::kRunning && view.age_s.value_or(0.0) > kStaleMetricsSeconds) {
    lines.push_back(
        {2, fmt::format("no metrics written for {}", train::duration_text(*view.age_s))});
  }
  if (view.status == RunStatus::kStopped)
    lines.push_back({2, "not running and not finished; resume with the same train command"});
  if (style.is_live && view.status == RunStatus::kRunning)
    lines.push_back({8, "press q to close this view; the training continues"});
}

// Drops the least important lines until the rest fits the screen.
std::vector<std::string> kept_lines(FrameLines lines, const FrameStyle& style) {
  while (style.size.rows > 0 && std::ssize(lines) > style.size.rows) {
    const auto last = std::ranges::max_element(lines.rbegin(), lines.rend(), {}, &FrameLine::rank);
    lines.erase(std::next(last).base());
  }
  std::vector<std::string> texts;
  for (const FrameLine& line : lines)
    texts.push_back(truncate_text(line.text, static_cast<std::size_t>(style.size.columns)));
  return texts;
}

}  // namespace

std::vector<std::string> top_frame(const TopView& view, const FrameStyle& requested) {
  FrameStyle style = requested;
  style.size.columns = std::max(style.size.columns, static_cast<int>(kMinColumns));
  const std::size_t columns = static_cast<std::size_t>(style.size.columns);
  FrameLines lines = {{0, heading(view, columns)}};
  if (view.steps.empty()) {
    for (const std::string& line :
         wrap_text("no step yet: reading the corpus and preparing steps", columns))
      lines.push_back({1, line});
    add_notes(view, style, lines);
    return kept_lines(std::move(lines), style);
  }
  for (const std::string& line : wrap_pieces(position_pieces(view), columns, "   "))
    lines.push_back({0, line});
  for (const std::string& line : wrap_text(rules::limit_line(view.record), columns))
    lines.push_back({0, line});
  add_findings(view, columns, lines);
  lines.push_back({9, ""});
  add_losses(view, style, lines);
  lines.push_back({9, ""});
  add_lanes(view, lines);
  add_times(view, style, lines);
  add_buffer(view, style, lines);
  lines.push_back({9, ""});
  add_counts(view, style, lines);
  add_notes(view, style, lines);
  return kept_lines(std::move(lines), style);
}

}  // namespace myxtts::cli
