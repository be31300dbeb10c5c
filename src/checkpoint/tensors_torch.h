// Between LibTorch's tensors and those of a file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <torch/types.h>

#include "checkpoint/safetensors.h"
#include "model/parameters_torch.h"

namespace xtts::checkpoint {

// The tensor's own memory: contiguous, on the CPU, alive as long as the view is used.
TensorView view_of(std::string name, const torch::Tensor& tensor);

// Copies the file's values into a tensor of the same type and shape, on any device; throws
// UserError that names the tensor and both shapes if they differ.
void copy_into(const TensorView& view, const torch::Tensor& tensor);

// The file's tensor with the name, as one of ours (copied).
torch::Tensor tensor_of(const TensorFile& file, const std::string& name);

// The parameters by name, out of their flat buffer `values` [N] on the CPU, and "ema." + name for
// the averaged ones out of `average` [N] if it is defined.
std::vector<TensorView> weight_views(const model::ParameterSet& parameters,
                                     const torch::Tensor& values,
                                     const torch::Tensor& average);

// Reads every parameter from the file, the averaged ones if wanted and there. Throws UserError for
// a parameter that the file does not have or has in another shape; one whose name begins with
// `may_lack` stays as it is where the file does not have it.
void load_weights(const TensorFile& file,
                  model::ParameterSet& parameters,
                  bool averaged,
                  std::string_view may_lack = {});

// Reads the averaged weights into `average` [N].
void load_ema(const TensorFile& file,
              const model::ParameterSet& parameters,
              torch::Tensor& average,
              std::string_view may_lack = {});

}  // namespace xtts::checkpoint
