#include "train/watchdog.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace xtts::train {
namespace {

// Reviews and saves are as long as a corpus or a model is large: the first of them is given time.
constexpr int kFirstReview = 8;  // times what is unusual for a step
constexpr int kLooks = 4;        // per time that is unusual
constexpr int kHopeless = 10;    // times the longest before
constexpr int kFirstHope = 6;    // times the limit, where nothing is known of how long it takes

double in_seconds(RunWatchdog::Clock::duration time) {
  return std::chrono::duration<double>(time).count();
}

// "step 7 has waited 4.1 s for its data"
std::string work_words(RunWork work, std::int64_t step, double taken_s) {
  switch (work) {
    case RunWork::kWaitForData:
      return fmt::format("step {} has waited {:.1f} s for its data", step, taken_s);
    case RunWork::kCompute:
      return fmt::format("step {} has computed for {:.1f} s", step, taken_s);
    case RunWork::kReview:
      return fmt::format("looking at the model after step {} has taken {:.1f} s", step, taken_s);
    case RunWork::kSave:
      return fmt::format("saving step {} has taken {:.1f} s", step, taken_s);
  }
  return {};
}

std::string_view likely_cause(RunWork work) {
  switch (work) {
    case RunWork::kWaitForData:
      return "the disk is slow or gone; --cache ram reads it once";
    case RunWork::kSave:
      return "the disk of the run folder is slow or gone";
    case RunWork::kCompute:
    case RunWork::kReview:
      return "the machine is busy, out of memory, or the device hangs";
  }
  return {};
}

}  // namespace

RunWatchdog::RunWatchdog(Limits limits, Say say, Say give_up)
    : limits_(limits),
      say_(std::move(say)),
      give_up_(std::move(give_up)),
      thread_([this] { watch(); }) {}

RunWatchdog::~RunWatchdog() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void RunWatchdog::begin(RunWork work, std::int64_t step) {
  const std::lock_guard lock(mutex_);
  const Clock::time_point now = Clock::now();
  going_ = {.work = work, .step = step, .since = now, .say_at = now + unusual(work)};
}

void RunWatchdog::end() {
  const std::lock_guard lock(mutex_);
  Clock::duration& most = longest(going_->work);
  most = std::max(most, Clock::now() - going_->since);
  going_.reset();
}

RunWatchdog::Clock::duration& RunWatchdog::longest(RunWork work) {
  return longest_[static_cast<std::size_t>(work)];
}

RunWatchdog::Clock::duration RunWatchdog::unusual(RunWork work) {
  const Clock::duration before = longest(work);
  const bool is_review = work == RunWork::kReview || work == RunWork::kSave;
  const Clock::duration more = std::max(limits_.unusual, before / 2);
  return before == Clock::duration{} && is_review ? kFirstReview * more : before + more;
}

// Whatever is slow by nature is not given up for it.
bool RunWatchdog::is_hopeless(const Going& going, Clock::duration taken) {
  const Clock::duration limit = limits_.hopeless;
  if (limit == Clock::duration{}) return false;
  const Clock::duration before = longest(going.work);
  return taken >
         (before == Clock::duration{} ? kFirstHope * limit : std::max(limit, kHopeless * before));
}

// It looks now and then instead of being woken by each step, which would cost every step a switch.
void RunWatchdog::watch() {
  const Clock::duration pause = limits_.unusual / kLooks;
  Clock::time_point looked = Clock::now();
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, pause, [this] { return is_over_; })) {
    const Clock::time_point now = Clock::now();
    if (now - looked > limits_.unusual) forgive(now - looked - pause);
    looked = now;
    if (!going_) continue;
    const Clock::duration taken = now - going_->since;
    if (is_hopeless(*going_, taken)) {
      const std::string reason = hopeless_line(*going_, taken);
      lock.unlock();
      return give_up_(reason);
    }
    if (now < going_->say_at) continue;
    going_->say_at = now + taken;
    const std::string line = unusual_line(*going_, taken);
    lock.unlock();
    say_(line);
    lock.lock();
  }
}

// Whoever looks late has been stopped as well, and so had the work.
void RunWatchdog::forgive(Clock::duration stood_still) {
  if (!going_) return;
  const Clock::time_point now = Clock::now();
  going_->since = std::min(now, going_->since + stood_still);
  going_->say_at += stood_still;
}

std::string RunWatchdog::unusual_line(const Going& going, Clock::duration taken) {
  return fmt::format("[{}] {} (longest before: {:.1f} s): {}\n",
                     going.work == RunWork::kWaitForData ? "data" : "train",
                     work_words(going.work, going.step, in_seconds(taken)),
                     in_seconds(longest(going.work)),
                     likely_cause(going.work));
}

std::string RunWatchdog::hopeless_line(const Going& going, Clock::duration taken) {
  return fmt::format(
      "{} (longest before: {:.1f} s) and is given up: {}. The last save stays, and the same "
      "command goes on from it; --hang-minutes 0 would wait for ever",
      work_words(going.work, going.step, in_seconds(taken)),
      in_seconds(longest(going.work)),
      likely_cause(going.work));
}

}  // namespace xtts::train
