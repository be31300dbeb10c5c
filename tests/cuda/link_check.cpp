// Links the CUDA library into a program, and on a machine with a GPU compares each kernel with its
// plain twin on the CPU, and the captured step with the eager one. Its verdict is its exit code.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <memory>
#include <vector>

#include <torch/cuda.h>
#include <torch/types.h>

#include "audio/mel.h"
#include "base/random.h"
#include "model/alignment.h"
#include "model/cuda_kernel_table.h"
#include "pipeline/cuda_library.h"
#include "pipeline/mel_extractor_torch.h"
#include "pipeline/mel_torch.h"
#include "step/acoustic_objective_torch.h"
#include "step/captured_step.h"
#include "step/captured_work_torch.h"
#include "step/graph_device_cuda.h"
#include "step/train_step_torch.h"

namespace {

using namespace xtts;

constexpr double kLargestDifference = 1e-4;  // log mel; both are float32 sums of some dozen terms
constexpr double kLargestMelDifference = 5e-3;  // of a whole mel to the plain one, in float64
// Of a loss, relative; the alignment may decide otherwise where sums are nearly equal.
constexpr double kLargestLossDifference = 1e-2;

bool log_mel_agrees() {
  torch::manual_seed(5);
  const audio::MelSpec contract;
  const pipeline::TorchMel plain(contract);
  const torch::Tensor spectrum = torch::randn({1000, contract.n_fft / 2 + 1}, torch::kComplexFloat);
  const torch::Tensor expected =
      pipeline::reference_log_mel(spectrum, plain.filters(), contract.mel_floor);

  const torch::Device device(torch::kCUDA);
  const pipeline::SparseFilters filters{plain.sparse_filters().first_bins.to(device),
                                        plain.sparse_filters().weights.to(device)};
  const torch::Tensor found =
      myxtts_cuda_kernels()->log_mel(spectrum.to(device), filters, contract.mel_floor).cpu();

  const double largest = (found - expected).abs().max().item<double>();
  std::printf(
      "log_mel: largest difference to its twin %.2e (at most %.0e)\n", largest, kLargestDifference);
  return largest <= kLargestDifference;
}

// What a data lane on a GPU makes its mels with, against the plain mel.
bool mel_maker_agrees() {
  const audio::MelSpec contract;
  const pipeline::TorchMelExtractor maker(contract, torch::Device(torch::kCUDA, 0));
  base::Random random(9);
  std::vector<float> samples(3 * 22050);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double tone = std::sin(0.05 * static_cast<double>(i));
    samples[i] = static_cast<float>(0.3 * tone + 0.05 * (random.unit() - 0.5));
  }
  const audio::Mel expected = audio::ReferenceMel(contract).log_mel(samples);
  std::vector<float> found(expected.values.size());
  pipeline::MelScratch scratch;
  double largest = 0.0;
  for (int turn = 0; turn < 2; ++turn) {  // the second time with memory and stream of the first
    maker.log_mel(samples, scratch, found);
    for (std::size_t i = 0; i < found.size(); ++i)
      largest = std::max(largest, std::abs(double{found[i]} - expected.values[i]));
  }
  std::printf("mels of a data lane (%s): largest difference to the plain mel %.2e (at most %.0e)\n",
              maker.name().c_str(),
              largest,
              kLargestMelDifference);
  return largest <= kLargestMelDifference;
}

// Rows of every kind, with scores of few values so that many paths are equal.
bool align_agrees() {
  torch::manual_seed(6);
  constexpr std::int64_t kFrames = 300;
  constexpr std::int64_t kSymbols = 70;
  const std::vector<std::int64_t> symbols = {70, 1, 33, 0, 60, 64};
  const std::vector<std::int64_t> frames = {300, 40, 33, 0, 299, 128};
  const auto rows = static_cast<std::int64_t>(symbols.size());
  const torch::Tensor scores = torch::randn({rows, kFrames, kSymbols}).mul(2.0).round();
  torch::Tensor expected = torch::zeros({rows, kSymbols}, torch::kInt64);
  model::AlignmentScratch scratch;
  for (std::int64_t row = 0; row < rows; ++row) {
    const auto b = static_cast<std::size_t>(row);
    if (symbols[b] == 0) continue;
    model::align({scores[row].data_ptr<float>(), kFrames * kSymbols},
                 symbols[b],
                 frames[b],
                 kSymbols,
                 scratch,
                 {expected[row].data_ptr<std::int64_t>(), kSymbols});
  }

  const torch::Device device(torch::kCUDA);
  const torch::Tensor found = myxtts_cuda_model_kernels()
                                  ->align(scores.to(device),
                                          torch::tensor(symbols, torch::kInt64).to(device),
                                          torch::tensor(frames, torch::kInt64).to(device))
                                  .cpu();
  const bool same = found.equal(expected);
  std::printf("align: %s its twin's durations\n", same ? "exactly" : "NOT");
  return same;
}

