#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "pipeline/batch.h"
#include "pipeline/collator.h"
#include "pipeline/epoch_order.h"
#include "pipeline/features.h"

namespace xtts::pipeline {

// The order of one epoch, made by whoever needs it first; others wait for them. Thread-safe.
class EpochOrder {
 public:
  explicit EpochOrder(std::function<std::vector<PlannedBatch>()> make) : make_(std::move(make)) {}

  const std::vector<PlannedBatch>& updates() const;
  bool is_made() const { return is_made_.load(std::memory_order_acquire); }

 private:
  const std::function<std::vector<PlannedBatch>()> make_;
  mutable std::once_flag once_;
  mutable std::vector<PlannedBatch> updates_;
  mutable std::atomic<bool> is_made_ = false;
};

// An update that is to be made, with what follows it.
struct BatchJob {
  std::shared_ptr<const EpochOrder> order;      // shared by the updates of an epoch
  std::shared_ptr<const EpochOrder> following;  // of the next epoch, with the first update of one:
                                                // whoever makes that orders the next in good time
  std::size_t index = 0;                        // in the order
  std::int64_t epoch = 0;
  LoaderPosition next;
};

// The updates of a run, one after the other, epoch after epoch, without end: a function of seed,
// plan and list of utterances alone. Features and plan are borrowed and must outlive it. Not
// thread-safe but for make() and lost(); calls no ATen operation.
class BatchSampler {
 public:
  // Throws UserError if the utterances do not fill one update of the plan.
  BatchSampler(const FeatureSet& features, const ShapePlan& plan, LoaderSettings settings);
  BatchSampler(const BatchSampler&) = delete;
  BatchSampler& operator=(const BatchSampler&) = delete;

  // The next update in two parts: which it is, in no time, and, on any thread, making it, with
  // the order of its epoch if nobody has made that yet.
  BatchJob take();
  void make(const BatchJob& job, CollatorScratch& scratch, Batch& update) const;

  // The next update. Same settings and position, same update, bit for bit.
  Batch next();

  // next() continues there. Throws UserError for a position that the epoch does not have, as after
  // the corpus has changed.
  void seek(const LoaderPosition& position);
  LoaderPosition position() const { return position_; }
  std::int64_t batches_in_epoch() const { return updates_in_epoch_; }  // of every epoch

  const Collator& maker() const { return maker_; }

 private:
  void enter_epoch(std::int64_t epoch);
  std::shared_ptr<const EpochOrder> order_of(std::int64_t epoch) const;  // not made yet

  const ShapePlan& plan_;
  const LoaderSettings settings_;
  const std::vector<Lengths> lengths_;
  Collator maker_;
  const std::int64_t updates_in_epoch_;
  LoaderPosition position_;
  std::int64_t entered_epoch_ = -1;
  std::shared_ptr<const EpochOrder> order_;      // of that epoch
  std::shared_ptr<const EpochOrder> following_;  // of the one after it
};

// Every utterance that the plan holds once, for validation: references and crops are those of epoch
// 0. Each element is an update of one micro-batch whose counts are those of all elements together,
// so that summing their losses gives the mean over the set. Their `next` means nothing.
std::vector<Batch> validation_batches(const FeatureSet& features,
                                      const ShapePlan& plan,
                                      const LoaderSettings& settings);

}  // namespace xtts::pipeline
