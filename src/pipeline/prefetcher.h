#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "pipeline/batch_sampler.h"

namespace xtts::pipeline {

struct PrefetchSettings {
  int num_workers = 0;            // 0: whoever asks for an update makes it then: the plain twin
  std::int64_t buffer = 50;       // updates held ready, at most
  std::vector<int> cores = {};    // that the workers may use; empty: any
  bool is_idle_priority = false;  // workers run only where nobody else wants the core
  // With a worker whose read neither ends nor fails, before its utterance is given up.
  std::chrono::milliseconds patience = kReadTimeout;
};

// What the lane of the data has done so far. Seconds are summed over its workers.
struct PrefetchReport {
  int num_workers = 0;
  std::int64_t num_made = 0;
  double busy_s = 0.0;     // of processor, making updates
  double waiting_s = 0.0;  // the rest of making them: for the disk, a GPU, a core (as a guest does)
  double blocked_s = 0.0;  // no room in the buffer, up to now; who only stands by is not counted
  std::int64_t depth = 0;  // updates that next() would give now without a wait, one after the other
  std::int64_t held = 0;   // updates that are made: also those that come after one that is missing
  int num_stuck = 0;       // workers that were given up
};

// The updates of a loader in its order, made ahead by worker threads. Workers finish in any order;
// a number puts their work back in place. What next() gives does not depend on the settings.
//
// The loader is borrowed and must outlive the stream; while it exists nobody else uses the loader
// but through it. One thread asks.
class Prefetcher {
 public:
  Prefetcher(BatchSampler& loader, PrefetchSettings settings);
  ~Prefetcher();
  Prefetcher(const Prefetcher&) = delete;
  Prefetcher& operator=(const Prefetcher&) = delete;

  // The next update. Throws what making it threw; the one after it is asked for next.
  std::unique_ptr<Batch> next();
  // The same, but nothing if it does not come in time. Without workers it is made however long that
  // takes.
  std::unique_ptr<Batch> next_within(std::chrono::milliseconds time);
  // The next update if it is there now; never waits, makes or throws.
  std::unique_ptr<Batch> next_if_ready();
  // Its memory is used again.
  void give_back(std::unique_ptr<Batch> update);

  // next() continues there, as Loader::seek(); what was made ahead is dropped.
  void seek(const LoaderPosition& position);

  // Waits until `count` updates can be had one after the other, the buffer is full, or making one
  // has failed. Returns false after `deadline`, or without workers.
  bool wait_until_ready(std::int64_t count, std::chrono::milliseconds deadline);
  // A guest's workers fill the whole buffer now: the model is about to do something else.
  void fill_up();
  // Another number of updates to hold ready, at least 1.
  void resize(std::int64_t buffer);

  PrefetchReport report() const;
  const Collator& maker() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace xtts::pipeline
