#include "train/data_loader.h"

#include <algorithm>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "base/interrupt.h"
#include "base/memory.h"

namespace myxtts::train {
namespace {

using std::chrono::duration;
using std::chrono::milliseconds;

// Longest wait of the first step for a full buffer, unless a longer delay is configured.
constexpr milliseconds kDefaultWarmUp(2000);
// Interval at which a waiting thread checks for signals.
constexpr milliseconds kPollInterval(100);
// Duration of observation before the buffer size is adapted again.
constexpr double kObservationSeconds = 5.0;

std::int64_t free_bytes() {
  return base::free_memory_bytes();
}

}  // namespace

DataLoader::DataLoader(const data::LanePlan& lanes,
                       const data::FeatureSet& features,
                       const data::ShapePlan& plan,
                       const data::LoaderSettings& loading)
    : lanes_(lanes),
      sampler_(features, plan, loading),
      steps_per_epoch_(sampler_.batches_in_epoch()) {
  bounds_.max_bytes = data::buffer_bytes_allowed(free_bytes());
  settings_ = {.num_workers = lanes.num_workers,
               .cores = lanes.loader_is_idle_priority ? std::vector<int>{} : lanes.data.cores,
               .is_idle_priority = lanes.loader_is_idle_priority};
  size_buffer();
}

// The byte limit follows the memory that is free now. An automatic buffer never grows beyond the
// limit that is logged before step 1.
void DataLoader::size_buffer() {
  if (!lanes_.buffer_batches) {
    sizer_.emplace(
        data::BufferNeeds{.free_bytes = free_bytes(), .largest_batch_bytes = batch_bytes()},
        bounds_);
    settings_.buffer = sizer_->size();
    return;
  }
  const std::int64_t room = std::max<std::int64_t>(1, bounds_.max_bytes / batch_bytes());
  settings_.buffer = std::clamp<std::int64_t>(*lanes_.buffer_batches, 1, room);
}

void DataLoader::limit_buffer_bytes(double bytes) {
  if (!sizer_) return;
  const double in_flight_bytes =
      buffer_bytes() - static_cast<double>(max_batches() * batch_bytes());
  const auto room = static_cast<std::int64_t>(std::max(0.0, bytes - in_flight_bytes));
  if (room >= bounds_.max_bytes) return;
  bounds_.max_bytes = room;
  size_buffer();
}

std::int64_t DataLoader::batch_bytes() const {
  return static_cast<std::int64_t>(sampler_.collator().max_batch_bytes());
}

std::int64_t DataLoader::max_batches() const {
  if (!sizer_) return settings_.buffer;
  return std::clamp<std::int64_t>(bounds_.max_bytes / batch_bytes(), 1, bounds_.max_batches);
}

double DataLoader::buffer_bytes() const {
  // Batches in the buffer, with the workers and with the model.
  const std::int64_t most =
      settings_.num_workers == 0 ? 1 : max_batches() + 1 + lanes_.staged_batches;
  return static_cast<double>(most * batch_bytes());
}

void DataLoader::start(const data::LoaderPosition& position,
                       const std::function<void(const std::string&)>& log) {
  sampler_.seek(position);
  log(data::format_lanes(lanes_,
                         {.batches = settings_.buffer,
                          .max_batches = max_batches(),
                          .max_bytes = static_cast<std::int64_t>(buffer_bytes()),
                          .room_bytes = bounds_.max_bytes}));
  data::PrefetchSettings settings = settings_;
  if (starts_empty_) settings.buffer = 1;
  prefetcher_.emplace(sampler_, std::move(settings));
  started_ = Clock::now();
}

void DataLoader::warm_up(const std::function<void(const std::string&)>& log) {
  if (settings_.num_workers == 0) {
    log(data::format_training_start(lanes_, 0.0, 0));
    return;
  }
  log(data::format_warm_up(lanes_));
  const auto delay =
      std::chrono::duration_cast<Clock::duration>(duration<double>(lanes_.start_delay_s));
  wait_until_ready(settings_.buffer,
                   Clock::now() + std::max<Clock::duration>(kDefaultWarmUp, delay));
  wait_until_ready(1, Clock::time_point::max());
  for (const auto end = started_ + delay; Clock::now() < end; base::check_interrupt())
    std::this_thread::sleep_until(std::min(end, Clock::now() + kPollInterval));
  const double waited_s = duration<double>(Clock::now() - started_).count();
  log(data::format_training_start(lanes_, waited_s, prefetcher_->report().depth));
  if (starts_empty_) prefetcher_->resize(settings_.buffer);
  take_times();
}

// Waits in short intervals to react to signals.
void DataLoader::wait_until_ready(std::int64_t count, Clock::time_point end) {
  do {
    base::check_interrupt();
  } while (!prefetcher_->wait_until_ready(count, kPollInterval) && Clock::now() < end);
}

std::vector<std::string> DataLoader::observe(double waited_s, double step_s) {
  std::vector<std::string> lines;
  for (const std::string& utterance : sampler_.collator().unreadable().take_unreported()) {
    lines.push_back(
        fmt::format("[data] {}; replaced by another utterance from now on\n", utterance));
  }
  if (sizer_) {
    if (auto line = adapt_buffer(waited_s, step_s)) lines.push_back(*std::move(line));
  }
  return lines;
}

std::optional<std::string> DataLoader::adapt_buffer(double waited_s, double step_s) {
  const data::PrefetchReport now = prefetcher_->report();
  observed_.min_depth = observed_steps_ == 0 ? now.depth : std::min(observed_.min_depth, now.depth);
  observed_.max_depth = std::max(observed_.max_depth, now.depth);
  observed_.waited_s += waited_s;
  observed_.elapsed_s += waited_s + step_s;
  ++observed_steps_;
  if (observed_.elapsed_s < kObservationSeconds) return std::nullopt;
  const double busy_s = now.busy_s - last_report_.busy_s;
  const auto num_batches = static_cast<double>(now.num_batches - last_report_.num_batches);
  if (num_batches > 0 && busy_s > 0.0) {
    const double per_batch_s = busy_s / num_batches / std::max(1, settings_.num_workers);
    observed_.load_over_train = (observed_.elapsed_s - observed_.waited_s) /
                                static_cast<double>(observed_steps_) / per_batch_s;
  }
  observed_.buffered_bytes = now.held * batch_bytes();
  observed_.free_bytes = free_bytes();
  const std::optional<data::BufferChange> change = sizer_->observe(observed_);
  observed_ = {};
  observed_steps_ = 0;
  last_report_ = now;
  if (!change) return std::nullopt;
  prefetcher_->resize(change->to);
  return change->line;
}

data::PrefetchReport DataLoader::report() const {
  return prefetcher_ ? prefetcher_->report() : data::PrefetchReport{};
}

LaneTimes DataLoader::take_times() {
  const data::PrefetchReport report = prefetcher_->report();
  const LaneTimes now{
      .busy_s = report.busy_s, .waiting_s = report.waiting_s, .blocked_s = report.blocked_s};
  return now - std::exchange(last_times_, now);
}

}  // namespace myxtts::train
