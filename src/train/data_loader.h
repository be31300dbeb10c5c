#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/config.h"
#include "data/batch_sampler.h"
#include "data/buffer_size.h"
#include "data/lane_messages.h"
#include "data/lanes.h"
#include "data/prefetcher.h"
#include "train/lane_times.h"

namespace myxtts::train {

// The data lane of a run: prefetches batches for the training steps. Features, plan and lanes are
// borrowed and must outlive the loader. Used from one thread.
class DataLoader {
 public:
  // Throws UserError if the utterances do not fill one batch of the plan.
  DataLoader(const data::LanePlan& lanes,
             const data::FeatureSet& features,
             const data::ShapePlan& plan,
             const data::LoaderSettings& loading);

  std::int64_t steps_per_epoch() const { return steps_per_epoch_; }
  // Returns the largest memory of all batches that exist at once, including the growth of
  // `--buffer-size auto`.
  double buffer_bytes() const;
  // Limits the memory of a `--buffer-size auto` buffer; one batch is always allowed. A buffer of
  // fixed size is not changed. Call before start().
  void limit_buffer_bytes(double bytes);

  // Limits the buffer to one batch until the model starts. For short measuring runs: a full buffer
  // would hide slow workers until the end of the run. Call before start().
  void start_empty() { starts_empty_ = true; }
  // Starts the workers at this position and passes a description of the lanes to `log`. Call once,
  // before the functions below.
  void start(const data::LoaderPosition& position,
             const std::function<void(const std::string&)>& log);
  // Waits a limited time for a full buffer, with two lanes at least the configured delay since
  // start(), and logs the start of the model. Throws base::Interrupted after a signal.
  void warm_up(const std::function<void(const std::string&)>& log);
  void seek(const data::LoaderPosition& position) { prefetcher_->seek(position); }
  std::unique_ptr<data::Batch> next() { return prefetcher_->next(); }
  std::unique_ptr<data::Batch> next_within(std::chrono::milliseconds time) {
    return prefetcher_->next_within(time);
  }
  std::unique_ptr<data::Batch> next_if_ready() { return prefetcher_->next_if_ready(); }
  void recycle(std::unique_ptr<data::Batch> batch) { prefetcher_->recycle(std::move(batch)); }
  // Lets idle-priority workers fill the buffer, because the model pauses its steps.
  void fill_up() { prefetcher_->fill_up(); }

  // Called after each step with the wait for its batch and its duration. May resize a
  // `--buffer-size auto` buffer. Returns log lines about that and about unreadable utterances.
  std::vector<std::string> observe(double waited_s, double step_s);
  data::PrefetchReport report() const;
  // Returns the utterances that could not be read. observe() reports them.
  data::UnreadableUtterances& unreadable() const { return sampler_.collator().unreadable(); }
  // Returns the times of the lane since the last call, or since warm_up().
  LaneTimes take_times();

 private:
  using Clock = std::chrono::steady_clock;

  void wait_until_ready(std::int64_t count, Clock::time_point end);
  std::optional<std::string> adapt_buffer(double waited_s, double step_s);
  void size_buffer();
  std::int64_t batch_bytes() const;  // of the largest batch
  std::int64_t max_batches() const;  // capacity limit of the buffer

  const data::LanePlan& lanes_;
  data::BatchSampler sampler_;
  const std::int64_t steps_per_epoch_;
  data::BufferBounds bounds_;
  std::optional<data::BufferSizer> sizer_;  // only with --buffer-size auto
  data::PrefetchSettings settings_;
  bool starts_empty_ = false;
  std::optional<data::Prefetcher> prefetcher_;
  data::BufferObservation observed_;  // since the last resize decision
  std::int64_t observed_steps_ = 0;
  data::PrefetchReport last_report_;
  LaneTimes last_times_;
  Clock::time_point started_;
};

}  // namespace myxtts::train
