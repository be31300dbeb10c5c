#include "checkpoint/tensors_torch.h"

#include <cstring>
#include <utility>

#include "base/error.h"

namespace myxtts::checkpoint {
namespace {

constexpr const char* kEmaPrefix = "ema.";

DType dtype_of(torch::ScalarType type) {
  switch (type) {
    case torch::kUInt8:
      return DType::kU8;
    case torch::kInt64:
      return DType::kI64;
    case torch::kBFloat16:
      return DType::kBf16;
    case torch::kFloat32:
      return DType::kF32;
    default:
      throw BugError(fmt::format("tensors of type {} cannot be saved", c10::toString(type)));
  }
}

torch::ScalarType type_of(DType dtype) {
  switch (dtype) {
    case DType::kU8:
      return torch::kUInt8;
    case DType::kI64:
      return torch::kInt64;
    case DType::kBf16:
      return torch::kBFloat16;
    case DType::kF32:
      return torch::kFloat32;
    default:
      throw UserError(fmt::format("tensor type {} is not supported; expected U8, I64, BF16 or F32",
                                  name_of(dtype)));
  }
}

bool is_optional_and_missing(const TensorFile& file,
                             const std::string& name,
                             std::string_view optional_prefix) {
  return !optional_prefix.empty() && name.starts_with(optional_prefix) &&
         file.find(name) == nullptr;
}

}  // namespace

TensorView view_of(std::string name, const torch::Tensor& tensor) {
  invariant(tensor.is_contiguous() && tensor.device().is_cpu(),
            "a saved tensor is contiguous and on the CPU");
  const auto* bytes = static_cast<const std::byte*>(tensor.const_data_ptr());
  return {.name = std::move(name),
          .dtype = dtype_of(tensor.scalar_type()),
          .shape = tensor.sizes().vec(),
          .bytes = {bytes, tensor.nbytes()}};
}

void copy_into(const TensorView& view, const torch::Tensor& tensor) {
  require(
      type_of(view.dtype) == tensor.scalar_type() && tensor.sizes() == view.shape,
      "tensor '{}' is {} [{}] in the checkpoint, expected {} [{}]; use the model settings of the "
      "checkpoint, or another run folder",
      view.name,
      name_of(view.dtype),
      fmt::join(view.shape, ", "),
      c10::toString(tensor.scalar_type()),
      fmt::join(tensor.sizes().vec(), ", "));
  invariant(tensor.is_contiguous(), "copy_into() needs a contiguous tensor");
  if (tensor.device().is_cpu()) {
    std::memcpy(tensor.data_ptr(), view.bytes.data(), view.bytes.size());
  } else {
    torch::Tensor on_cpu = torch::empty(tensor.sizes(), tensor.scalar_type());
    copy_into(view, on_cpu);
    tensor.copy_(on_cpu);
  }
}

torch::Tensor tensor_of(const TensorFile& file, const std::string& name) {
  const TensorView& view = file.at(name);
  torch::Tensor tensor = torch::empty(view.shape, type_of(view.dtype));
  copy_into(view, tensor);
  return tensor;
}

std::vector<TensorView> weight_views(const model::ParameterSet& parameters,
                                     const torch::Tensor& values,
                                     const torch::Tensor& ema) {
  std::vector<TensorView> views;
  const std::vector<std::string>& names = parameters.names();
  const std::vector<torch::Tensor> weights = parameters.views_of(values);
  for (std::size_t i = 0; i < names.size(); ++i)
    views.push_back(view_of(names[i], weights[i]));
  if (!ema.defined()) return views;
  const std::vector<torch::Tensor> ema_weights = parameters.views_of(ema);
  for (std::size_t i = 0; i < names.size(); ++i)
    views.push_back(view_of(kEmaPrefix + names[i], ema_weights[i]));
  return views;
}

void load_weights(const TensorFile& file,
                  model::ParameterSet& parameters,
                  bool use_ema,
                  std::string_view optional_prefix) {
  const std::vector<torch::Tensor> values = parameters.views_of(parameters.values());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string& name = parameters.names()[i];
    if (is_optional_and_missing(file, name, optional_prefix)) continue;
    const TensorView* ema = use_ema ? file.find(kEmaPrefix + name) : nullptr;
    copy_into(ema != nullptr ? *ema : file.at(name), values[i]);
  }
}

void load_ema(const TensorFile& file,
              const model::ParameterSet& parameters,
              torch::Tensor& ema,
              std::string_view optional_prefix) {
  const std::vector<torch::Tensor> values = parameters.views_of(ema);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string& name = parameters.names()[i];
    if (!is_optional_and_missing(file, name, optional_prefix))
      copy_into(file.at(kEmaPrefix + name), values[i]);
  }
}

}  // namespace myxtts::checkpoint
