#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "pipeline/batch.h"
#include "pipeline/epoch_order.h"
#include "pipeline/features.h"
#include "pipeline/update_maker.h"

namespace xtts::pipeline {

// An update that is to be made, with what follows it.
struct UpdateJob {
  std::shared_ptr<const std::vector<PlannedUpdate>> order;  // of the epoch
  std::size_t index = 0;                                    // in it
  std::int64_t epoch = 0;
  LoaderPosition next;

  const PlannedUpdate& planned() const { return (*order)[index]; }
};

// The updates of a run, one after the other, epoch after epoch, without end: a function of seed,
// plan and list of utterances alone. Features and plan are borrowed and must outlive it. Not
// thread-safe but for make() and lost(); calls no ATen operation.
class Loader {
 public:
  // Throws UserError if the utterances do not fill one update of the plan.
  Loader(const FeatureSet& features, const ShapePlan& plan, LoaderSettings settings);

  // The next update in two parts: which it is, and, on any thread, making it.
  UpdateJob take();
  void make(const UpdateJob& job, MakerScratch& scratch, Update& update) const;

  // The next update. Same settings and position, same update, bit for bit.
  Update next();

  // next() continues there. Throws UserError for a position that the epoch does not have, as after
  // the corpus has changed.
  void seek(const LoaderPosition& position);
  LoaderPosition position() const { return position_; }
  std::int64_t updates_in_epoch(std::int64_t epoch) const;

  const UpdateMaker& maker() const { return maker_; }

 private:
  void enter_epoch(std::int64_t epoch);  // makes order_ that of the epoch

  const ShapePlan& plan_;
  const LoaderSettings settings_;
  const std::vector<Lengths> lengths_;
  UpdateMaker maker_;
  LoaderPosition position_;
  std::int64_t ordered_epoch_ = -1;
  std::shared_ptr<const std::vector<PlannedUpdate>> order_;
};

// Every utterance that the plan holds once, for validation: references and crops are those of epoch
// 0. Each element is an update of one micro-batch whose counts are those of all elements together,
// so that summing their losses gives the mean over the set. Their `next` means nothing.
std::vector<Update> validation_updates(const FeatureSet& features,
                                       const ShapePlan& plan,
                                       const LoaderSettings& settings);

}  // namespace xtts::pipeline
