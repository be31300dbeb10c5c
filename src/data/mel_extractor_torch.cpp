#include "data/mel_extractor_torch.h"

#include <algorithm>
#include <array>

#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <fmt/format.h>
#include <torch/version.h>

#include "base/error.h"
#include "data/cuda_library.h"

namespace myxtts::data {
namespace {

// Another LibTorch release or GPU may round differently. Increment the number when the rounding of
// TorchMel changes.
std::string torch_name(const torch::Device& device) {
  return fmt::format("torch 1 {} {}, processor {}",
                     TORCH_VERSION,
                     device.is_cuda() ? mel_kernels().device_name(device.index()) : "cpu",
                     rounding_of_processor());
}

torch::Tensor host_floats(std::int64_t count, bool pinned) {
  return torch::empty({count}, torch::TensorOptions(torch::kFloat32).pinned_memory(pinned));
}

}  // namespace

struct TorchMelExtractor::Workspace {
  explicit Workspace(const torch::Device& device)
      : stream(c10::impl::VirtualGuardImpl(device.type()).getNewStream(device)),
        is_pinned(device.is_cuda()),
        sent(host_floats(0, is_pinned)),
        received(host_floats(0, is_pinned)) {}

  // Discards the contents.
  void grow(torch::Tensor& memory, std::int64_t count) const {
    if (memory.numel() >= count) return;
    memory = host_floats(std::max(count, 2 * memory.numel()), is_pinned);
  }

  void log_mel(const TorchMel& mel, std::span<const float> samples, std::span<float> out) {
    const c10::StreamGuard on_stream(stream);
    const auto num_samples = static_cast<std::int64_t>(samples.size());
    const auto num_values = static_cast<std::int64_t>(out.size());
    grow(sent, num_samples);
    grow(received, num_values);
    std::ranges::copy(samples, sent.mutable_data_ptr<float>());
    const torch::Tensor on_device =
        sent.narrow(0, 0, num_samples).to(mel.device(), /*non_blocking=*/true);
    const torch::Tensor values = mel.log_mel(on_device);
    invariant(values.numel() == num_values,
              "the number of frames follows from the number of samples");
    received.narrow(0, 0, num_values).copy_(values.view({-1}), /*non_blocking=*/true);
    stream.synchronize();
    const float* back = received.const_data_ptr<float>();
    std::copy(back, back + num_values, out.begin());
  }

  c10::Stream stream;
  bool is_pinned;
  torch::Tensor sent;      // float32 on the host
  torch::Tensor received;  // float32 on the host
};

TorchMelExtractor::TorchMelExtractor(const audio::MelSpec& spec, const torch::Device& device)
    : spec_(spec), mel_(spec, device), name_(torch_name(device)) {
  const std::array<float, 1> samples = {0.0F};
  std::vector<float> mel(
      static_cast<std::size_t>(audio::num_frames(spec, samples.size()) * spec.n_mels));
  MelScratch scratch;
  log_mel(samples, scratch, mel);
}

TorchMelExtractor::~TorchMelExtractor() = default;

std::unique_ptr<TorchMelExtractor::Workspace> TorchMelExtractor::take_workspace() const {
  const std::scoped_lock lock(mutex_);
  if (idle_.empty()) return std::make_unique<Workspace>(mel_.device());
  std::unique_ptr<Workspace> workspace = std::move(idle_.back());
  idle_.pop_back();
  return workspace;
}

// After an error the workspace is not reused: a copy to it may still be in progress.
void TorchMelExtractor::log_mel(std::span<const float> samples,
                                MelScratch& /*scratch*/,
                                std::span<float> out) const {
  std::unique_ptr<Workspace> workspace = take_workspace();
  workspace->log_mel(mel_, samples, out);
  const std::scoped_lock lock(mutex_);
  idle_.push_back(std::move(workspace));
}

}  // namespace myxtts::data
