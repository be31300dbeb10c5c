#include "step/prepare_torch.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <ATen/CPUGeneratorImpl.h>

namespace xtts::step {
namespace {

// Everything that an update changes, put back when it dies.
class UnchangedState {
 public:
  UnchangedState(model::ParameterSet& parameters, FlatOptimizer& optimizer)
      : generator_(at::detail::getDefaultCPUGenerator()), generator_state_(generator_.get_state()) {
    for (const torch::Tensor& tensor : {parameters.values(),
                                        optimizer.first_moment,
                                        optimizer.second_moment,
                                        optimizer.count,
                                        optimizer.average}) {
      if (!tensor.defined()) continue;
      tensors_.push_back(tensor);
      copies_.push_back(tensor.detach().clone());
    }
  }
  ~UnchangedState() {
    const torch::NoGradGuard no_grad;
    for (std::size_t i = 0; i < tensors_.size(); ++i)
      tensors_[i].copy_(copies_[i]);
    generator_.set_state(generator_state_);
  }
  UnchangedState(const UnchangedState&) = delete;
  UnchangedState& operator=(const UnchangedState&) = delete;

 private:
  at::Generator generator_;
  torch::Tensor generator_state_;
  std::vector<torch::Tensor> tensors_;
  std::vector<torch::Tensor> copies_;
};

}  // namespace

pipeline::Batch example_batch(const pipeline::Signature& signature, const BatchFacts& facts) {
  pipeline::Batch batch =
      pipeline::empty_batch(signature, facts.n_mels, facts.reference_frames, facts.mel_pad);
  // No utterance has more symbols than frames.
  std::ranges::fill(batch.text_lengths, std::min(signature.text, signature.mel));
  std::ranges::fill(batch.mel_lengths, signature.mel);
  return batch;
}

void prepare(TrainStep& step,
             PreparedRunner& runner,
             model::ParameterSet& parameters,
             FlatOptimizer& optimizer,
             std::span<const pipeline::Signature> signatures,
             const BatchFacts& facts) {
  {
    const UnchangedState unchanged(parameters, optimizer);
    for (const pipeline::Signature& signature : signatures) {
      pipeline::Update update;
      update.micro_batches.push_back(example_batch(signature, facts));
      update.counts = pipeline::counts_of(update.micro_batches.front(), /*crop_frames=*/0);
      step.run(update, /*learning_rate=*/0.0, /*diagonal=*/1.0);
      step.validate(std::span(&update, 1));
    }
  }
  optimizer.zero_gradients();
  runner.freeze();
}

}  // namespace xtts::step
