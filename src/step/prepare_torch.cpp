#include "step/prepare_torch.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <ATen/CPUGeneratorImpl.h>
#include <malloc.h>

#include "base/interrupt.h"

namespace xtts::step {
namespace {

constexpr float kLongGradient = 1e12F;  // each of it; the length of all is still a number

// What the optimiser changes, put back when it dies.
class UnchangedState {
 public:
  UnchangedState(model::ParameterSet& parameters, FlatOptimizer& optimizer) {
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
  }
  UnchangedState(const UnchangedState&) = delete;
  UnchangedState& operator=(const UnchangedState&) = delete;

 private:
  std::vector<torch::Tensor> tensors_;
  std::vector<torch::Tensor> copies_;
};

}  // namespace

UnchangedGenerator::UnchangedGenerator()
    : state_(at::detail::getDefaultCPUGenerator().get_state()) {}

UnchangedGenerator::~UnchangedGenerator() {
  at::Generator generator = at::detail::getDefaultCPUGenerator();
  generator.set_state(state_);
}

pipeline::Batch example_batch(const pipeline::Signature& signature, const BatchFacts& facts) {
  pipeline::MicroBatch batch =
      pipeline::empty_batch(signature, facts.n_mels, facts.reference_frames, facts.mel_pad);
  // No utterance has more symbols than frames.
  std::ranges::fill(batch.text_lengths, std::min(signature.text, signature.mel));
  std::ranges::fill(batch.mel_lengths, signature.mel);
  pipeline::Batch update;
  update.counts = pipeline::counts_of(batch, /*crop_frames=*/0);
  update.micro_batches.push_back(std::move(batch));
  return update;
}

void prepare(TrainStep& step,
             PreparedRunner& runner,
             model::ParameterSet& parameters,
             FlatOptimizer& optimizer,
             std::span<const pipeline::Signature> signatures,
             const BatchFacts& facts) {
  const UnchangedGenerator unchanged_generator;
  StepReport report;
  for (const pipeline::Signature& signature : signatures) {
    if (base::pending_interrupt() != 0)
      break;  // there will be no step: whoever calls looks as well
    pipeline::Batch update = example_batch(signature, facts);
    report = step.accumulate(update, /*diagonal=*/1.0);
    step.validate(std::span(&update, 1));
    malloc_trim(0);  // or the heap keeps what only the recordings needed
  }
  {
    const UnchangedState unchanged(parameters, optimizer);
    // Silence may have a short gradient, and an update that is clipped asks for more memory.
    parameters.gradients().fill_(kLongGradient);
    step.finish(report, /*learning_rate=*/0.0);
  }
  malloc_trim(0);
  optimizer.zero_gradients();
  runner.freeze();
}

}  // namespace xtts::step
