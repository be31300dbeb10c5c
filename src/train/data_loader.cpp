#include "train/data_loader.h"

#include <algorithm>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "base/interrupt.h"
#include "base/memory.h"

namespace xtts::train {
namespace {

using std::chrono::duration;
using std::chrono::milliseconds;

// How long the first step waits for a full buffer, if nobody asked for longer.
constexpr milliseconds kUsualWarmUp(2000);
// How often whoever waits looks whether a signal has come.
constexpr milliseconds kTurn(100);
// How long the buffer is watched before its size is judged again.
constexpr double kWatchSeconds = 5.0;

std::int64_t free_bytes() {
  return base::free_memory_bytes();
}

}  // namespace

DataLoader::DataLoader(const pipeline::LanePlan& lanes,
                       const pipeline::FeatureSet& features,
                       const pipeline::ShapePlan& plan,
                       const pipeline::LoaderSettings& loading)
    : lanes_(lanes),
      loader_(features, plan, loading),
      updates_per_epoch_(loader_.batches_in_epoch()) {
  bounds_.most_bytes = pipeline::buffer_bytes_allowed(free_bytes());
  settings_ = {.num_workers = lanes.num_workers,
               .cores = lanes.loader_is_idle_priority ? std::vector<int>{} : lanes.data.cores,
               .is_idle_priority = lanes.loader_is_idle_priority};
  size_buffer();
}

// Bytes are bounded by what is free now: memory that is freed later lets an automatic buffer grow
// no further than what was said before step 1.
void DataLoader::size_buffer() {
  if (!lanes_.buffer_batches) {
    sizer_.emplace(
        pipeline::BufferNeeds{.free_bytes = free_bytes(), .largest_batch_bytes = batch_bytes()},
        bounds_);
    settings_.buffer = sizer_->size();
    return;
  }
  const std::int64_t room = std::max<std::int64_t>(1, bounds_.most_bytes / batch_bytes());
  settings_.buffer = std::clamp<std::int64_t>(*lanes_.buffer_batches, 1, room);
}

void DataLoader::fit_into(double bytes) {
  if (!sizer_) return;
  const double beside = buffer_bytes() - static_cast<double>(most_batches() * batch_bytes());
  const auto room = static_cast<std::int64_t>(std::max(0.0, bytes - beside));
  if (room >= bounds_.most_bytes) return;
  bounds_.most_bytes = room;
  size_buffer();
}

std::int64_t DataLoader::batch_bytes() const {
  return static_cast<std::int64_t>(loader_.maker().most_bytes());
}

std::int64_t DataLoader::most_batches() const {
  if (!sizer_) return settings_.buffer;
  return std::clamp<std::int64_t>(bounds_.most_bytes / batch_bytes(), 1, bounds_.most_batches);
}

double DataLoader::buffer_bytes() const {
  // In the buffer and with the workers, and with the model.
  const std::int64_t most =
      settings_.num_workers == 0 ? 1 : most_batches() + 1 + lanes_.staged_batches;
  return static_cast<double>(most * batch_bytes());
}

void DataLoader::start(const pipeline::LoaderPosition& position,
                       const std::function<void(const std::string&)>& say) {
  loader_.seek(position);
  say(pipeline::describe_lanes(lanes_,
                               {.batches = settings_.buffer,
                                .most_batches = most_batches(),
                                .most_bytes = static_cast<std::int64_t>(buffer_bytes()),
                                .room_bytes = bounds_.most_bytes}));
  pipeline::PrefetchSettings settings = settings_;
  if (begins_empty_) settings.buffer = 1;
  stream_.emplace(loader_, std::move(settings));
  started_ = Clock::now();
}

void DataLoader::warm_up(const std::function<void(const std::string&)>& say) {
  if (settings_.num_workers == 0) {
    say(pipeline::starting_line(lanes_, 0.0, 0));
    return;
  }
  say(pipeline::warm_up_line(lanes_));
  const auto delay =
      std::chrono::duration_cast<Clock::duration>(duration<double>(lanes_.start_delay_s));
  wait_until_ready(settings_.buffer, Clock::now() + std::max<Clock::duration>(kUsualWarmUp, delay));
  wait_until_ready(1, Clock::time_point::max());
  for (const auto end = started_ + delay; Clock::now() < end; base::check_interrupt())
    std::this_thread::sleep_until(std::min(end, Clock::now() + kTurn));
  const double waited_s = duration<double>(Clock::now() - started_).count();
  say(pipeline::starting_line(lanes_, waited_s, stream_->report().depth));
  if (begins_empty_) stream_->resize(settings_.buffer);
  take_times();
}

// In turns, so that a signal is heard.
void DataLoader::wait_until_ready(std::int64_t count, Clock::time_point end) {
  do {
    base::check_interrupt();
  } while (!stream_->wait_until_ready(count, kTurn) && Clock::now() < end);
}

std::vector<std::string> DataLoader::observe(double waited_s, double step_s) {
  std::vector<std::string> lines;
  for (const std::string& lost : loader_.maker().lost().take_news()) {
    lines.push_back(
        fmt::format("[data] {}; another utterance takes its place from now on\n", lost));
  }
  if (sizer_) {
    if (auto line = adapt_buffer(waited_s, step_s)) lines.push_back(*std::move(line));
  }
  return lines;
}

std::optional<std::string> DataLoader::adapt_buffer(double waited_s, double step_s) {
  const pipeline::PrefetchReport now = stream_->report();
  seen_.least_depth = steps_seen_ == 0 ? now.depth : std::min(seen_.least_depth, now.depth);
  seen_.most_depth = std::max(seen_.most_depth, now.depth);
  seen_.waited_s += waited_s;
  seen_.elapsed_s += waited_s + step_s;
  ++steps_seen_;
  if (seen_.elapsed_s < kWatchSeconds) return std::nullopt;
  const double busy_s = now.busy_s - report_before_.busy_s;
  const auto made = static_cast<double>(now.num_made - report_before_.num_made);
  if (made > 0 && busy_s > 0.0) {
    const double per_update_s = busy_s / made / std::max(1, settings_.num_workers);
    seen_.load_over_train =
        (seen_.elapsed_s - seen_.waited_s) / static_cast<double>(steps_seen_) / per_update_s;
  }
  seen_.buffered_bytes = now.held * batch_bytes();
  seen_.free_bytes = free_bytes();
  const std::optional<pipeline::BufferChange> change = sizer_->observe(seen_);
  seen_ = {};
  steps_seen_ = 0;
  report_before_ = now;
  if (!change) return std::nullopt;
  stream_->resize(change->to);
  return change->line;
}

pipeline::PrefetchReport DataLoader::report() const {
  return stream_ ? stream_->report() : pipeline::PrefetchReport{};
}

LaneTimes DataLoader::take_times() {
  const pipeline::PrefetchReport report = stream_->report();
  const LaneTimes now{
      .busy_s = report.busy_s, .waiting_s = report.waiting_s, .blocked_s = report.blocked_s};
  return now - std::exchange(times_before_, now);
}

}  // namespace xtts::train
