#include "step/prepare_torch.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <ATen/CPUGeneratorImpl.h>
#include <malloc.h>

#include "base/interrupt.h"

namespace myxtts::step {
namespace {

constexpr float kLargeGradient = 1e12F;  // per element; the norm is still finite

// Restores weights and optimiser state on destruction.
class OptimizerStateGuard {
 public:
  OptimizerStateGuard(model::ParameterSet& parameters, FlatOptimizer& optimizer) {
    for (const torch::Tensor& tensor : {parameters.values(),
                                        optimizer.first_moment,
                                        optimizer.second_moment,
                                        optimizer.count,
                                        optimizer.ema}) {
      if (!tensor.defined()) continue;
      tensors_.push_back(tensor);
      copies_.push_back(tensor.detach().clone());
    }
  }
  ~OptimizerStateGuard() {
    const torch::NoGradGuard no_grad;
    for (std::size_t i = 0; i < tensors_.size(); ++i)
      tensors_[i].copy_(copies_[i]);
  }
  OptimizerStateGuard(const OptimizerStateGuard&) = delete;
  OptimizerStateGuard& operator=(const OptimizerStateGuard&) = delete;

 private:
  std::vector<torch::Tensor> tensors_;
  std::vector<torch::Tensor> copies_;
};

}  // namespace

CpuGeneratorGuard::CpuGeneratorGuard() : state_(at::detail::getDefaultCPUGenerator().get_state()) {}

CpuGeneratorGuard::~CpuGeneratorGuard() {
  at::Generator generator = at::detail::getDefaultCPUGenerator();
  generator.set_state(state_);
}

data::Batch example_batch(const data::Signature& signature, const BatchProperties& properties) {
  data::MicroBatch micro_batch = data::empty_micro_batch(
      signature, properties.n_mels, properties.reference_frames, properties.mel_pad);
  // No utterance has more symbols than frames.
  std::ranges::fill(micro_batch.text_lengths, std::min(signature.text, signature.mel));
  std::ranges::fill(micro_batch.mel_lengths, signature.mel);
  data::Batch batch;
  batch.counts = data::counts_of(micro_batch, /*crop_frames=*/0);
  batch.micro_batches.push_back(std::move(micro_batch));
  return batch;
}

void prepare(TrainStep& step,
             PreparedRunner& runner,
             model::ParameterSet& parameters,
             FlatOptimizer& optimizer,
             std::span<const data::Signature> signatures,
             const BatchProperties& properties) {
  const CpuGeneratorGuard unchanged_generator;
  StepReport report;
  for (const data::Signature& signature : signatures) {
    if (base::pending_interrupt() != 0) break;  // the caller checks it, too, and runs no step
    data::Batch batch = example_batch(signature, properties);
    report = step.accumulate(batch, /*diagonal=*/1.0);
    step.validate(std::span(&batch, 1));
    malloc_trim(0);  // returns heap memory that only the recording needed
  }
  {
    const OptimizerStateGuard unchanged(parameters, optimizer);
    // Forces clipping: a clipped update requests more memory, and silence may have a small
    // gradient.
    parameters.gradients().fill_(kLargeGradient);
    step.finish(report, /*learning_rate=*/0.0);
  }
  malloc_trim(0);
  optimizer.zero_gradients();
  runner.freeze();
}

}  // namespace myxtts::step
