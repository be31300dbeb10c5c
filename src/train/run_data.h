#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/config.h"
#include "pipeline/loader.h"
#include "pipeline/update_stream.h"

namespace xtts::train {

// The lane of the data: a run's updates, made ahead of its steps. Features and plan are borrowed
// and must outlive it. Used from one thread.
class RunData {
 public:
  // Throws UserError if the utterances do not fill one update of the plan.
  RunData(const config::Config& config,
          const pipeline::FeatureSet& features,
          const pipeline::ShapePlan& plan,
          const pipeline::LoaderSettings& loading);

  std::int64_t updates_per_epoch() const { return updates_per_epoch_; }
  // Updates held ready, at most, and the memory of all that exist then.
  std::int64_t buffer() const { return settings_.buffer; }
  double buffer_bytes() const;

  // Workers begin, at this position. Call once, before next().
  void start(const pipeline::LoaderPosition& position);
  void seek(const pipeline::LoaderPosition& position) { stream_->seek(position); }
  std::unique_ptr<pipeline::Update> next() { return stream_->next(); }
  void give_back(std::unique_ptr<pipeline::Update> update) {
    stream_->give_back(std::move(update));
  }
  // The model is about to do something else than steps.
  void fill_up() { stream_->fill_up(); }

  // Lines about utterances that could not be read, since the last call.
  std::vector<std::string> take_news();
  pipeline::StreamReport report() const;

 private:
  pipeline::Loader loader_;
  const std::int64_t updates_per_epoch_;
  pipeline::StreamSettings settings_;
  std::optional<pipeline::UpdateStream> stream_;
};

// From the configuration: data.num_workers and data.pipeline_buffer_size, the second bounded so
// that updates of `most_bytes` take no more than an eighth of `free_bytes`.
pipeline::StreamSettings stream_settings_of(const config::DataConfig& data,
                                            std::size_t most_bytes,
                                            double free_bytes);

}  // namespace xtts::train
