#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace xtts::train {

// What a lane does that may never end.
enum class LaneWork { kWaitForData, kCompute };

// Says when a run stands still: a thread of its own looks how long the wait for data, or the step,
// goes on. Nothing is stopped: a slow disk may become faster, and whoever reads the line knows
// where to look. The thread that trains begins and ends.
class StepWatch {
 public:
  using Clock = std::chrono::steady_clock;

  // `say` is called by the watching thread. Work is not unusual before `least`, nor before ten
  // times the longest of its kind so far.
  explicit StepWatch(std::function<void(const std::string&)> say,
                     Clock::duration least = std::chrono::seconds(4));
  ~StepWatch();
  StepWatch(const StepWatch&) = delete;
  StepWatch& operator=(const StepWatch&) = delete;

  void begin(LaneWork work, std::int64_t step);
  void end();

 private:
  struct Going {
    LaneWork work = LaneWork::kCompute;
    std::int64_t step = 0;
    Clock::time_point since;
    Clock::time_point say_at;  // again after twice the time
  };

  Clock::duration& longest(LaneWork work);
  void watch();
  std::string words(const Going& going, Clock::duration taken) const;

  const std::function<void(const std::string&)> say_;
  const Clock::duration least_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Going> going_;
  Clock::duration longest_wait_{};
  Clock::duration longest_step_{};
  bool is_over_ = false;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace xtts::train
