#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include <torch/types.h>

#include "pipeline/mel_extractor.h"
#include "pipeline/mel_torch.h"

namespace xtts::pipeline {

// Mels by TorchMel on a device: what a data lane on a GPU makes them with. Each thread that calls
// has a stream of its own there and pinned memory for the way to and fro, both used again later.
// It returns when the mel has come back. On the CPU it works as well, which is how it is tested;
// for use there FastMel is faster and takes no threads.
class TorchMelExtractor final : public MelExtractor {
 public:
  // Makes one mel, so that a device that does not work is known now: throws UserError if this
  // machine or build does not have it, and what LibTorch throws if it fails.
  TorchMelExtractor(const audio::MelSpec& contract, const torch::Device& device);
  ~TorchMelExtractor() override;

  const audio::MelSpec& contract() const override { return contract_; }
  void log_mel(std::span<const float> samples,
               MelScratch& scratch,
               std::span<float> out) const override;
  const std::string& name() const override { return name_; }

 private:
  // Where one thread works at a time.
  struct Place;

  std::unique_ptr<Place> take_place() const;

  const audio::MelSpec contract_;
  const TorchMel mel_;
  const std::string name_;
  mutable std::mutex mutex_;                            // of the next
  mutable std::vector<std::unique_ptr<Place>> places_;  // that nobody works at
};

}  // namespace xtts::pipeline
