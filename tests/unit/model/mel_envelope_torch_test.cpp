#include "model/mel_envelope_torch.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "audio/mel_filterbank.h"
#include "unit/model/small_model_torch.h"

namespace myxtts::model {
namespace {

// Returns the log-mel of one frame with these magnitudes.
torch::Tensor mel_of(const audio::MelSpec& spec, const std::vector<double>& magnitude) {
  std::vector<double> mel(static_cast<std::size_t>(spec.n_mels));
  audio::MelFilterbank(spec).apply(magnitude, mel);
  return torch::tensor(mel, torch::kFloat64).log().to(torch::kFloat32);
}

TEST(MelEnvelope, ReconstructsAFlatSpectrum) {
  const audio::MelSpec spec;
  const torch::Tensor mel = mel_of(spec, std::vector<double>(513, 0.25));

  const torch::Tensor found = MelEnvelope(spec)(mel);

  EXPECT_EQ(found.size(0), 513);
  EXPECT_LE((found - std::log(0.25)).abs().max().item<double>(), 1e-4);
}

TEST(MelEnvelope, ReconstructsASlopeUpToTheLastChannel) {
  const audio::MelSpec spec;
  std::vector<double> magnitude;
  for (int bin = 0; bin < 513; ++bin)
    magnitude.push_back(std::exp(1.0 - 0.01 * bin));

  const torch::Tensor found = MelEnvelope(spec)(mel_of(spec, magnitude));

  const torch::Tensor expected = torch::tensor(magnitude, torch::kFloat32).log();
  EXPECT_LE((found - expected).narrow(0, 3, 360).abs().max().item<double>(), 0.05);
  // 8 kHz is at bin 371.
  EXPECT_NEAR(found[512].item<double>(), found[372].item<double>(), 1e-6);
}

}  // namespace
}  // namespace myxtts::model
