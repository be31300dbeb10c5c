#include "pipeline/mel_extractor_torch.h"

#include <algorithm>
#include <array>

#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <fmt/format.h>
#include <torch/version.h>

#include "base/error.h"
#include "pipeline/cuda_library.h"

namespace xtts::pipeline {
namespace {

// Transforms of another release or another GPU round otherwise. The number is to be raised when
// TorchMel begins to.
std::string torch_name(const torch::Device& device) {
  return fmt::format("torch 1 {} {}, processor {}",
                     TORCH_VERSION,
                     device.is_cuda() ? cuda_kernels().device_name(device.index()) : "cpu",
                     rounding_of_processor());
}

torch::Tensor floats_of_the_host(std::int64_t count, bool pinned) {
  return torch::empty({count}, torch::TensorOptions(torch::kFloat32).pinned_memory(pinned));
}

}  // namespace

struct TorchMelExtractor::Place {
  explicit Place(const torch::Device& device)
      : stream(c10::impl::VirtualGuardImpl(device.type()).getNewStream(device)),
        is_pinned(device.is_cuda()),
        sent(floats_of_the_host(0, is_pinned)),
        received(floats_of_the_host(0, is_pinned)) {}

  // What was in it is lost.
  void grow(torch::Tensor& memory, std::int64_t count) const {
    if (memory.numel() >= count) return;
    memory = floats_of_the_host(std::max(count, 2 * memory.numel()), is_pinned);
  }

  void log_mel(const TorchMel& mel, std::span<const float> samples, std::span<float> out) {
    const c10::StreamGuard on_stream(stream);
    const auto num_samples = static_cast<std::int64_t>(samples.size());
    const auto num_values = static_cast<std::int64_t>(out.size());
    grow(sent, num_samples);
    grow(received, num_values);
    std::ranges::copy(samples, sent.mutable_data_ptr<float>());
    const torch::Tensor there =
        sent.narrow(0, 0, num_samples).to(mel.device(), /*non_blocking=*/true);
    const torch::Tensor values = mel.log_mel(there);
    invariant(values.numel() == num_values, "a mel has the frames of its samples");
    received.narrow(0, 0, num_values).copy_(values.view({-1}), /*non_blocking=*/true);
    stream.synchronize();
    const float* back = received.const_data_ptr<float>();
    std::copy(back, back + num_values, out.begin());
  }

  c10::Stream stream;
  bool is_pinned;
  torch::Tensor sent;      // float32 on the host
  torch::Tensor received;  // the same
};

TorchMelExtractor::TorchMelExtractor(const audio::MelSpec& contract, const torch::Device& device)
    : contract_(contract), mel_(contract, device), name_(torch_name(device)) {
  const std::array<float, 1> samples = {0.0F};
  std::vector<float> mel(
      static_cast<std::size_t>(audio::num_frames(contract, samples.size()) * contract.n_mels));
  MelScratch scratch;
  log_mel(samples, scratch, mel);
}

TorchMelExtractor::~TorchMelExtractor() = default;

std::unique_ptr<TorchMelExtractor::Place> TorchMelExtractor::take_place() const {
  const std::scoped_lock lock(mutex_);
  if (places_.empty()) return std::make_unique<Place>(mel_.device());
  std::unique_ptr<Place> place = std::move(places_.back());
  places_.pop_back();
  return place;
}

// After an error the place is not used again: something may still be under way to it.
void TorchMelExtractor::log_mel(std::span<const float> samples,
                                MelScratch& /*scratch*/,
                                std::span<float> out) const {
  std::unique_ptr<Place> place = take_place();
  place->log_mel(mel_, samples, out);
  const std::scoped_lock lock(mutex_);
  places_.push_back(std::move(place));
}

}  // namespace xtts::pipeline
