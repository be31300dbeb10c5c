#include "pipeline/batch_sampler.h"

#include "base/error.h"

namespace xtts::pipeline {

const std::vector<PlannedBatch>& EpochOrder::updates() const {
  std::call_once(once_, [this] {
    updates_ = make_();
    is_made_.store(true, std::memory_order_release);
  });
  return updates_;
}

BatchSampler::BatchSampler(const FeatureSet& features,
                           const ShapePlan& plan,
                           LoaderSettings settings)
    : plan_(plan),
      settings_(settings),
      lengths_(features.lengths()),
      maker_(features, plan, settings),
      updates_in_epoch_(batches_per_epoch(plan, settings.grad_accum, lengths_)) {
  require(updates_in_epoch_ > 0,
          "{} utterances do not fill one batch of any of the {} signatures; use a smaller "
          "batch_size, or longer maximal lengths if they are too long for all of them",
          lengths_.size(),
          plan_.signatures.size());
}

BatchJob BatchSampler::take() {
  enter_epoch(position_.epoch);
  BatchJob job{.order = order_,
               .following = position_.update == 0 ? following_ : nullptr,
               .index = static_cast<std::size_t>(position_.update),
               .epoch = position_.epoch,
               .next = {}};
  ++position_.update;
  if (position_.update == updates_in_epoch_) position_ = {position_.epoch + 1, 0};
  job.next = position_;
  return job;
}

void BatchSampler::make(const BatchJob& job, CollatorScratch& scratch, Batch& update) const {
  maker_.make(job.order->updates().at(job.index), job.epoch, scratch, update);
  update.next = job.next;
  if (job.following) job.following->updates();
}

Batch BatchSampler::next() {
  CollatorScratch scratch;
  Batch update;
  make(take(), scratch, update);
  return update;
}

void BatchSampler::seek(const LoaderPosition& position) {
  const std::int64_t num_updates = position.epoch >= 0 ? updates_in_epoch_ : 0;
  require(position.update >= 0 && position.update < num_updates,
          "there is no update {} in epoch {}, which has {}: the corpus or the batch size is not "
          "that of the save; give them as they were, or begin anew",
          position.update,
          position.epoch,
          num_updates);
  position_ = position;
}

void BatchSampler::enter_epoch(std::int64_t epoch) {
  if (epoch == entered_epoch_) return;
  order_ = following_ && epoch == entered_epoch_ + 1 ? std::move(following_) : order_of(epoch);
  following_ = order_of(epoch + 1);
  entered_epoch_ = epoch;
}

std::shared_ptr<const EpochOrder> BatchSampler::order_of(std::int64_t epoch) const {
  return std::make_shared<const EpochOrder>([this, epoch] {
    return sample_epoch(settings_.seed, epoch, plan_, settings_.grad_accum, lengths_);
  });
}

std::vector<Batch> validation_batches(const FeatureSet& features,
                                      const ShapePlan& plan,
                                      const LoaderSettings& settings) {
  const std::vector<Lengths> lengths = features.lengths();
  const Collator maker(features, plan, settings);
  CollatorScratch scratch;
  std::vector<Batch> updates;
  BatchCounts all;
  for (const PlannedBatch& planned : validation_order(plan, lengths)) {
    maker.make(planned, 0, scratch, updates.emplace_back());
    all += updates.back().counts;
  }
  for (Batch& update : updates)
    update.counts = all;
  return updates;
}

}  // namespace xtts::pipeline
