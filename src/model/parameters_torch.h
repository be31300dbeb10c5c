#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <torch/types.h>

#include "base/random.h"

namespace xtts::model {

// The parameters of a model: named tensors that are views into one flat buffer, with their
// gradients in a second one, so that clipping, optimiser and average each are one operation.
//
// Layers keep the tensors that add() returns; flatten() moves their storage, not their identity.
class ParameterSet {
 public:
  explicit ParameterSet(std::uint64_t seed) : random_(seed) {}
  ParameterSet(const ParameterSet&) = delete;
  ParameterSet& operator=(const ParameterSet&) = delete;

  // A float32 parameter, uniform with deviation `deviation` (0: zeros). Names are unique.
  torch::Tensor add(std::string name, const std::vector<std::int64_t>& shape, double deviation);
  // The same, constant.
  torch::Tensor add_constant(std::string name,
                             const std::vector<std::int64_t>& shape,
                             double value);

  // Call once, when all parameters are there: makes the two buffers and gradients of zeros.
  void flatten();

  // Moves both buffers to a device, after flatten(); the tensors that layers keep go along. An
  // optimiser is made afterwards.
  void move_to(const torch::Device& device);

  const std::vector<std::string>& names() const { return names_; }
  const std::vector<torch::Tensor>& tensors() const { return tensors_; }
  std::int64_t num_elements() const { return num_elements_; }
  torch::Tensor& values() { return values_; }        // [N] float32, all parameters
  torch::Tensor& gradients() { return gradients_; }  // [N] float32, in the same order

  // Where a copy of a parameter in bfloat16 will be, for the layer that computes with it; undefined
  // until keep_rounded() is called.
  std::shared_ptr<const torch::Tensor> rounded(const torch::Tensor& parameter);
  // For a model that no longer learns: layers that compute in bfloat16 need not round the same
  // weights in every call. What comes out is the same. Weights must not change after it.
  void keep_rounded();

  // Views of the parameters' shapes into any buffer of N elements.
  std::vector<torch::Tensor> views_of(const torch::Tensor& flat) const;

 private:
  torch::Tensor take(std::string name, torch::Tensor tensor);
  void point_into_buffers();

  struct Rounded {
    torch::Tensor parameter;
    std::shared_ptr<torch::Tensor> copy;  // its layer reads it
  };

  base::Random random_;
  std::vector<std::string> names_;
  std::vector<torch::Tensor> tensors_;
  std::int64_t num_elements_ = 0;
  torch::Tensor values_;
  torch::Tensor gradients_;
  std::vector<Rounded> rounded_;
};

}  // namespace xtts::model
