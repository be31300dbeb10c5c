#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <torch/types.h>

#include "audio/mel_spec.h"
#include "model/acoustic_model_torch.h"
#include "speak/external_judge.h"
#include "speak/sentence_list.h"
#include "speak/synthesis_settings.h"
#include "step/flat_optimizer_torch.h"
#include "text/front_end.h"

namespace xtts::train {

// Who speaks; all borrowed.
struct EvaluatedVoice {
  model::AcousticModel& model;
  const step::FlatOptimizer& optimizer;
  text::FrontEnd& front_end;
  const audio::MelSpec& contract;
  const torch::Tensor voice;  // [V]
  const speak::SynthesisSettings settings;
};

struct EvaluationResult {
  speak::Judgement answer;
  std::size_t num_unspoken = 0;  // sentences that cannot be spoken
};

// Speaks the sentences with the averaged weights into `folder` (0001.wav and so on, sentences.txt),
// in place of what an evaluation left there before, and asks the judge. Uses no random numbers of
// the training; the weights are afterwards as they were. `on_spoken` is told how many are done.
// Throws UserError if the judge gives no answer or a file cannot be written, base::Interrupted soon
// after a signal.
EvaluationResult evaluate(const EvaluatedVoice& voice,
                          const std::vector<speak::ListedSentence>& sentences,
                          const std::string& judge,
                          const std::filesystem::path& folder,
                          const std::function<void(std::size_t)>& on_spoken);

}  // namespace xtts::train
