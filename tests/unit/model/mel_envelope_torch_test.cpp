#include "model/mel_envelope_torch.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "audio/mel_filterbank.h"
#include "unit/model/small_model_torch.h"

namespace xtts::model {
namespace {

// Log-mel of one frame with these magnitudes.
torch::Tensor mel_of(const audio::MelSpec& contract, const std::vector<double>& magnitude) {
  std::vector<double> mel(static_cast<std::size_t>(contract.n_mels));
  audio::MelFilterbank(contract).apply(magnitude, mel);
  return torch::tensor(mel, torch::kFloat64).log().to(torch::kFloat32);
}

TEST(MelEnvelope, ALevelSpectrumIsFoundAgain) {
  const audio::MelSpec contract;
  const torch::Tensor mel = mel_of(contract, std::vector<double>(513, 0.25));

  const torch::Tensor found = MelEnvelope(contract)(mel);

  EXPECT_EQ(found.size(0), 513);
  EXPECT_LE((found - std::log(0.25)).abs().max().item<double>(), 1e-4);
}

TEST(MelEnvelope, ASlopeIsFoundAgainUpToTheLastChannel) {
  const audio::MelSpec contract;
  std::vector<double> magnitude;
  for (int bin = 0; bin < 513; ++bin)
    magnitude.push_back(std::exp(1.0 - 0.01 * bin));

  const torch::Tensor found = MelEnvelope(contract)(mel_of(contract, magnitude));

  const torch::Tensor wanted = torch::tensor(magnitude, torch::kFloat32).log();
  EXPECT_LE((found - wanted).narrow(0, 3, 360).abs().max().item<double>(), 0.05);
  // 8 kHz are at bin 371.
  EXPECT_NEAR(found[512].item<double>(), found[372].item<double>(), 1e-6);
}

}  // namespace
}  // namespace xtts::model
