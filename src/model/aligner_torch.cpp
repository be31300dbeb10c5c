#include "model/aligner_torch.h"

#include <ATen/Parallel.h>
#include <ATen/record_function.h>

#include "data/cuda_library.h"
#include "model/alignment.h"
#include "model/alignment_kernels.h"

namespace myxtts::model {
namespace {

// Returns log N(mel; mean, 1) without the terms that are equal for all symbols, plus the diagonal
// prior: [B, M, T]. A prior of weight 0 is computed as well: it changes no bit, and the memory
// requests of a step stay the same after the prior has faded.
torch::Tensor scores_of(const torch::Tensor& means,
                        const torch::Tensor& mel,
                        const torch::Tensor& text_lengths,
                        const torch::Tensor& mel_lengths,
                        const DiagonalPrior& diagonal) {
  const torch::Tensor halves = means.square().sum(-1).mul(-0.5).unsqueeze(1);  // [B, 1, T]
  torch::Tensor scores = at::baddbmm(halves, mel, means.transpose(1, 2));
  const auto positions = [](const torch::Tensor& lengths, std::int64_t count) {
    const torch::Tensor index =
        at::arange(count, lengths.options().dtype(torch::kFloat32)).add(0.5).unsqueeze(0);
    return index / lengths.clamp_min(1).to(torch::kFloat32).unsqueeze(1);  // [B, count] in 0..1
  };
  const torch::Tensor distance = positions(mel_lengths, mel.size(1)).unsqueeze(2) -
                                 positions(text_lengths, means.size(1)).unsqueeze(1);
  const auto channels = static_cast<double>(mel.size(2));
  distance.square_();
  return scores.sub_(diagonal.on_device.defined() ? distance.mul_(diagonal.on_device * channels)
                                                  : distance.mul_(diagonal.weight * channels));
}

const AlignmentKernels& alignment_kernels() {
  using Entry = decltype(&myxtts_cuda_alignment_kernels);
  static const AlignmentKernels& kernels =
      *reinterpret_cast<Entry>(data::cuda_symbol("myxtts_cuda_alignment_kernels"))();
  return kernels;
}

}  // namespace

torch::Tensor search_durations(const torch::Tensor& means,
                               const torch::Tensor& mel,
                               const torch::Tensor& text_lengths,
                               const torch::Tensor& mel_lengths,
                               const DiagonalPrior& diagonal) {
  const torch::NoGradGuard no_grad;
  RECORD_FUNCTION("myxtts::search_durations", std::vector<c10::IValue>());
  const torch::Tensor scores = scores_of(means, mel, text_lengths, mel_lengths, diagonal);
  if (scores.is_cuda()) return alignment_kernels().align(scores, text_lengths, mel_lengths);
  const std::int64_t num_frames = mel.size(1);
  const std::int64_t num_symbols = means.size(1);
  torch::Tensor durations = torch::zeros({means.size(0), num_symbols}, torch::kInt64);
  const float* score = scores.data_ptr<float>();
  const std::int64_t* symbols = text_lengths.data_ptr<std::int64_t>();
  const std::int64_t* frames = mel_lengths.data_ptr<std::int64_t>();
  std::int64_t* found = durations.data_ptr<std::int64_t>();
  at::parallel_for(0, means.size(0), 1, [&](std::int64_t begin, std::int64_t end) {
    thread_local AlignmentScratch scratch;  // avoids page faults in every step
    for (std::int64_t row = begin; row < end; ++row) {
      if (symbols[row] == 0) continue;
      const auto size = static_cast<std::size_t>(num_frames * num_symbols);
      align({score + row * num_frames * num_symbols, size},
            symbols[row],
            frames[row],
            num_symbols,
            scratch,
            {found + row * num_symbols, static_cast<std::size_t>(num_symbols)});
    }
  });
  return durations;
}

}  // namespace myxtts::model
