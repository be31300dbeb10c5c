// P is the number of loss_parts() that the model has. A report is [P + 3]: the P parts, the loss,
// the gradient norm, and 1 if the update was rejected.
#include "step/captured_work_torch.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "data/cuda_library.h"
#include "step/graph_device_cuda.h"

namespace myxtts::step {
namespace {

// Elements of a report after its parts.
constexpr std::int64_t kLoss = 0;
constexpr std::int64_t kGradNorm = 1;
constexpr std::int64_t kRejected = 2;
constexpr std::int64_t kNumAfterParts = 3;

// Returns the loss parts of a model.
std::vector<LossPart> parts_of(const config::ModelConfig& model) {
  std::vector<LossPart> parts;
  for (const LossPart& part : loss_parts()) {
    if (part.sum == &model::LossSums::energy && !model.use_energy_predictor) continue;
    if (part.is_adversarial && !config::has_mel_discriminator(model)) continue;
    parts.push_back(part);
  }
  return parts;
}

std::span<std::byte> bytes_of(const torch::Tensor& memory) {
  return {reinterpret_cast<std::byte*>(memory.mutable_data_ptr<std::uint8_t>()), memory.nbytes()};
}

}  // namespace

std::unique_ptr<GraphDevice> open_graph_device(int device_index) {
  using Entry = decltype(&myxtts_cuda_graph_device);
  const auto open = reinterpret_cast<Entry>(data::cuda_symbol("myxtts_cuda_graph_device"));
  return std::unique_ptr<GraphDevice>(open(device_index));
}

CapturedWork::CapturedWork(model::AcousticModel& model,
                           FlatOptimizer& optimizer,
                           const config::TrainingConfig& training,
                           torch::ScalarType type,
                           std::span<const data::Signature> plan,
                           std::int64_t reference_frames,
                           std::size_t num_input_slots)
    : model_(model),
      update_(model.parameters(), optimizer, training),
      type_(type),
      parts_(parts_of(model.config())),
      reference_frames_(reference_frames) {
  const torch::TensorOptions here = model.parameters().values().options();
  const bool pinned = here.device().is_cuda();
  std::int64_t largest = 0;
  for (const data::Signature& signature : plan)
    largest = std::max(largest, model::packed_bytes(sizes_of(signature)));
  for (std::size_t slot = 0; slot < num_input_slots; ++slot) {
    host_slots_.push_back(
        torch::empty({largest}, torch::TensorOptions(torch::kUInt8).pinned_memory(pinned)));
    device_slots_.push_back(torch::empty({largest}, here.dtype(torch::kUInt8)));
  }

  std::vector<double> weights;
  std::vector<double> reported;
  for (const LossPart& part : parts_) {
    weights.push_back(part.weight(training));
    reported.push_back(part.is_adversarial ? 0.0 : weights.back());
  }
  const std::int64_t num_parts = std::ssize(parts_);
  weights_ = torch::tensor(weights, torch::kFloat32).to(here.device());
  reported_weights_ = torch::tensor(reported, torch::kFloat32).to(here.device());
  divisors_ = torch::ones({num_parts}, here);
  learning_rate_ = torch::zeros({}, here);
  diagonal_ = torch::zeros({}, here);
  report_ = torch::zeros({num_parts + kNumAfterParts}, here.dtype(torch::kFloat64));
  for (torch::Tensor& slot : reported_) {
    slot =
        torch::zeros(report_.sizes(), torch::TensorOptions(torch::kFloat64).pinned_memory(pinned));
  }
}

model::InputSizes CapturedWork::sizes_of(const data::Signature& signature) const {
  return {.signature = signature,
          .n_mels = model_.config().n_mels,
          .reference_frames = reference_frames_};
}

void CapturedWork::make_inputs(const data::Signature& signature) {
  const model::InputSizes sizes = sizes_of(signature);
  StaticInputs created;
  created.memory = torch::zeros({model::packed_bytes(sizes)}, device_slots_[0].options());
  created.inputs = model::unpacked(created.memory, sizes);
  inputs_[signature] = created;
}

void CapturedWork::fill_slot(std::size_t slot, const data::MicroBatch& batch) {
  invariant(batch.n_mels == model_.config().n_mels && batch.reference_frames == reference_frames_,
            "the micro-batch has the mel channels and reference frames of the model");
  const std::int64_t bytes = model::packed_bytes(sizes_of(batch.signature));
  model::pack(batch, bytes_of(host_slots_[slot]));
  device_slots_[slot]
      .narrow(0, 0, bytes)
      .copy_(host_slots_[slot].narrow(0, 0, bytes), /*non_blocking=*/true);
}

void CapturedWork::consume_slot(std::size_t slot, const data::Signature& signature) {
  torch::Tensor& memory = inputs_.at(signature).memory;
  memory.copy_(device_slots_[slot].narrow(0, 0, memory.numel()), /*non_blocking=*/true);
}

// fill_() passes the number as a kernel argument, so no host memory has to stay unchanged.
void CapturedWork::write_scalars(const StepScalars& scalars) {
  learning_rate_.fill_(scalars.learning_rate);
  diagonal_.fill_(scalars.diagonal);
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    divisors_[static_cast<std::int64_t>(i)].fill_(
        divisor_of(parts_[i], scalars.counts, model_.config().n_mels));
  }
}

