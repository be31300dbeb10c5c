// Part of libmyxtts_cuda.so: passes tensors to this module's kernels and launches them on the
// current stream of LibTorch.

#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include "base/error.h"
#include "model/alignment_cuda.h"
#include "model/alignment_kernels.h"

namespace myxtts::model {
namespace {

torch::Tensor align(const torch::Tensor& scores,
                    const torch::Tensor& text_lengths,
                    const torch::Tensor& mel_lengths) {
  invariant(scores.is_cuda() && scores.dim() == 3 && scores.scalar_type() == torch::kFloat32,
            "scores are [B, M, T] float32 on a CUDA device");
  invariant(text_lengths.device() == scores.device() && mel_lengths.device() == scores.device() &&
                text_lengths.numel() == scores.size(0) && mel_lengths.numel() == scores.size(0),
            "lengths are [B] on the device of the scores");
  invariant(scores.size(2) <= kMaxAlignedSymbols, "the symbols fit into a block's shared memory");
  const c10::cuda::CUDAGuard on_device(scores.device());
  const torch::Tensor table = scores.contiguous();
  const torch::Tensor symbols = text_lengths.contiguous();
  const torch::Tensor frames = mel_lengths.contiguous();
  torch::Tensor moved = torch::empty(table.sizes(), table.options().dtype(torch::kUInt8));
  torch::Tensor durations =
      torch::empty({table.size(0), table.size(2)}, table.options().dtype(torch::kInt64));

  const AlignmentProblem problem{
      .scores = table.const_data_ptr<float>(),
      .text_lengths = symbols.const_data_ptr<std::int64_t>(),
      .mel_lengths = frames.const_data_ptr<std::int64_t>(),
      .moved = moved.mutable_data_ptr<std::uint8_t>(),
      .durations = durations.mutable_data_ptr<std::int64_t>(),
      .rows = static_cast<int>(table.size(0)),
      .frames = static_cast<int>(table.size(1)),
      .symbols = static_cast<int>(table.size(2)),
  };
  C10_CUDA_CHECK(launch_alignment(problem, c10::cuda::getCurrentCUDAStream()));
  return durations;
}

constexpr AlignmentKernels kKernels{.align = align};

}  // namespace
}  // namespace myxtts::model

const myxtts::model::AlignmentKernels* myxtts_cuda_alignment_kernels() {
  return &myxtts::model::kKernels;
}
