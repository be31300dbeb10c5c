#include "train/watchdog.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace myxtts::train {
namespace {

// The time of evaluations and checkpoints depends on corpus and model size: the first has more
// time.
constexpr int kFirstEvaluation = 8;  // times the unusual duration of a step
constexpr int kChecks = 4;           // per unusual duration
constexpr int kHung = 10;            // times the longest previous duration
constexpr int kFirstHung = 6;        // times the limit, without a previous duration

double in_seconds(RunWatchdog::Clock::duration time) {
  return std::chrono::duration<double>(time).count();
}

// "step 7 has waited 4.1 s for its data"
std::string format_activity(Activity activity, std::int64_t step, double elapsed_s) {
  switch (activity) {
    case Activity::kWaitForData:
      return fmt::format("step {} has waited {:.1f} s for its data", step, elapsed_s);
    case Activity::kCompute:
      return fmt::format("step {} has run for {:.1f} s", step, elapsed_s);
    case Activity::kEvaluate:
      return fmt::format("evaluation after step {} has taken {:.1f} s", step, elapsed_s);
    case Activity::kCheckpoint:
      return fmt::format("writing the checkpoint of step {} has taken {:.1f} s", step, elapsed_s);
  }
  return {};
}

std::string_view likely_cause(Activity activity) {
  switch (activity) {
    case Activity::kWaitForData:
      return "the disk is slow or disconnected; with --cache ram it is read once";
    case Activity::kCheckpoint:
      return "the disk of the run folder is slow or disconnected";
    case Activity::kCompute:
    case Activity::kEvaluate:
      return "the machine is busy, out of memory, or the device hangs";
  }
  return {};
}

}  // namespace

RunWatchdog::RunWatchdog(Limits limits, Callback log, Callback abandon)
    : limits_(limits),
      log_(std::move(log)),
      abandon_(std::move(abandon)),
      thread_([this] { watch(); }) {}

RunWatchdog::~RunWatchdog() {
  {
    const std::lock_guard lock(mutex_);
    is_stopping_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void RunWatchdog::begin(Activity activity, std::int64_t step) {
  const std::lock_guard lock(mutex_);
  const Clock::time_point now = Clock::now();
  current_ = {.activity = activity, .step = step, .since = now, .log_at = now + unusual(activity)};
}

void RunWatchdog::end() {
  const std::lock_guard lock(mutex_);
  Clock::duration& maximum = longest(current_->activity);
  maximum = std::max(maximum, Clock::now() - current_->since);
  current_.reset();
}

RunWatchdog::Clock::duration& RunWatchdog::longest(Activity activity) {
  return longest_[static_cast<std::size_t>(activity)];
}

RunWatchdog::Clock::duration RunWatchdog::unusual(Activity activity) {
  const Clock::duration previous = longest(activity);
  const bool is_hook = activity == Activity::kEvaluate || activity == Activity::kCheckpoint;
  const Clock::duration more = std::max(limits_.unusual, previous / 2);
  return previous == Clock::duration{} && is_hook ? kFirstEvaluation * more : previous + more;
}

// Compares with the longest previous activity, so that slow steps of a large model are not hung.
bool RunWatchdog::is_hung(const Current& current, Clock::duration elapsed) {
  const Clock::duration limit = limits_.hung;
  if (limit == Clock::duration{}) return false;
  const Clock::duration previous = longest(current.activity);
  return elapsed >
         (previous == Clock::duration{} ? kFirstHung * limit : std::max(limit, kHung * previous));
}

// Polls, because a notification per step would cost a context switch per step.
void RunWatchdog::watch() {
  const Clock::duration pause = limits_.unusual / kChecks;
  Clock::time_point last_check = Clock::now();
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, pause, [this] { return is_stopping_; })) {
    const Clock::time_point now = Clock::now();
    if (now - last_check > limits_.unusual) ignore(now - last_check - pause);
    last_check = now;
    if (!current_) continue;
    const Clock::duration elapsed = now - current_->since;
    if (is_hung(*current_, elapsed)) {
      const std::string reason = hung_line(*current_, elapsed);
      lock.unlock();
      return abandon_(reason);
    }
    if (now < current_->log_at) continue;
    current_->log_at = now + elapsed;
    const std::string line = unusual_line(*current_, elapsed);
    lock.unlock();
    log_(line);
    lock.lock();
  }
}

// A late check means that the whole process was stopped; the activity does not count that time.
void RunWatchdog::ignore(Clock::duration stopped) {
  if (!current_) return;
  const Clock::time_point now = Clock::now();
  current_->since = std::min(now, current_->since + stopped);
  current_->log_at += stopped;
}

std::string RunWatchdog::unusual_line(const Current& current, Clock::duration elapsed) {
  return fmt::format("[{}] {} (longest before: {:.1f} s): {}\n",
                     current.activity == Activity::kWaitForData ? "data" : "train",
                     format_activity(current.activity, current.step, in_seconds(elapsed)),
                     in_seconds(longest(current.activity)),
                     likely_cause(current.activity));
}

std::string RunWatchdog::hung_line(const Current& current, Clock::duration elapsed) {
  return fmt::format(
      "{} (longest before: {:.1f} s); the run is abandoned: {}. The same command resumes from the "
      "last checkpoint; --hang-minutes 0 waits without limit",
      format_activity(current.activity, current.step, in_seconds(elapsed)),
      in_seconds(longest(current.activity)),
      likely_cause(current.activity));
}

}  // namespace myxtts::train
