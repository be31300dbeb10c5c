#include "train/step_watch.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace xtts::train {
namespace {

constexpr int kUnusual = 10;  // times the longest before

double in_seconds(StepWatch::Clock::duration time) {
  return std::chrono::duration<double>(time).count();
}

}  // namespace

StepWatch::StepWatch(std::function<void(const std::string&)> say, Clock::duration least)
    : say_(std::move(say)), least_(least), thread_([this] { watch(); }) {}

StepWatch::~StepWatch() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void StepWatch::begin(LaneWork work, std::int64_t step) {
  const std::lock_guard lock(mutex_);
  const Clock::time_point now = Clock::now();
  going_ = {.work = work,
            .step = step,
            .since = now,
            .say_at = now + std::max(least_, kUnusual * longest(work))};
}

void StepWatch::end() {
  const std::lock_guard lock(mutex_);
  if (!going_) return;
  Clock::duration& most = longest(going_->work);
  most = std::max(most, Clock::now() - going_->since);
  going_.reset();
}

StepWatch::Clock::duration& StepWatch::longest(LaneWork work) {
  return work == LaneWork::kWaitForData ? longest_wait_ : longest_step_;
}

// It looks now and then instead of being woken by each step, which would cost every step a switch.
void StepWatch::watch() {
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, least_ / 4, [this] { return is_over_; })) {
    const Clock::time_point now = Clock::now();
    if (!going_ || now < going_->say_at) continue;
    going_->say_at = now + (now - going_->since);
    const std::string line = words(*going_, now - going_->since);
    lock.unlock();
    say_(line);
    lock.lock();
  }
}

std::string StepWatch::words(const Going& going, Clock::duration taken) const {
  if (going.work == LaneWork::kWaitForData) {
    return fmt::format(
        "[data] step {} has waited {:.1f} s for its data (longest wait before: {:.1f} s): the disk "
        "is slow or gone; --cache ram reads it once\n",
        going.step,
        in_seconds(taken),
        in_seconds(longest_wait_));
  }
  return fmt::format(
      "[train] step {} has computed for {:.1f} s (longest before: {:.1f} s): the machine is busy, "
      "out of memory, or the device hangs; Ctrl-C twice ends it, the last save stays\n",
      going.step,
      in_seconds(taken),
      in_seconds(longest_step_));
}

}  // namespace xtts::train
