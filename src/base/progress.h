#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>
#include <string>

namespace myxtts::base {

// A progress bar on standard error: "76%|#####   | 7568/10000 [00:33<00:10, 229.00it/s]".
//
// On a terminal the line is redrawn in place, below the log, at most ten times a second. Elsewhere
// (a pipe, a log file, TERM=dumb) a whole line without control codes is printed at most every ten
// seconds and at the end. Thread-safe.
class ProgressBar {
 public:
  ProgressBar(std::string label, std::size_t total);
  ~ProgressBar();  // leaves the last state on the screen
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void advance(std::size_t count = 1);

 private:
  using Clock = std::chrono::steady_clock;
  void draw(Clock::time_point now);

  const std::string label_;
  const std::size_t total_;
  const bool live_;
  const Clock::time_point start_;
  std::mutex mutex_;
  std::size_t done_ = 0;          // guarded by mutex_
  std::size_t drawn_ = 0;         // guarded by mutex_
  std::string last_line_;         // guarded by mutex_
  Clock::time_point last_drawn_;  // guarded by mutex_
};

// Returns the line of a progress bar without newline or control codes; `elapsed_s` > 0.
std::string progress_line(
    const std::string& label, std::size_t done, std::size_t total, double elapsed_s, int width);

// Returns "label  42%|####      |tail" with a bar as long as `width` permits. `share` is in [0, 1].
std::string bar_line(const std::string& label, double share, const std::string& tail, int width);

std::string clock_text(double seconds);  // "02:05", "1:02:05"

}  // namespace myxtts::base
