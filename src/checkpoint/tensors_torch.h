// Converts between LibTorch tensors and safetensors views; loads model and EMA weights.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <torch/types.h>

#include "checkpoint/safetensors.h"
#include "model/parameters_torch.h"

namespace myxtts::checkpoint {

// Returns a view of the tensor's memory. It must be contiguous, on the CPU and outlive the view.
TensorView view_of(std::string name, const torch::Tensor& tensor);

// Copies the values into a tensor of the same type and shape on any device. Throws UserError with
// the name and both shapes if they differ.
void copy_into(const TensorView& view, const torch::Tensor& tensor);

// Returns a copy of the named tensor of the file.
torch::Tensor tensor_of(const TensorFile& file, const std::string& name);

// Returns views of the parameters in the flat CPU buffer `values` [N] and, if `ema` [N] is defined,
// of the EMA weights as "ema." + name.
std::vector<TensorView> weight_views(const model::ParameterSet& parameters,
                                     const torch::Tensor& values,
                                     const torch::Tensor& ema);

// Loads every parameter from the file, with `use_ema` its EMA value if the file has one. Throws
// UserError for a parameter that is missing or has another shape. A missing parameter whose name
// starts with `optional_prefix` keeps its value.
void load_weights(const TensorFile& file,
                  model::ParameterSet& parameters,
                  bool use_ema,
                  std::string_view optional_prefix = {});

// Loads the EMA weights into `ema` [N].
void load_ema(const TensorFile& file,
              const model::ParameterSet& parameters,
              torch::Tensor& ema,
              std::string_view optional_prefix = {});

}  // namespace myxtts::checkpoint
