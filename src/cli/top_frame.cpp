#include "cli/top_frame.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/utf8.h"
#include "cli/bar_rows.h"
#include "cli/top_rows.h"
#include "rules/format.h"
#include "rules/limit_line.h"
#include "rules/step_shapes.h"
#include "train/progress_line.h"

namespace xtts::cli {
namespace {

constexpr std::size_t kFewestColumns = 40;
constexpr std::size_t kFindingsShown = 2;
constexpr double kOldMetrics = 30.0;  // seconds

std::string heading(const TopView& view, std::size_t columns) {
  std::string status(name_of(view.status));
  if (view.pid) status += fmt::format(" (pid {})", *view.pid);
  const std::string name =
      fitted("myxtts top  " + plain_word(view.run), columns - status.size() - 2);
  const std::size_t gap = columns - base::display_width(name) - status.size();
  return name + std::string(gap, ' ') + status;
}

// How far it is and how fast, piece by piece.
std::vector<std::string> position_pieces(const TopView& view) {
  const train::TailedUpdate& last = view.updates.back();
  const double update_s = view.update_s();
  const std::int64_t total = view.total_steps.value_or(0);
  std::vector<std::string> pieces = {fmt::format("step {}", last.step)};
  if (total > 0) {
    const double share = static_cast<double>(last.step) / static_cast<double>(total);
    pieces[0] += fmt::format(" of {} ({})", total, rules::percent(std::min(1.0, share)));
  }
  if (last.times.epoch) pieces.push_back(fmt::format("epoch {}", *last.times.epoch));
  if (update_s <= 0.0) return pieces;
  pieces.push_back(fmt::format("{:.3g} steps/s", 1.0 / update_s));
  if (const std::optional<double> rows = rules::rows_of_update(view.record)) {
    pieces.push_back(fmt::format("{:.3g} utterances/s", *rows / update_s));
  }
  if (view.status == RunStatus::kRunning && total > last.step) {
    const double left_s = static_cast<double>(total - last.step) * update_s;
    pieces.push_back("eta " + train::duration_text(left_s));
  }
  return pieces;
}

void add_findings(const TopView& view, std::size_t columns, FrameLines& lines) {
  std::size_t shown = 0;
  for (const rules::Finding& finding : findings_of(view)) {
    if (finding.severity == rules::Severity::kNote || shown++ == kFindingsShown) return;
    for (const std::string& line : wrapped(rules::line_of(finding), columns))
      lines.push_back({2, line});
  }
}

void add_remarks(const TopView& view, const FrameStyle& style, FrameLines& lines) {
  if (view.num_unreadable > 0) {
    lines.push_back({2,
                     fmt::format("{} of metrics.jsonl could not be read",
                                 rules::counted(view.num_unreadable, "line"))});
  }
  if (view.status == RunStatus::kRunning && view.age_s.value_or(0.0) > kOldMetrics) {
    lines.push_back(
        {2, fmt::format("nothing was written for {}", train::duration_text(*view.age_s))});
  }
  if (view.status == RunStatus::kStopped)
    lines.push_back(
        {2, "it is not running and has not reached its end; the same train command goes on"});
  if (style.is_live && view.status == RunStatus::kRunning)
    lines.push_back({8, "q ends this view; the training goes on"});
}

// As many as there are rows, the least important left out, in their order.
std::vector<std::string> kept_lines(FrameLines lines, const FrameStyle& style) {
  while (style.size.rows > 0 && std::ssize(lines) > style.size.rows) {
    const auto last = std::ranges::max_element(lines.rbegin(), lines.rend(), {}, &FrameLine::rank);
    lines.erase(std::next(last).base());
  }
  std::vector<std::string> texts;
  for (const FrameLine& line : lines)
    texts.push_back(fitted(line.text, static_cast<std::size_t>(style.size.columns)));
  return texts;
}

}  // namespace

std::vector<std::string> top_frame(const TopView& view, const FrameStyle& asked) {
  FrameStyle style = asked;
  style.size.columns = std::max(style.size.columns, static_cast<int>(kFewestColumns));
  const std::size_t columns = static_cast<std::size_t>(style.size.columns);
  FrameLines lines = {{0, heading(view, columns)}};
  if (view.updates.empty()) {
    for (const std::string& line :
         wrapped("no step is done yet: the corpus is read, the steps are prepared", columns))
      lines.push_back({1, line});
    add_remarks(view, style, lines);
    return kept_lines(std::move(lines), style);
  }
  for (const std::string& line : flowed(position_pieces(view), columns, "   "))
    lines.push_back({0, line});
  for (const std::string& line : wrapped(rules::limit_line(view.record), columns))
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
  add_remarks(view, style, lines);
  return kept_lines(std::move(lines), style);
}

}  // namespace xtts::cli
