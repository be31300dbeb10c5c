#include "data/batch_sampler.h"

#include "base/error.h"

namespace myxtts::data {

const std::vector<PlannedBatch>& EpochOrder::batches() const {
  std::call_once(once_, [this] {
    batches_ = sample_();
    is_sampled_.store(true, std::memory_order_release);
  });
  return batches_;
}

BatchSampler::BatchSampler(const FeatureSet& features,
                           const ShapePlan& plan,
                           LoaderSettings settings)
    : plan_(plan),
      settings_(settings),
      lengths_(features.lengths()),
      collator_(features, plan, settings),
      batches_in_epoch_(batches_per_epoch(plan, settings.grad_accum, lengths_)) {
  require(batches_in_epoch_ > 0,
          "{} utterances do not fill one batch of any of the {} signatures; use a smaller "
          "batch_size, or larger maximum lengths if the utterances are too long",
          lengths_.size(),
          plan_.signatures.size());
}

BatchJob BatchSampler::next_job() {
  enter_epoch(position_.epoch);
  BatchJob job{.order = order_,
               .next_order = position_.batch == 0 ? next_order_ : nullptr,
               .index = static_cast<std::size_t>(position_.batch),
               .epoch = position_.epoch,
               .next = {}};
  ++position_.batch;
  if (position_.batch == batches_in_epoch_) position_ = {position_.epoch + 1, 0};
  job.next = position_;
  return job;
}

void BatchSampler::collate(const BatchJob& job, CollatorScratch& scratch, Batch& batch) const {
  collator_.collate(job.order->batches().at(job.index), job.epoch, scratch, batch);
  batch.next = job.next;
  if (job.next_order) job.next_order->batches();
}

Batch BatchSampler::next() {
  CollatorScratch scratch;
  Batch batch;
  collate(next_job(), scratch, batch);
  return batch;
}

void BatchSampler::seek(const LoaderPosition& position) {
  const std::int64_t num_batches = position.epoch >= 0 ? batches_in_epoch_ : 0;
  require(
      position.batch >= 0 && position.batch < num_batches,
      "no batch {} in epoch {}, which has {} batches: the corpus or the batch size differs from "
      "the checkpoint; restore them, or start a new run",
      position.batch,
      position.epoch,
      num_batches);
  position_ = position;
}

void BatchSampler::enter_epoch(std::int64_t epoch) {
  if (epoch == entered_epoch_) return;
  order_ = next_order_ && epoch == entered_epoch_ + 1 ? std::move(next_order_) : order_of(epoch);
  next_order_ = order_of(epoch + 1);
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
  const Collator collator(features, plan, settings);
  CollatorScratch scratch;
  std::vector<Batch> batches;
  BatchCounts all;
  for (const PlannedBatch& planned : validation_order(plan, lengths)) {
    collator.collate(planned, 0, scratch, batches.emplace_back());
    all += batches.back().counts;
  }
  for (Batch& batch : batches)
    batch.counts = all;
  return batches;
}

}  // namespace myxtts::data
