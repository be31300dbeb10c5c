#include "train/progress_line.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/progress.h"
#include "base/utf8.h"

namespace myxtts::train {
namespace {

constexpr std::size_t kColumns = 100;

std::string head_of(const ProgressStats& stats) {
  if (stats.total <= 0) return fmt::format("[train] {} loss {:.4g}", stats.step, stats.loss);
  const auto width = std::to_string(stats.total).size();
  return fmt::format("[train] {:>{}}/{} loss {:.4g}", stats.step, width, stats.total, stats.loss);
}

// Formats a time or speed with three digits.
std::string format_three_digits(double value) {
  return value < 10.0 ? fmt::format("{:.2f}", value)
                      : fmt::format("{:.{}f}", value, value < 100.0 ? 1 : 0);
}

std::string tail_of(const ProgressStats& stats) {
  std::string tail = fmt::format(" lr {:.1e}", stats.lr);
  tail += stats.step_s < 10.0 ? fmt::format(" {} ms", format_three_digits(stats.step_s * 1e3))
                              : fmt::format(" {} s", format_three_digits(stats.step_s));
  tail += fmt::format(
      " {}x wait {:.0f}%", format_three_digits(stats.audio_s_per_s), stats.wait_share * 1e2);
  if (stats.eta_s) tail += " eta " + duration_text(*stats.eta_s);
  return tail;
}

}  // namespace

std::string progress_line(const ProgressStats& stats) {
  const std::string head = head_of(stats);
  const std::string tail = tail_of(stats);
  std::string parts;
  for (const auto& part : stats.parts) {
    const std::string piece =
        fmt::format("{}{} {:.3g}", parts.empty() ? " (" : " ", part.first, part.second);
    if (head.size() + parts.size() + piece.size() + 1 + tail.size() > kColumns) break;
    parts += piece;
  }
  if (!parts.empty()) parts += ')';
  return head + parts + tail;
}

std::string live_line(const LiveStats& stats, int width) {
  const std::string steps = stats.total > 0 ? fmt::format(" {}/{}", stats.step, stats.total)
                                            : fmt::format(" {}", stats.step);
  const std::string times =
      fmt::format(" [{}<{}, {:.2f}it/s]",
                  base::clock_text(stats.elapsed_s),
                  stats.eta_s ? base::clock_text(std::max(0.0, *stats.eta_s)) : "?",
                  stats.steps_per_s);
  const std::string loss = fmt::format(" loss {:.4g}", stats.loss);
  std::string whole = base::bar_line("training", stats.share, steps + loss + times, width);
  if (base::display_width(whole) < static_cast<std::size_t>(width)) return whole;
  return base::bar_line("training", stats.share, times, width);
}

std::string duration_text(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0.0) return "?";
  constexpr long long kDay = 24LL * 60;  // minutes
  const auto whole = std::llround(seconds);
  if (whole < 60) return fmt::format("{}s", whole);
  const auto minutes = (whole + 30) / 60;
  if (minutes < 60) return fmt::format("{}min", minutes);
  if (minutes < kDay) return fmt::format("{}h{:02}", minutes / 60, minutes % 60);
  return fmt::format("{}d{}h", minutes / kDay, minutes / 60 % 24);
}

}  // namespace myxtts::train
