// Links the CUDA library into a program. On a machine with a GPU it compares each kernel with its
// reference implementation on the CPU, and the captured step with the eager one. Exit code 0: all
// agree.

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
#include "data/cuda_library.h"
#include "data/mel_extractor_torch.h"
#include "data/mel_torch.h"
#include "model/alignment.h"
#include "model/alignment_kernels.h"
#include "step/acoustic_objective_torch.h"
#include "step/captured_step.h"
#include "step/captured_work_torch.h"
#include "step/graph_device_cuda.h"
#include "step/train_step_torch.h"

namespace {

using namespace myxtts;

constexpr double kLargestDifference = 1e-4;  // log mel; both are float32 sums of some dozen terms
constexpr double kLargestMelDifference = 5e-3;  // of a mel to the float64 reference
// Relative difference of a loss; alignments may differ where scores are nearly equal.
constexpr double kLargestLossDifference = 1e-2;

bool log_mel_agrees() {
  torch::manual_seed(5);
  const audio::MelSpec spec;
  const data::TorchMel reference(spec);
  const torch::Tensor spectrum = torch::randn({1000, spec.n_fft / 2 + 1}, torch::kComplexFloat);
  const torch::Tensor expected =
      data::reference_log_mel(spectrum, reference.filters(), spec.mel_floor);

  const torch::Device device(torch::kCUDA);
  const data::SparseFilters filters{reference.sparse_filters().first_bins.to(device),
                                    reference.sparse_filters().weights.to(device)};
  const torch::Tensor found =
      myxtts_cuda_mel_kernels()->log_mel(spectrum.to(device), filters, spec.mel_floor).cpu();

  const double largest = (found - expected).abs().max().item<double>();
  std::printf("log_mel: largest difference to the reference %.2e (at most %.0e)\n",
              largest,
              kLargestDifference);
  return largest <= kLargestDifference;
}

// Compares the mel extractor of a data lane on a GPU with the reference mel.
bool mel_extractor_agrees() {
  const audio::MelSpec spec;
  const data::TorchMelExtractor extractor(spec, torch::Device(torch::kCUDA, 0));
  base::Random random(9);
  std::vector<float> samples(3 * 22050);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double tone = std::sin(0.05 * static_cast<double>(i));
    samples[i] = static_cast<float>(0.3 * tone + 0.05 * (random.unit() - 0.5));
  }
  const audio::Mel expected = audio::ReferenceMel(spec).log_mel(samples);
  std::vector<float> found(expected.values.size());
  data::MelScratch scratch;
  double largest = 0.0;
  for (int round = 0; round < 2; ++round) {  // the second one reuses memory and stream
    extractor.log_mel(samples, scratch, found);
    for (std::size_t i = 0; i < found.size(); ++i)
      largest = std::max(largest, std::abs(double{found[i]} - expected.values[i]));
  }
  std::printf("mels of a data lane (%s): largest difference to the reference %.2e (at most %.0e)\n",
              extractor.name().c_str(),
              largest,
              kLargestMelDifference);
  return largest <= kLargestMelDifference;
}

// Compares rows of every kind; scores have few values, so that there are many ties.
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
  const torch::Tensor found = myxtts_cuda_alignment_kernels()
                                  ->align(scores.to(device),
                                          torch::tensor(symbols, torch::kInt64).to(device),
                                          torch::tensor(frames, torch::kInt64).to(device))
                                  .cpu();
  const bool same = found.equal(expected);
  std::printf("align: durations %s the reference\n", same ? "equal" : "DIFFER from");
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

data::Batch random_batch(const data::Signature& signature, int n_mels, int seed) {
  base::Random random(static_cast<std::uint64_t>(seed));
  data::Batch batch;
  for (int i = 0; i < 1 + seed % 2; ++i) {
    data::MicroBatch micro_batch = data::empty_micro_batch(signature, n_mels, 20, -11.5F);
    for (float& value : micro_batch.mel)
      value = static_cast<float>(random.unit()) * 6.0F - 8.0F;
    for (std::int64_t& symbol : micro_batch.text)
      symbol = 1 + static_cast<std::int64_t>(random.below(11));
    for (std::size_t row = 0; row < micro_batch.ids.size(); ++row) {
      micro_batch.text_lengths[row] = signature.text - static_cast<std::int64_t>(row);
      micro_batch.mel_lengths[row] = signature.mel - 2 * static_cast<std::int64_t>(row);
    }
    batch.counts += data::counts_of(micro_batch, small_model().decoder_crop_frames);
    batch.micro_batches.push_back(std::move(micro_batch));
  }
  return batch;
}

bool captured_step_agrees() {
  const config::ModelConfig config = small_model();
  const config::TrainingConfig training;
  const std::vector<data::Signature> plan = {{.batch = 3, .text = 9, .mel = 40},
                                             {.batch = 2, .text = 14, .mel = 72}};
  model::AcousticModel cpu_model(config, 12, 2);
  step::FlatOptimizer eager_optimizer(cpu_model.parameters(), training);
  const step::AcousticObjective objective(cpu_model, training);
  step::TrainStep eager(objective, eager_optimizer, torch::kFloat32);
  model::AcousticModel gpu_model(config, 12, 2);
  gpu_model.parameters().move_to(torch::Device(torch::kCUDA, 0));
  step::FlatOptimizer optimizer(gpu_model.parameters(), training);
  const std::unique_ptr<step::GraphDevice> device = step::open_graph_device(0);
  constexpr std::size_t kStaged = 3;
  step::CapturedWork work(gpu_model,
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
  std::vector<data::Batch> batches;
  for (int i = 0; i < 8; ++i)
    batches.push_back(random_batch(plan[static_cast<std::size_t>(i % 2)], config.n_mels, i));
  for (const data::Batch& batch : batches)
    captured.stage_ahead(batch);
  for (std::size_t i = 0; i < batches.size(); ++i) {
    losses.push_back(eager.run(batches[i], 1e-3, 1.0).loss);
    compare(captured.run(batches[i], static_cast<std::int64_t>(i), 1e-3, 1.0));
  }
  compare(captured.flush());
  for (const step::FailedCapture& failure : captured.failures())
    std::printf(
        "captured step: capture of %s failed: %s\n", failure.what.c_str(), failure.reason.c_str());
  std::printf("captured step: largest loss difference to the eager step %.2e (at most %.0e)\n",
              largest,
              kLargestLossDifference);
  return captured.failures().empty() && largest <= kLargestLossDifference;
}

}  // namespace

int main() try {
  if (myxtts_cuda_mel_kernels()->log_mel == nullptr ||
      myxtts_cuda_alignment_kernels()->align == nullptr) {
    return 1;
  }
  if (!torch::cuda::is_available()) {
    std::printf(
        "no CUDA device found: compiled and linked; log_mel, mels of a data lane, align and the "
        "captured step were not run\n");
    return 0;
  }
  const bool kernel = log_mel_agrees();
  const bool mel = mel_extractor_agrees();
  const bool alignment = align_agrees();
  const bool step = captured_step_agrees();
  return kernel && mel && alignment && step ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
