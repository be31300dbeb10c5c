#pragma once

#include <array>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include <torch/types.h>

#include "config/training_config.h"
#include "model/acoustic_model_torch.h"
#include "pipeline/signature.h"
#include "step/captured_step.h"
#include "step/device_update_torch.h"
#include "step/flat_optimizer_torch.h"
#include "step/graph_device.h"
#include "step/loss_parts_torch.h"

namespace xtts::step {

// The streams and graphs of a CUDA device. Throws UserError if this machine or build has none.
std::unique_ptr<GraphDevice> open_graph_device(int device_index);

// The mathematics of CapturedStep by the acoustic model (a vocoder on a GPU steps eagerly), on the
// device where its parameters are: the operators of TrainStep, with every number that changes from
// update to update in a tensor. On the CPU it works as well, which is how it is tested.
class CapturedWork : public StepWork {
 public:
  // Borrows model and optimiser. Each input slot has memory for the largest signature of the plan.
  CapturedWork(model::AcousticModel& model,
               FlatOptimizer& optimizer,
               const config::TrainingConfig& training,
               torch::ScalarType type,
               std::span<const pipeline::Signature> plan,
               std::int64_t reference_frames,
               std::size_t num_input_slots = CapturedStep::num_input_slots(1));

  void make_inputs(const pipeline::Signature& signature) override;
  void fill_slot(std::size_t slot, const pipeline::MicroBatch& batch) override;
  void empty_slot(std::size_t slot, const pipeline::Signature& signature) override;
  void write_numbers(const UpdateNumbers& numbers) override;
  void clear() override;
  void forward_backward(const pipeline::Signature& signature) override;
  void spoil_gradients() override;
  void update() override;
  void copy_report(std::size_t slot) override;
  StepReport read_report(std::size_t slot) override;

 private:
  struct StaticInputs {
    torch::Tensor memory;  // uint8
    model::Inputs inputs;  // views into it
  };

  model::InputSizes sizes_of(const pipeline::Signature& signature) const;

  model::AcousticModel& model_;
  DeviceUpdate update_;
  torch::ScalarType type_;
  std::vector<LossPart> parts_;  // that this run has
  std::int64_t reference_frames_;
  std::map<pipeline::Signature, StaticInputs> inputs_;
  std::vector<torch::Tensor> sent_;     // of each slot: uint8 on the host, pinned
  std::vector<torch::Tensor> arrived_;  // uint8 on the device
  torch::Tensor learning_rate_;         // [] float32
  torch::Tensor diagonal_;              // [] float32
  torch::Tensor divisors_;              // [P] float32: what each part is divided by
  torch::Tensor weights_;               // [P] float32
  torch::Tensor reported_weights_;      // [P] float32: the same, 0 for the contest
  torch::Tensor report_;                // [P + 3] float64, see captured_work_torch.cpp
  std::array<torch::Tensor, kReportSlots> reported_;  // the same on the host, pinned
};

// A captured step with all that it borrows. At most `num_staged` micro-batches wait on the device.
struct CapturedRun {
  CapturedRun(std::unique_ptr<GraphDevice> its_device,
              model::AcousticModel& model,
              FlatOptimizer& optimizer,
              const config::TrainingConfig& training,
              torch::ScalarType type,
              const std::vector<pipeline::Signature>& plan,
              std::int64_t reference_frames,
              std::size_t num_staged = 1);

  std::unique_ptr<GraphDevice> device;
  CapturedWork work;
  CapturedStep step;
};

}  // namespace xtts::step
