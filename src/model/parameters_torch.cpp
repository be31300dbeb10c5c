#include "model/parameters_torch.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"

namespace myxtts::model {

torch::Tensor ParameterSet::add(std::string name,
                                const std::vector<std::int64_t>& shape,
                                double stddev) {
  torch::Tensor tensor = torch::zeros(shape, torch::kFloat32);
  const double bound = stddev * std::sqrt(3.0);  // of a uniform distribution
  float* values = tensor.data_ptr<float>();
  for (std::int64_t i = 0; i < tensor.numel(); ++i)
    values[i] = static_cast<float>(bound * (2.0 * random_.unit() - 1.0));
  return register_parameter(std::move(name), std::move(tensor));
}

torch::Tensor ParameterSet::add_constant(std::string name,
                                         const std::vector<std::int64_t>& shape,
                                         double value) {
  return register_parameter(std::move(name), torch::full(shape, value, torch::kFloat32));
}

torch::Tensor ParameterSet::register_parameter(std::string name, torch::Tensor tensor) {
  invariant(!values_.defined(), fmt::format("parameter {} is added before flatten()", name));
  invariant(std::ranges::find(names_, name) == names_.end(),
            fmt::format("parameter name {} is unique", name));
  tensor.set_requires_grad(true);
  num_elements_ += tensor.numel();
  names_.push_back(std::move(name));
  tensors_.push_back(tensor);
  return tensor;
}

void ParameterSet::flatten() {
  const torch::NoGradGuard no_grad;
  values_ = torch::empty({num_elements_}, torch::kFloat32);
  gradients_ = torch::zeros({num_elements_}, torch::kFloat32);
  const std::vector<torch::Tensor> values = views_of(values_);
  for (std::size_t i = 0; i < tensors_.size(); ++i)
    values[i].copy_(tensors_[i]);
  point_into_buffers();
}

void ParameterSet::move_to(const torch::Device& device) {
  invariant(values_.defined(), "flatten() is called before move_to()");
  const torch::NoGradGuard no_grad;
  values_ = values_.to(values_.options().device(device), /*non_blocking=*/false, /*copy=*/true);
  gradients_ = torch::zeros_like(values_);
  point_into_buffers();
}

void ParameterSet::point_into_buffers() {
  const std::vector<torch::Tensor> values = views_of(values_);
  const std::vector<torch::Tensor> gradients = views_of(gradients_);
  for (std::size_t i = 0; i < tensors_.size(); ++i) {
    tensors_[i].set_data(values[i]);
    // Defined before the first backward pass, so that autograd always accumulates into this buffer.
    tensors_[i].mutable_grad() = gradients[i];
  }
}

std::shared_ptr<const torch::Tensor> ParameterSet::bf16_copy_of(const torch::Tensor& parameter) {
  bf16_cache_.push_back({.parameter = parameter, .bf16 = std::make_shared<torch::Tensor>()});
  return bf16_cache_.back().bf16;
}

void ParameterSet::cache_bf16_weights() {
  const torch::NoGradGuard no_grad;
  for (const CachedWeight& cached : bf16_cache_)
    *cached.bf16 = cached.parameter.to(torch::kBFloat16);
}

std::vector<torch::Tensor> ParameterSet::views_of(const torch::Tensor& flat) const {
  invariant(flat.numel() == num_elements_,
            fmt::format("the flat buffer has {} elements, not {}", num_elements_, flat.numel()));
  std::vector<torch::Tensor> views;
  views.reserve(tensors_.size());
  std::int64_t offset = 0;
  for (const torch::Tensor& tensor : tensors_) {
    views.push_back(flat.narrow(0, offset, tensor.numel()).view(tensor.sizes()));
    offset += tensor.numel();
  }
  return views;
}

}  // namespace myxtts::model
