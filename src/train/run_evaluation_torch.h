#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <set>
#include <vector>

#include <torch/types.h>

#include "audio/mel_spec.h"
#include "config/config.h"
#include "pipeline/collator.h"
#include "pipeline/shape_plan.h"
#include "speak/sentence_list.h"
#include "step/train_step_torch.h"
#include "text/front_end.h"
#include "train/corpora.h"
#include "train/run_parts_torch.h"
#include "train/run_report.h"
#include "train/triggers.h"
#include "train/validation_torch.h"
#include "train/watchdog.h"

namespace xtts::train {

// What a review looks at; all borrowed.
struct EvaluatedRun {
  const config::Config& config;
  const std::filesystem::path& run;
  const audio::MelSpec& contract;
  const Corpora& corpora;
  const pipeline::ShapePlan& plan;
  const pipeline::LoaderSettings& loading;
  const step::TrainStep& step;
  text::FrontEnd& front_end;
  RunParts& parts;
  RunReport& report;
  RunWatchdog& watch;
  const std::vector<torch::Tensor>& speaker_clips;
};

// The model is looked at now and then: its losses on the validation set, what it speaks and draws.
// Weights and generator stay as they are; the state remembers that it was done.
class RunEvaluation {
 public:
  explicit RunEvaluation(const EvaluatedRun& reviewed);

  // The run begins, or goes on, at the step of its state.
  void begin() { first_step_ = reviewed_.parts.state.step; }

  void validate();
  void sample(const Triggers& due);

  // Speaks the sentences of the configuration and has them judged. A judge that gives no answer is
  // said, and counts as asked; a request to stop in between leaves it to the next start.
  void evaluate();

  // True if the run ends at a step that it has come to in this start and nobody has judged.
  bool is_last_unjudged() const;

  // The last state is judged, seen and heard whatever the intervals are. Nothing of it is saved: a
  // run that goes on does not differ from one that never ended.
  void at_end();

 private:
  const EvaluatedRun reviewed_;
  Validation validation_;
  // Read once: what a run is compared by stays the same.
  const std::vector<speak::ListedSentence> judged_sentences_;
  std::set<std::size_t> not_drawn_;  // utterances that could no longer be read
  std::int64_t first_step_ = 0;      // of this start
};

}  // namespace xtts::train
