#include "model/linear_torch.h"

#include <ATen/record_function.h>
#include <torch/csrc/autograd/custom_function.h>

#include "model/chunks_torch.h"
#include "model/linear_kernel.h"

namespace myxtts::model {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// [..., D] -> contiguous [N, D].
torch::Tensor as_matrix(const torch::Tensor& x) {
  return x.reshape({-1, x.size(-1)}).contiguous();
}

// Gradients of the factors of a product x * weight^T.
struct ProductGradients {
  torch::Tensor x;       // [N, in]; undefined if not needed
  torch::Tensor weight;  // [out, in] float32
};

ProductGradients product_gradients(const torch::Tensor& gradient,
                                   const torch::Tensor& x,
                                   const torch::Tensor& weight,
                                   bool needs_x) {
  ProductGradients gradients;
  if (needs_x) gradients.x = at::mm(gradient, weight);
  gradients.weight = at::mm(gradient.t(), x).to(torch::kFloat32);
  return gradients;
}

// Allocates memory for the sums of each chunk of a matrix.
torch::Tensor sums_of_chunks(const torch::Tensor& matrix) {
  return torch::empty({num_chunks(matrix.size(0)), matrix.size(1)}, torch::kFloat32);
}

struct LinearGelu : torch::autograd::Function<LinearGelu> {
  static torch::Tensor forward(AutogradContext* context,
                               const torch::Tensor& given,
                               const torch::Tensor& given_weight,
                               const torch::Tensor& given_bias) {
    const torch::Tensor x = as_matrix(given);
    const torch::Tensor weight = given_weight.to(x.scalar_type());
    const torch::Tensor bias = given_bias.contiguous();
    torch::Tensor derivative = at::mm(x, weight.t());
    torch::Tensor y = torch::empty_like(derivative);
    {
      RECORD_FUNCTION("myxtts::bias_gelu", std::vector<c10::IValue>());
      with_type_of(x, [&](auto value) {
        using Value = decltype(value);
        const Gelu<Value> work{.x = mutable_values_of<Value>(derivative),
                               .bias = values_of<float>(bias),
                               .y = mutable_values_of<Value>(y)};
        for_each_chunk(1, y.size(0), [&](std::int64_t, std::int64_t, Range rows) {
          run(work, y.size(1), rows);
        });
      });
    }
    context->save_for_backward({x, weight, derivative});
    std::vector<std::int64_t> sizes = given.sizes().vec();
    context->saved_data["sizes"] = sizes;
    sizes.back() = y.size(1);
    return y.view(sizes);
  }

  static variable_list backward(AutogradContext* context, const variable_list& grad_outputs) {
    const variable_list saved = context->get_saved_variables();
    const torch::Tensor& derivative = saved[2];
    const torch::Tensor gradient = as_matrix(grad_outputs[0]);
    torch::Tensor product = torch::empty_like(derivative);
    torch::Tensor sums = sums_of_chunks(derivative);
    {
      RECORD_FUNCTION("myxtts::bias_gelu_backward", std::vector<c10::IValue>());
      with_type_of(derivative, [&](auto value) {
        using Value = decltype(value);
        for_each_chunk(1, derivative.size(0), [&](std::int64_t, std::int64_t chunk, Range rows) {
          const GeluGradient<Value> work{
              .gradient = values_of<Value>(gradient),
              .derivative = values_of<Value>(derivative),
              .product = mutable_values_of<Value>(product),
              .sums = mutable_values_of<float>(sums) + chunk * derivative.size(1)};
          run(work, derivative.size(1), rows);
        });
      });
    }
    const ProductGradients gradients =
        product_gradients(product, saved[0], saved[1], context->needs_input_grad(0));
    return {gradients.x.defined() ? gradients.x.view(context->saved_data["sizes"].toIntVector())
                                  : gradients.x,
            gradients.weight,
            sums.sum(0)};
  }
};

// Bit-identical to the forward pass of LinearGelu, without storing the derivative.
torch::Tensor linear_gelu_inference(const torch::Tensor& given,
                                    const torch::Tensor& weight,
                                    const torch::Tensor& given_bias) {
  const torch::Tensor x = as_matrix(given);
  const torch::Tensor bias = given_bias.contiguous();
  const torch::Tensor y = at::mm(x, weight.to(x.scalar_type()).t());
  RECORD_FUNCTION("myxtts::bias_gelu", std::vector<c10::IValue>());
  with_type_of(x, [&](auto value) {
    using Value = decltype(value);
    const GeluInPlace<Value> work{.x = mutable_values_of<Value>(y), .bias = values_of<float>(bias)};
    for_each_chunk(
        1, y.size(0), [&](std::int64_t, std::int64_t, Range rows) { run(work, y.size(1), rows); });
  });
  std::vector<std::int64_t> sizes = given.sizes().vec();
  sizes.back() = y.size(1);
  return y.view(sizes);
}

struct LinearResidual : torch::autograd::Function<LinearResidual> {
  static torch::Tensor forward(AutogradContext* context,
                               const torch::Tensor& residual,
                               const torch::Tensor& given,
                               const torch::Tensor& given_weight,
                               const torch::Tensor& given_bias,
                               const torch::Tensor& given_mask) {
    const torch::Tensor x = as_matrix(given);
    const torch::Tensor weight = given_weight.to(x.scalar_type());
    const torch::Tensor bias = given_bias.contiguous();
    const torch::Tensor mask =
        given_mask.expand({residual.size(0), residual.size(1), 1}).contiguous();
    const torch::Tensor dense_residual = residual.contiguous();
    torch::Tensor y = at::mm(x, weight.t());
    {
      RECORD_FUNCTION("myxtts::bias_residual", std::vector<c10::IValue>());
      with_type_of(x, [&](auto value) {
        using Value = decltype(value);
        const Residual<Value> work{.x = values_of<Value>(dense_residual),
                                   .bias = values_of<float>(bias),
                                   .mask = values_of<Value>(mask),
                                   .y = mutable_values_of<Value>(y)};
        for_each_chunk(1, y.size(0), [&](std::int64_t, std::int64_t, Range rows) {
          run(work, y.size(1), rows);
        });
      });
    }
    context->save_for_backward({x, weight, mask});
    context->saved_data["sizes"] = given.sizes().vec();
    return y.view(residual.sizes());
  }