void CapturedWork::clear() {
  model_.parameters().gradients().zero_();
  report_.zero_();
}

void CapturedWork::forward_backward(const data::Signature& signature) {
  const model::ForwardResult result = model_.forward(
      inputs_.at(signature).inputs, {.type = type_, .diagonal = model::DiagonalPrior(diagonal_)});
  std::vector<torch::Tensor> sums;
  for (const LossPart& part : parts_)
    sums.push_back(result.sums.*part.sum);
  const torch::Tensor parts = at::stack(sums) / divisors_;
  (parts * weights_).sum().backward();
  report_.narrow(0, 0, parts.numel()).add_(parts.detach());
  report_[parts.numel() + kLoss].add_((parts.detach() * reported_weights_).sum());
}

void CapturedWork::set_gradients_to_nan() {
  model_.parameters().gradients().fill_(std::numeric_limits<float>::quiet_NaN());
}

void CapturedWork::update() {
  const std::int64_t parts = divisors_.numel();
  const DeviceUpdate::Result result = update_.run(learning_rate_, report_[parts + kLoss]);
  report_[parts + kGradNorm].copy_(result.grad_norm);
  report_[parts + kRejected].copy_(result.rejected);
}

void CapturedWork::copy_report(std::size_t slot) {
  reported_[slot].copy_(report_, /*non_blocking=*/true);
}

StepReport CapturedWork::read_report(std::size_t slot) {
  const double* values = reported_[slot].const_data_ptr<double>();
  const double* after_parts = values + parts_.size();
  StepReport report{.loss = after_parts[kLoss], .grad_norm = after_parts[kGradNorm]};
  for (std::size_t i = 0; i < parts_.size(); ++i)
    report.parts.emplace_back(parts_[i].name, values[i]);
  if (after_parts[kRejected] != 0.0)
    report.not_finite = std::isfinite(report.loss) ? "gradient" : "loss";
  return report;
}

CapturedRun::CapturedRun(std::unique_ptr<GraphDevice> graph_device,
                         model::AcousticModel& model,
                         FlatOptimizer& optimizer,
                         const config::TrainingConfig& training,
                         torch::ScalarType type,
                         const std::vector<data::Signature>& plan,
                         std::int64_t reference_frames,
                         std::size_t num_staged)
    : device(std::move(graph_device)),
      work(model,
           optimizer,
           training,
           type,
           plan,
           reference_frames,
           CapturedStep::num_input_slots(num_staged)),
      step(*device, work, plan, num_staged) {}

}  // namespace myxtts::step
