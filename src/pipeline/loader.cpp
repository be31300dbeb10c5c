#include "pipeline/loader.h"

#include "base/error.h"

namespace xtts::pipeline {

Loader::Loader(const FeatureSet& features, const ShapePlan& plan, LoaderSettings settings)
    : plan_(plan),
      settings_(settings),
      lengths_(features.lengths()),
      maker_(features, plan, settings) {
  enter_epoch(0);
  require(!order_->empty(),
          "{} utterances do not fill one batch of any of the {} signatures; use a smaller "
          "batch_size, or longer maximal lengths if they are too long for all of them",
          lengths_.size(),
          plan_.signatures.size());
}

UpdateJob Loader::take() {
  enter_epoch(position_.epoch);
  UpdateJob job{.order = order_,
                .index = static_cast<std::size_t>(position_.update),
                .epoch = position_.epoch,
                .next = {}};
  invariant(job.index < order_->size(), "a position lies in its epoch");
  ++position_.update;
  if (position_.update == std::ssize(*order_)) position_ = {position_.epoch + 1, 0};
  job.next = position_;
  return job;
}

void Loader::make(const UpdateJob& job, MakerScratch& scratch, Update& update) const {
  maker_.make(job.planned(), job.epoch, scratch, update);
  update.next = job.next;
}

Update Loader::next() {
  MakerScratch scratch;
  Update update;
  make(take(), scratch, update);
  return update;
}

void Loader::seek(const LoaderPosition& position) {
  const std::int64_t num_updates = position.epoch >= 0 ? updates_in_epoch(position.epoch) : 0;
  require(position.update >= 0 && position.update < num_updates,
          "there is no update {} in epoch {}, which has {}: the corpus or the batch size is not "
          "that of the save; give them as they were, or begin anew",
          position.update,
          position.epoch,
          num_updates);
  position_ = position;
}

std::int64_t Loader::updates_in_epoch(std::int64_t epoch) const {
  if (epoch == ordered_epoch_) return std::ssize(*order_);
  return std::ssize(order_epoch(settings_.seed, epoch, plan_, settings_.grad_accum, lengths_));
}

void Loader::enter_epoch(std::int64_t epoch) {
  if (epoch == ordered_epoch_) return;
  order_ = std::make_shared<const std::vector<PlannedUpdate>>(
      order_epoch(settings_.seed, epoch, plan_, settings_.grad_accum, lengths_));
  ordered_epoch_ = epoch;
}

std::vector<Update> validation_updates(const FeatureSet& features,
                                       const ShapePlan& plan,
                                       const LoaderSettings& settings) {
  const std::vector<Lengths> lengths = features.lengths();
  const UpdateMaker maker(features, plan, settings);
  MakerScratch scratch;
  std::vector<Update> updates;
  UpdateCounts all;
  for (const PlannedUpdate& planned : order_validation(plan, lengths)) {
    maker.make(planned, 0, scratch, updates.emplace_back());
    all += updates.back().counts;
  }
  for (Update& update : updates)
    update.counts = all;
  return updates;
}

}  // namespace xtts::pipeline