  static variable_list backward(AutogradContext* context, const variable_list& grad_outputs) {
    const variable_list saved = context->get_saved_variables();
    const torch::Tensor gradient = as_matrix(grad_outputs[0]);
    torch::Tensor masked = torch::empty_like(gradient);
    torch::Tensor sums = sums_of_chunks(gradient);
    {
      RECORD_FUNCTION("myxtts::bias_residual_backward", std::vector<c10::IValue>());
      with_type_of(gradient, [&](auto value) {
        using Value = decltype(value);
        for_each_chunk(1, gradient.size(0), [&](std::int64_t, std::int64_t chunk, Range rows) {
          const ResidualGradient<Value> work{
              .gradient = values_of<Value>(gradient),
              .mask = values_of<Value>(saved[2]),
              .masked = mutable_values_of<Value>(masked),
              .sums = mutable_values_of<float>(sums) + chunk * gradient.size(1)};
          run(work, gradient.size(1), rows);
        });
      });
    }
    const ProductGradients gradients =
        product_gradients(masked, saved[0], saved[1], /*needs_x=*/true);
    return {grad_outputs[0],
            gradients.x.view(context->saved_data["sizes"].toIntVector()),
            gradients.weight,
            sums.sum(0),
            {}};
  }
};

}  // namespace

torch::Tensor linear_gelu(const torch::Tensor& x,
                          const torch::Tensor& weight,
                          const torch::Tensor& bias) {
  if (!x.device().is_cpu()) return reference_linear_gelu(x, weight, bias);
  if (!at::GradMode::is_enabled()) return linear_gelu_inference(x, weight, bias);
  return LinearGelu::apply(x, weight, bias);
}

torch::Tensor reference_linear_gelu(const torch::Tensor& x,
                                    const torch::Tensor& weight,
                                    const torch::Tensor& bias) {
  const torch::ScalarType type = x.scalar_type();
  return at::gelu(at::linear(x, weight.to(type), bias.to(type)), "tanh");
}

torch::Tensor linear_residual(const torch::Tensor& residual,
                              const torch::Tensor& x,
                              const torch::Tensor& weight,
                              const torch::Tensor& bias,
                              const torch::Tensor& mask) {
  if (!x.device().is_cpu()) return reference_linear_residual(residual, x, weight, bias, mask);
  return LinearResidual::apply(residual, x, weight, bias, mask);
}

torch::Tensor reference_linear_residual(const torch::Tensor& residual,
                                        const torch::Tensor& x,
                                        const torch::Tensor& weight,
                                        const torch::Tensor& bias,
                                        const torch::Tensor& mask) {
  const torch::ScalarType type = x.scalar_type();
  return at::addcmul(residual, at::linear(x, weight.to(type), bias.to(type)), mask);
}

}  // namespace myxtts::model
