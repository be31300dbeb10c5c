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

namespace xtts::train {

// What the thread that trains does, and may never end.
enum class RunWork : std::size_t { kWaitForData, kCompute, kReview, kSave };

// Notices a run that stands still: a thread of its own looks how long the work at hand goes on. It
// says so when that is unusual: a slow disk may become faster, and whoever reads the line knows
// where to look. When it is hopeless it gives the run up, because nobody can interrupt a thread
// inside a device or a disk. Time in which the whole process stood still (Ctrl-Z, a machine that
// slept) counts for nothing.
class RunWatchdog {
 public:
  using Clock = std::chrono::steady_clock;
  using Say = std::function<void(const std::string&)>;

  struct Limits {
    // Longer than the longest of its kind before by this is unusual, or by half of it if that is
    // more.
    Clock::duration unusual = std::chrono::seconds(4);
    // Longer than this is hopeless, if it is also longer than ten times the longest before. The
    // first of its kind has six times as long. 0: nothing is hopeless.
    Clock::duration hopeless = {};
  };

  // Work goes on while it lives. Kinds may follow each other, not lie in each other.
  class Watched {
   public:
    Watched(RunWatchdog& watch, RunWork work, std::int64_t step) : watch_(watch) {
      watch_.begin(work, step);
    }
    ~Watched() { watch_.end(); }
    Watched(const Watched&) = delete;
    Watched& operator=(const Watched&) = delete;

   private:
    RunWatchdog& watch_;
  };

  // Both are called by the watching thread; `give_up` once, with the reason, and it is expected to
  // end the process.
  RunWatchdog(Limits limits, Say say, Say give_up);
  ~RunWatchdog();
  RunWatchdog(const RunWatchdog&) = delete;
  RunWatchdog& operator=(const RunWatchdog&) = delete;

 private:
  struct Going {
    RunWork work = RunWork::kCompute;
    std::int64_t step = 0;
    Clock::time_point since;
    Clock::time_point say_at;  // again after twice the time
  };

  void begin(RunWork work, std::int64_t step);
  void end();
  Clock::duration& longest(RunWork work);
  Clock::duration unusual(RunWork work);
  bool is_hopeless(const Going& going, Clock::duration taken);
  void watch();
  void forgive(Clock::duration stood_still);
  std::string unusual_line(const Going& going, Clock::duration taken);
  std::string hopeless_line(const Going& going, Clock::duration taken);

  const Limits limits_;
  const Say say_;
  const Say give_up_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Going> going_;
  std::array<Clock::duration, 4> longest_{};  // by kind of work
  bool is_over_ = false;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace xtts::train