config::ModelConfig small_model() {
  config::ModelConfig config;
  config.text_encoder_dim = 32;
  config.text_encoder_layers = 1;
  config.text_encoder_conv_layers = 1;
  config.text_encoder_heads = 2;
  config.audio_encoder_layers = 1;
  config.decoder_dim = 48;
  config.decoder_layers = 2;
  config.dropout_rate = 0.0;
  return config;
}

pipeline::Batch random_update(const pipeline::Signature& signature, int n_mels, int seed) {
  base::Random random(static_cast<std::uint64_t>(seed));
  pipeline::Batch update;
  for (int i = 0; i < 1 + seed % 2; ++i) {
    pipeline::MicroBatch batch = pipeline::empty_batch(signature, n_mels, 20, -11.5F);
    for (float& value : batch.mel)
      value = static_cast<float>(random.unit()) * 6.0F - 8.0F;
    for (std::int64_t& symbol : batch.text)
      symbol = 1 + static_cast<std::int64_t>(random.below(11));
    for (std::size_t row = 0; row < batch.ids.size(); ++row) {
      batch.text_lengths[row] = signature.text - static_cast<std::int64_t>(row);
      batch.mel_lengths[row] = signature.mel - 2 * static_cast<std::int64_t>(row);
    }
    update.counts += pipeline::counts_of(batch, small_model().decoder_crop_frames);
    update.micro_batches.push_back(std::move(batch));
  }
  return update;
}

bool captured_step_agrees() {
  const config::ModelConfig config = small_model();
  const config::TrainingConfig training;
  const std::vector<pipeline::Signature> plan = {{.batch = 3, .text = 9, .mel = 40},
                                                 {.batch = 2, .text = 14, .mel = 72}};
  model::AcousticModel plain(config, 12, 2);
  step::FlatOptimizer plain_optimizer(plain.parameters(), training);
  const step::AcousticObjective objective(plain, training);
  step::TrainStep eager(objective, plain_optimizer, torch::kFloat32);
  model::AcousticModel other(config, 12, 2);
  other.parameters().move_to(torch::Device(torch::kCUDA, 0));
  step::FlatOptimizer optimizer(other.parameters(), training);
  const std::unique_ptr<step::GraphDevice> device = step::open_graph_device(0);
  constexpr std::size_t kStaged = 3;
  step::CapturedWork work(other,
                          optimizer,
                          training,
                          torch::kFloat32,
                          plan,
                          20,
                          step::CapturedStep::num_input_slots(kStaged));
  step::CapturedStep captured(*device, work, plan, kStaged);

  double largest = 0.0;
  std::vector<double> losses;
  const auto compare = [&](const std::optional<step::LateReport>& late) {
    if (!late) return;
    const double expected = losses.at(static_cast<std::size_t>(late->step));
    largest = std::max(largest, std::abs(late->report.loss - expected) / std::abs(expected));
  };
  std::vector<pipeline::Batch> updates;
  for (int i = 0; i < 8; ++i)
    updates.push_back(random_update(plan[static_cast<std::size_t>(i % 2)], config.n_mels, i));
  for (const pipeline::Batch& update : updates)
    captured.stage_ahead(update);
  for (std::size_t i = 0; i < updates.size(); ++i) {
    losses.push_back(eager.run(updates[i], 1e-3, 1.0).loss);
    compare(captured.run(updates[i], static_cast<std::int64_t>(i), 1e-3, 1.0));
  }
  compare(captured.flush());
  for (const step::CaptureFailure& failure : captured.failures())
    std::printf(
        "captured step: %s was not captured: %s\n", failure.what.c_str(), failure.reason.c_str());
  std::printf("captured step: largest difference of a loss to the eager step %.2e (at most %.0e)\n",
              largest,
              kLargestLossDifference);
  return captured.failures().empty() && largest <= kLargestLossDifference;
}

}  // namespace

int main() try {
  if (myxtts_cuda_kernels()->log_mel == nullptr || myxtts_cuda_model_kernels()->align == nullptr) {
    return 1;
  }
  if (!torch::cuda::is_available()) {
    std::printf(
        "no CUDA device here: compiled and linked; log_mel, mels of a data lane, align and the "
        "captured step are untried\n");
    return 0;
  }
  const bool kernel = log_mel_agrees();
  const bool mel = mel_maker_agrees();
  const bool alignment = align_agrees();
  const bool step = captured_step_agrees();
  return kernel && mel && alignment && step ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
