#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include <torch/types.h>

#include "data/mel_extractor.h"
#include "data/mel_torch.h"

namespace myxtts::data {

// Computes mels with TorchMel, for a data lane on a GPU. Each call uses a stream and pinned host
// memory of its own, both reused later, and blocks until the mel is copied back. It also runs on
// the CPU, for tests; FastMel is faster there.
class TorchMelExtractor final : public MelExtractor {
 public:
  // Computes one mel to test the device. Throws UserError if this machine or build does not have
  // it, and LibTorch's error if it fails.
  TorchMelExtractor(const audio::MelSpec& spec, const torch::Device& device);
  ~TorchMelExtractor() override;

  const audio::MelSpec& spec() const override { return spec_; }
  void log_mel(std::span<const float> samples,
               MelScratch& scratch,
               std::span<float> out) const override;
  const std::string& name() const override { return name_; }

 private:
  // Stream and host memory of one call.
  struct Workspace;

  std::unique_ptr<Workspace> take_workspace() const;

  const audio::MelSpec spec_;
  const TorchMel mel_;
  const std::string name_;
  mutable std::mutex mutex_;                              // guards idle_
  mutable std::vector<std::unique_ptr<Workspace>> idle_;  // not in use
};

}  // namespace myxtts::data
