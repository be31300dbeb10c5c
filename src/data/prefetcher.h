// Collates batches ahead of the training steps in worker threads.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "data/batch_sampler.h"

namespace myxtts::data {

struct PrefetchSettings {
  int num_workers = 0;            // 0: next() collates each batch itself, with the same result
  std::int64_t buffer = 50;       // capacity in batches
  std::vector<int> cores = {};    // of the workers; empty: any
  bool is_idle_priority = false;  // workers run only on cores that are otherwise idle
  // A read that takes longer has failed: its utterance is unreadable and is replaced by another.
  std::chrono::milliseconds read_timeout = kReadTimeout;
};

// Counts of a prefetcher so far. Seconds are summed over the workers.
struct PrefetchReport {
  int num_workers = 0;
  std::int64_t num_batches = 0;  // collated
  double busy_s = 0.0;           // CPU time of collating
  double waiting_s = 0.0;        // other time of collating: waits for disk, GPU or a core
  double blocked_s = 0.0;        // waits of the workers for room in the buffer
  std::int64_t depth = 0;        // batches that next() returns now without a wait
  std::int64_t held = 0;         // finished batches, also those that wait for an earlier batch
  int num_abandoned = 0;         // workers abandoned so far, because a read did not end
};

// Yields the batches of a sampler in order, collated ahead by worker threads. Workers finish in any
// order; a reorder buffer restores the order. The batches do not depend on the settings.
//
// The sampler is borrowed, must outlive the prefetcher, and must not be used by anything else
// during that time. One consumer thread calls all functions.
class Prefetcher {
 public:
  Prefetcher(BatchSampler& sampler, PrefetchSettings settings);
  ~Prefetcher();
  Prefetcher(const Prefetcher&) = delete;
  Prefetcher& operator=(const Prefetcher&) = delete;

  // Returns the next batch; blocks until it is ready. Rethrows the exception of its collation. The
  // failed batch is then skipped: the next call returns the batch that follows it.
  std::unique_ptr<Batch> next();
  // Returns the next batch, or null if it is not ready within `time`. Without workers it is
  // collated inline, however long that takes.
  std::unique_ptr<Batch> next_within(std::chrono::milliseconds time);
  // Returns the next batch if it is ready, else null. Never blocks, collates or throws.
  std::unique_ptr<Batch> next_if_ready();
  // Gives a used batch back; its memory is reused.
  void recycle(std::unique_ptr<Batch> batch);

  // Continues at a position, as BatchSampler::seek(). Drops all prefetched batches.
  void seek(const LoaderPosition& position);

  // Blocks until `count` batches are ready in order, the buffer is full, or a worker has failed.
  // Returns false after `timeout`, or without workers. Starts a refill, as fill_up() does.
  bool wait_until_ready(std::int64_t count, std::chrono::milliseconds timeout);
  // Starts a refill even if the buffer is more than half full. Called before validation or a
  // checkpoint, when the model leaves its cores to idle-priority workers.
  void fill_up();
  // Changes the capacity in batches, at least 1.
  void resize(std::int64_t buffer);

  PrefetchReport report() const;
  const Collator& collator() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace myxtts::data
