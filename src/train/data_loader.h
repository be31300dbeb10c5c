#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/config.h"
#include "pipeline/batch_sampler.h"
#include "pipeline/buffer_size.h"
#include "pipeline/lane_words.h"
#include "pipeline/lanes.h"
#include "pipeline/prefetcher.h"
#include "train/lane_times.h"

namespace xtts::train {

// The lane of the data: a run's updates, made ahead of its steps. Features, plan and lanes are
// borrowed and must outlive it. Used from one thread.
class DataLoader {
 public:
  // Throws UserError if the utterances do not fill one update of the plan.
  DataLoader(const pipeline::LanePlan& lanes,
             const pipeline::FeatureSet& features,
             const pipeline::ShapePlan& plan,
             const pipeline::LoaderSettings& loading);

  std::int64_t updates_per_epoch() const { return updates_per_epoch_; }
  // Memory of all updates that exist at once, at most, however `--buffer-size auto` grows.
  double buffer_bytes() const;
  // Of `--buffer-size auto`: the buffer never takes more, except for its first update. Call it
  // before start(). A buffer of a given size stays as it is.
  void fit_into(double bytes);

  // Before start(): until the model begins, one update is made ahead and no more. For a short run
  // that is to show what a long one comes to: a full buffer would feed it to its end, however slow
  // the workers are.
  void begin_empty() { begins_empty_ = true; }
  // Workers begin, at this position; `say` hears on which lanes. Call once, before all that
  // follows.
  void start(const pipeline::LoaderPosition& position,
             const std::function<void(const std::string&)>& say);
  // They have some time to fill the buffer: with two lanes the configured one at least, since
  // their start; `say` hears when the model begins. Throws base::Interrupted after a signal.
  void warm_up(const std::function<void(const std::string&)>& say);
  void seek(const pipeline::LoaderPosition& position) { stream_->seek(position); }
  std::unique_ptr<pipeline::Batch> next() { return stream_->next(); }
  std::unique_ptr<pipeline::Batch> next_within(std::chrono::milliseconds time) {
    return stream_->next_within(time);
  }
  std::unique_ptr<pipeline::Batch> next_if_ready() { return stream_->next_if_ready(); }
  void give_back(std::unique_ptr<pipeline::Batch> update) { stream_->give_back(std::move(update)); }
  // The model is about to do something else than steps.
  void fill_up() { stream_->fill_up(); }

  // After each update, with how long the model waited for it: `--buffer-size auto` may change the
  // buffer. Returns lines to be said, of that and of utterances that could not be read.
  std::vector<std::string> observe(double waited_s, double step_s);
  pipeline::PrefetchReport report() const;
  // Who could not be read, by the workers or by others; observe() says it.
  pipeline::UnreadableUtterances& lost() const { return loader_.maker().lost(); }
  // What the lane did since the last call, or since warm_up().
  LaneTimes take_times();

 private:
  using Clock = std::chrono::steady_clock;

  void wait_until_ready(std::int64_t count, Clock::time_point end);
  std::optional<std::string> adapt_buffer(double waited_s, double step_s);
  void size_buffer();
  std::int64_t batch_bytes() const;   // of the largest
  std::int64_t most_batches() const;  // in the buffer, ever

  const pipeline::LanePlan& lanes_;
  pipeline::BatchSampler loader_;
  const std::int64_t updates_per_epoch_;
  pipeline::BufferBounds bounds_;
  std::optional<pipeline::BufferSizer> sizer_;  // of --buffer-size auto
  pipeline::PrefetchSettings settings_;
  bool begins_empty_ = false;
  std::optional<pipeline::Prefetcher> stream_;
  pipeline::BufferObservation seen_;  // since it was judged
  std::int64_t steps_seen_ = 0;
  pipeline::PrefetchReport report_before_;
  LaneTimes times_before_;
  Clock::time_point started_;
};

}  // namespace xtts::train
