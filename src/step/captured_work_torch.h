// Computation of the captured step for the acoustic model.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include <torch/types.h>

#include "config/training_config.h"
#include "data/signature.h"
#include "model/acoustic_model_torch.h"
#include "step/captured_step.h"
#include "step/device_update_torch.h"
#include "step/flat_optimizer_torch.h"
#include "step/graph_device.h"
#include "step/loss_parts_torch.h"

namespace myxtts::step {

// Opens a CUDA device for graph capture. Throws UserError if this machine or build has none.
std::unique_ptr<GraphDevice> open_graph_device(int device_index);

// Computation of CapturedStep for the acoustic model (a vocoder on a GPU trains eagerly), on the
// device of its parameters: the operators of TrainStep, with every number that changes between
// steps in a tensor. It also works on the CPU, where it is tested.
class CapturedWork : public StepWork {
 public:
  // Borrows model and optimiser. Each input slot can hold the largest signature of the plan.
  CapturedWork(model::AcousticModel& model,
               FlatOptimizer& optimizer,
               const config::TrainingConfig& training,
               torch::ScalarType type,
               std::span<const data::Signature> plan,
               std::int64_t reference_frames,
               std::size_t num_input_slots = CapturedStep::num_input_slots(1));

  void make_inputs(const data::Signature& signature) override;
  void fill_slot(std::size_t slot, const data::MicroBatch& batch) override;
  void consume_slot(std::size_t slot, const data::Signature& signature) override;
  void write_scalars(const StepScalars& scalars) override;
  void clear() override;
  void forward_backward(const data::Signature& signature) override;
  void set_gradients_to_nan() override;
  void update() override;
  void copy_report(std::size_t slot) override;
  StepReport read_report(std::size_t slot) override;

 private:
  struct StaticInputs {
    torch::Tensor memory;  // uint8
    model::Inputs inputs;  // views into `memory`
  };

  model::InputSizes sizes_of(const data::Signature& signature) const;

  model::AcousticModel& model_;
  DeviceUpdate update_;
  torch::ScalarType type_;
  std::vector<LossPart> parts_;  // P parts
  std::int64_t reference_frames_;
  std::map<data::Signature, StaticInputs> inputs_;
  std::vector<torch::Tensor> host_slots_;    // input slots: uint8 on the host, pinned
  std::vector<torch::Tensor> device_slots_;  // input slots: uint8 on the device
  torch::Tensor learning_rate_;              // [] float32
  torch::Tensor diagonal_;                   // [] float32
  torch::Tensor divisors_;                   // [P] float32
  torch::Tensor weights_;                    // [P] float32
  torch::Tensor reported_weights_;           // [P] float32: weights_, with 0 for adversarial parts
  torch::Tensor report_;                     // [P + 3] float64, see captured_work_torch.cpp
  std::array<torch::Tensor, kReportSlots> reported_;  // report slots on the host, pinned
};

// A captured step together with the device and work that it borrows. At most `num_staged`
// micro-batches are staged on the device.
struct CapturedRun {
  CapturedRun(std::unique_ptr<GraphDevice> graph_device,
              model::AcousticModel& model,
              FlatOptimizer& optimizer,
              const config::TrainingConfig& training,
              torch::ScalarType type,
              const std::vector<data::Signature>& plan,
              std::int64_t reference_frames,
              std::size_t num_staged = 1);

  std::unique_ptr<GraphDevice> device;
  CapturedWork work;
  CapturedStep step;
};

}  // namespace myxtts::step
