#pragma once

#include <cstdint>
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

  // Views of the parameters' shapes into any buffer of N elements.
  std::vector<torch::Tensor> views_of(const torch::Tensor& flat) const;

 private:
  torch::Tensor take(std::string name, torch::Tensor tensor);
  void point_into_buffers();

  base::Random random_;
  std::vector<std::string> names_;
  std::vector<torch::Tensor> tensors_;
  std::int64_t num_elements_ = 0;
  torch::Tensor values_;
  torch::Tensor gradients_;
};

}  // namespace xtts::model
