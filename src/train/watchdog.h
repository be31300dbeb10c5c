#pragma once

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace myxtts::train {

// Detects a training run that hangs.

// The activities of the model thread that may hang.
enum class Activity : std::size_t { kWaitForData, kCompute, kEvaluate, kCheckpoint };

// Measures the current activity from a thread of its own. Logs a line with the likely cause when
// the activity takes unusually long. Abandons the run when the activity is hung, because a thread
// that blocks in a device or disk call cannot be interrupted. Ignores time in which the whole
// process was stopped (Ctrl-Z, suspended machine).
class RunWatchdog {
 public:
  using Clock = std::chrono::steady_clock;
  using Callback = std::function<void(const std::string&)>;

  struct Limits {
    // An activity is unusually long if it exceeds the longest previous one of its kind by this or
    // by half of that, whichever is more.
    Clock::duration unusual = std::chrono::seconds(4);
    // An activity is hung if it exceeds this and ten times the longest previous one of its kind.
    // The first of its kind has six times this limit. 0: never hung.
    Clock::duration hung = {};
  };

  // Marks an activity for the lifetime of the object. Activities must not be nested.
  class ScopedActivity {
   public:
    ScopedActivity(RunWatchdog& watchdog, Activity activity, std::int64_t step)
        : watchdog_(watchdog) {
      watchdog_.begin(activity, step);
    }
    ~ScopedActivity() { watchdog_.end(); }
    ScopedActivity(const ScopedActivity&) = delete;
    ScopedActivity& operator=(const ScopedActivity&) = delete;

   private:
    RunWatchdog& watchdog_;
  };

  // Both callbacks run on the watchdog thread. `abandon` is called once, with the reason, and is
  // expected to end the process.
  RunWatchdog(Limits limits, Callback log, Callback abandon);
  ~RunWatchdog();
  RunWatchdog(const RunWatchdog&) = delete;
  RunWatchdog& operator=(const RunWatchdog&) = delete;

 private:
  struct Current {
    Activity activity = Activity::kCompute;
    std::int64_t step = 0;
    Clock::time_point since;
    Clock::time_point log_at;  // next log line, after twice the time
  };

  void begin(Activity activity, std::int64_t step);
  void end();
  Clock::duration& longest(Activity activity);
  Clock::duration unusual(Activity activity);
  bool is_hung(const Current& current, Clock::duration elapsed);
  void watch();
  void ignore(Clock::duration stopped);
  std::string unusual_line(const Current& current, Clock::duration elapsed);
  std::string hung_line(const Current& current, Clock::duration elapsed);

  const Limits limits_;
  const Callback log_;
  const Callback abandon_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Current> current_;
  std::array<Clock::duration, 4> longest_{};  // by Activity
  bool is_stopping_ = false;
  std::thread thread_;  // last: uses all other members
};

}  // namespace myxtts::train
