// Table of this module's kernels in libmyxtts_cuda.so, which data/cuda_library.h loads. Each
// kernel has a reference implementation on the CPU.
#pragma once

#include <torch/types.h>

namespace myxtts::model {

struct AlignmentKernels {
  // Runs align() for the rows of a batch on the current stream, without synchronisation. scores
  // [B, M, T] float32, text_lengths [B] int64, mel_lengths [B] int64, all on one CUDA device;
  // returns durations [B, T] int64. A row with no symbols, or more symbols than frames, gets zeros.
  torch::Tensor (*align)(const torch::Tensor& scores,
                         const torch::Tensor& text_lengths,
                         const torch::Tensor& mel_lengths);
};

}  // namespace myxtts::model

// Entry point that libmyxtts_cuda.so exports.
extern "C" const myxtts::model::AlignmentKernels* myxtts_cuda_alignment_kernels();
