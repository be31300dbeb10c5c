#include "diagnose/loader_times.h"

#include <chrono>
#include <memory>
#include <utility>

#include "base/interrupt.h"
#include "base/progress.h"
#include "data/batch_sampler.h"
#include "data/features.h"
#include "data/prefetcher.h"
#include "data/run_plan.h"
#include "diagnose/stage_times.h"

namespace myxtts::diagnose {
namespace {

using LoaderClock = std::chrono::steady_clock;

double seconds_of(LoaderClock::duration time) {
  return std::chrono::duration<double>(time).count();
}

}  // namespace

LoaderTimes measure_loader(const corpus::Corpus& corpus,
                           const config::Config& config,
                           int num_batches) {
  LoaderTimes times{.num_workers = config::num_workers_of(config.data)};
  corpus::Corpus part = corpus;
  part.utterances = corpus::sample_evenly(
      corpus.utterances,
      static_cast<std::size_t>(num_batches) * static_cast<std::size_t>(config.data.batch_size));
  times.num_utterances = std::ssize(part.utterances);
  const LoaderClock::time_point began = LoaderClock::now();
  base::ProgressBar bar("features", part.utterances.size());
  const data::FeatureSet features =
      data::load_features(part,
                          config,
                          times.num_workers,
                          [&bar](std::size_t count) { bar.advance(count); },
                          {.memory_bytes = 0.0, .cache = nullptr});
  times.reading_s = seconds_of(LoaderClock::now() - began);

  const data::ShapePlan plan =
      data::plan_run(data::shape_settings_of(config), features.lengths(), /*validation=*/{});
  data::BatchSampler sampler(features, plan, data::loader_settings_of(config));
  double audio_s = 0.0;
  const double frame_s = static_cast<double>(config.model.hop_length) / config.model.sample_rate;
  data::Prefetcher prefetcher(
      sampler,
      {.num_workers = times.num_workers, .buffer = config.data.pipeline_buffer_size.value_or(50)});
  const LoaderClock::time_point start = LoaderClock::now();
  LoaderClock::time_point last = start;
  for (int i = 0; i < num_batches; ++i) {
    base::check_interrupt();
    std::unique_ptr<data::Batch> batch = prefetcher.next();
    const LoaderClock::time_point now = LoaderClock::now();
    times.batch_s.push_back(seconds_of(now - last));
    last = now;
    audio_s += static_cast<double>(batch->counts.frames) * frame_s;
    prefetcher.recycle(std::move(batch));
  }
  times.busy_s = prefetcher.report().busy_s;
  times.audio_s_per_s = audio_s / seconds_of(last - start);
  return times;
}

}  // namespace myxtts::diagnose
