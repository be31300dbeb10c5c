// Yields the batches of a run in a reproducible, resumable order.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "data/batch.h"
#include "data/collator.h"
#include "data/epoch_order.h"
#include "data/features.h"

namespace myxtts::data {

// The batches of one epoch, sampled by the first call of batches(). Thread-safe.
class EpochOrder {
 public:
  explicit EpochOrder(std::function<std::vector<PlannedBatch>()> sample)
      : sample_(std::move(sample)) {}

  const std::vector<PlannedBatch>& batches() const;
  bool is_sampled() const { return is_sampled_.load(std::memory_order_acquire); }

 private:
  const std::function<std::vector<PlannedBatch>()> sample_;
  mutable std::once_flag once_;
  mutable std::vector<PlannedBatch> batches_;
  mutable std::atomic<bool> is_sampled_ = false;
};

// One batch that a worker has to collate.
struct BatchJob {
  std::shared_ptr<const EpochOrder> order;  // shared by all batches of the epoch
  // The next epoch, only in the first batch of an epoch: its worker samples the next epoch early.
  std::shared_ptr<const EpochOrder> next_order;
  std::size_t index = 0;  // of the batch in `order`
  std::int64_t epoch = 0;
  LoaderPosition next;  // position of the batch after this one
};

// Yields the batches of a run, epoch after epoch, without end. The order depends only on the seed,
// the shape plan and the list of utterances. Features and plan are borrowed and must outlive the
// sampler. Only collate() and collator() are thread-safe. Calls no ATen operation.
class BatchSampler {
 public:
  // Throws UserError if the utterances do not fill one batch of the plan.
  BatchSampler(const FeatureSet& features, const ShapePlan& plan, LoaderSettings settings);
  BatchSampler(const BatchSampler&) = delete;
  BatchSampler& operator=(const BatchSampler&) = delete;

  // Returns the next job. Takes constant time: it samples no epoch.
  BatchJob next_job();
  // Collates the batch of a job, on any thread. Samples the epoch of the job if no thread has yet.
  void collate(const BatchJob& job, CollatorScratch& scratch, Batch& batch) const;

  // Returns the next batch. Equal settings and positions give bit-identical batches.
  Batch next();

  // Sets the position of the next batch. Throws UserError if the epoch has no such position, for
  // example after the corpus has changed.
  void seek(const LoaderPosition& position);
  LoaderPosition position() const { return position_; }
  std::int64_t batches_in_epoch() const { return batches_in_epoch_; }  // all epochs are equal

  const Collator& collator() const { return collator_; }

 private:
  void enter_epoch(std::int64_t epoch);
  std::shared_ptr<const EpochOrder> order_of(std::int64_t epoch) const;  // not sampled yet

  const ShapePlan& plan_;
  const LoaderSettings settings_;
  const std::vector<Lengths> lengths_;
  Collator collator_;
  const std::int64_t batches_in_epoch_;
  LoaderPosition position_;
  std::int64_t entered_epoch_ = -1;
  std::shared_ptr<const EpochOrder> order_;       // of entered_epoch_
  std::shared_ptr<const EpochOrder> next_order_;  // of the epoch after it
};

// Returns batches for validation: every utterance that fits the plan once, with the references and
// crops of epoch 0. Each batch has one micro-batch and the counts of all batches together, so that
// the losses sum to the mean over the set. `next` is not set.
std::vector<Batch> validation_batches(const FeatureSet& features,
                                      const ShapePlan& plan,
                                      const LoaderSettings& settings);

}  // namespace myxtts::data
