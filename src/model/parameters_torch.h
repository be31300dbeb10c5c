#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <torch/types.h>

#include "base/random.h"

namespace myxtts::model {

// The parameters of a model: named tensors that are views into one flat buffer, with the gradients
// in a second buffer, so that clipping, optimiser and EMA are one operation each.
//
// Layers keep the tensors that add() returns; flatten() replaces their storage, not their identity.
class ParameterSet {
 public:
  explicit ParameterSet(std::uint64_t seed) : random_(seed) {}
  ParameterSet(const ParameterSet&) = delete;
  ParameterSet& operator=(const ParameterSet&) = delete;

  // Adds a float32 parameter with uniform random values of standard deviation `stddev` (0: zeros).
  // Names are unique.
  torch::Tensor add(std::string name, const std::vector<std::int64_t>& shape, double stddev);
  // Adds a float32 parameter with a constant value.
  torch::Tensor add_constant(std::string name,
                             const std::vector<std::int64_t>& shape,
                             double value);

  // Allocates the two buffers, with zero gradients. Call it once after all parameters are added.
  void flatten();

  // Moves both buffers, and so the tensors of the layers, to a device. Call it after flatten() and
  // before an optimiser is created.
  void move_to(const torch::Device& device);

  const std::vector<std::string>& names() const { return names_; }
  const std::vector<torch::Tensor>& tensors() const { return tensors_; }
  std::int64_t num_elements() const { return num_elements_; }
  torch::Tensor& values() { return values_; }        // [N] float32, all parameters
  torch::Tensor& gradients() { return gradients_; }  // [N] float32, in the same order

  // Registers a parameter for the bf16 weight cache and returns its entry for the layer, undefined
  // until cache_bf16_weights() is called. Layer and set share ownership.
  std::shared_ptr<const torch::Tensor> bf16_copy_of(const torch::Tensor& parameter);
  // Casts the registered weights to bfloat16 once, so that layers do not cast them in every call.
  // For inference only: results are the same, and weights must not change afterwards.
  void cache_bf16_weights();

  // Returns views with the shapes of the parameters into a buffer of N elements.
  std::vector<torch::Tensor> views_of(const torch::Tensor& flat) const;

 private:
  torch::Tensor register_parameter(std::string name, torch::Tensor tensor);
  void point_into_buffers();

  struct CachedWeight {
    torch::Tensor parameter;
    std::shared_ptr<torch::Tensor> bf16;  // shared with the layer
  };

  base::Random random_;
  std::vector<std::string> names_;
  std::vector<torch::Tensor> tensors_;
  std::int64_t num_elements_ = 0;
  torch::Tensor values_;
  torch::Tensor gradients_;
  std::vector<CachedWeight> bf16_cache_;
};

}  // namespace myxtts::model
