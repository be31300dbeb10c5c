#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <set>
#include <vector>

#include <torch/types.h>

#include "audio/mel_spec.h"
#include "config/config.h"
#include "data/collator.h"
#include "data/shape_plan.h"
#include "step/train_step_torch.h"
#include "synthesis/sentence_list.h"
#include "text/front_end.h"
#include "train/corpora.h"
#include "train/run_parts_torch.h"
#include "train/run_report.h"
#include "train/triggers.h"
#include "train/validation_torch.h"
#include "train/watchdog.h"

namespace myxtts::train {

// Evaluates the model during a run: validation loss, samples, external judge.

// The inputs of the evaluation; all borrowed.
struct EvaluatedRun {
  const config::Config& config;
  const std::filesystem::path& run;
  const audio::MelSpec& mel_spec;
  const Corpora& corpora;
  const data::ShapePlan& plan;
  const data::LoaderSettings& loading;
  const step::TrainStep& step;
  text::FrontEnd& front_end;
  RunParts& parts;
  RunReport& report;
  RunWatchdog& watchdog;
  const std::vector<torch::Tensor>& speaker_clips;
};

// Runs validations, samples and judgements. Leaves weights and random generator unchanged; records
// each evaluation in the training state.
class RunEvaluation {
 public:
  explicit RunEvaluation(const EvaluatedRun& run);

  // Call when the run starts or resumes, at the step of its state.
  void begin() { first_step_ = run_.parts.state.step; }

  void validate();
  // Synthesises and plots the samples that are triggered.
  void sample(const Triggers& triggers);

  // Synthesises the evaluation sentences and runs the judge. A judge that fails is logged, and the
  // evaluation counts as done. An interrupt leaves the evaluation to the next start.
  void evaluate();

  // Returns true if this start has trained and its last step has not been judged.
  bool is_final_evaluation_due() const;

  // Validates and samples the last step whatever the intervals are. The state does not record it,
  // so that a resumed run equals one that never stopped.
  void finish();

 private:
  const EvaluatedRun run_;
  Validation validation_;
  // Read once, so that all evaluations of a run use the same sentences.
  const std::vector<synthesis::ListedSentence> sentences_;
  std::set<std::size_t> unreadable_;  // utterances without samples
  std::int64_t first_step_ = 0;       // of this start
};

}  // namespace myxtts::train
