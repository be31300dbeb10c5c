#include "base/progress.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/terminal.h"
#include "base/utf8.h"

namespace myxtts::base {
namespace {

constexpr auto kLiveInterval = std::chrono::milliseconds(100);
constexpr auto kLogInterval = std::chrono::seconds(10);
constexpr int kMaxBarWidth = 40;

}  // namespace

std::string clock_text(double seconds) {
  const auto whole = static_cast<long>(seconds);
  if (whole >= 3600) {
    return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  }
  return fmt::format("{:02}:{:02}", whole / 60, whole % 60);
}

std::string bar_line(const std::string& label, double share, const std::string& tail, int width) {
  const std::string head = fmt::format("{} {:3.0f}%|", label, share * 100.0);
  const int room = width - static_cast<int>(display_width(head) + display_width(tail)) - 2;
  const int bar = std::clamp(room, 0, kMaxBarWidth);
  const int filled = static_cast<int>(share * bar);
  const char* full = locale_is_utf8() ? "█" : "#";
  std::string line = head;
  for (int i = 0; i < bar; ++i)
    line += i < filled ? full : " ";
  return line + "|" + tail;
}

std::string progress_line(
    const std::string& label, std::size_t done, std::size_t total, double elapsed_s, int width) {
  const double share =
      total == 0 ? 1.0 : std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
  const double rate = static_cast<double>(done) / std::max(elapsed_s, 1e-9);
  const double left_s = static_cast<double>(total - std::min(done, total)) / std::max(rate, 1e-9);
  return bar_line(label,
                  share,
                  fmt::format(" {}/{} [{}<{}, {:.2f}it/s]",
                              done,
                              total,
                              clock_text(elapsed_s),
                              done == 0 ? "?" : clock_text(left_s),
                              rate),
                  width);
}

ProgressBar::ProgressBar(std::string label, std::size_t total)
    : label_(std::move(label)),
      total_(total),
      live_(stderr_is_terminal()),
      start_(Clock::now()),
      last_drawn_(start_) {}

ProgressBar::~ProgressBar() {
  const std::scoped_lock lock(mutex_);
  if (drawn_ != done_) draw(Clock::now());
  if (!live_ || drawn_ == 0) return;
  show_live_line("");
  log("{}\n", last_line_);
}

void ProgressBar::advance(std::size_t count) {
  const std::scoped_lock lock(mutex_);
  done_ += count;
  const Clock::time_point now = Clock::now();
  if (now - last_drawn_ >=
      (live_ ? Clock::duration(kLiveInterval) : Clock::duration(kLogInterval))) {
    draw(now);
  }
}

void ProgressBar::draw(Clock::time_point now) {
  const double elapsed_s = std::chrono::duration<double>(now - start_).count();
  const int width = live_ ? terminal_width() : 100;
  last_line_ = progress_line(label_, done_, total_, elapsed_s, width);
  if (live_) {
    show_live_line(last_line_);
  } else {
    log("{}\n", last_line_);
  }
  last_drawn_ = now;
  drawn_ = done_;
}

}  // namespace myxtts::base
