// Synthesises sentences during training and scores them with a judge.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <torch/types.h>

#include "audio/mel_spec.h"
#include "model/acoustic_model_torch.h"
#include "step/flat_optimizer_torch.h"
#include "synthesis/external_judge.h"
#include "synthesis/sentence_list.h"
#include "synthesis/synthesis_settings.h"
#include "text/front_end.h"

namespace myxtts::train {

// The model and the settings of an evaluation; references are borrowed.
struct EvaluatedVoice {
  model::AcousticModel& model;
  const step::FlatOptimizer& optimizer;
  text::FrontEnd& front_end;
  const audio::MelSpec& mel_spec;
  const torch::Tensor embedding;  // [V]
  const synthesis::SynthesisSettings settings;
};

struct EvaluationResult {
  synthesis::Judgement judgement;
  std::size_t num_unspoken = 0;  // sentences that could not be synthesised
};

// Synthesises the sentences with the EMA weights into `folder` (0001.wav, ..., sentences.txt),
// which replaces the files of an earlier evaluation, and runs the judge. Restores the weights and
// does not use the random generator of the training. `on_progress` receives the number of finished
// sentences. Throws UserError if the judge fails or a file cannot be written, base::Interrupted
// soon after a signal.
EvaluationResult evaluate(const EvaluatedVoice& voice,
                          const std::vector<synthesis::ListedSentence>& sentences,
                          const std::string& judge,
                          const std::filesystem::path& folder,
                          const std::function<void(std::size_t)>& on_progress);

}  // namespace myxtts::train
