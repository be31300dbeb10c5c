#include "model/depthwise_norm_torch.h"

#include <ATen/record_function.h>
#include <torch/csrc/autograd/custom_function.h>

#include "model/chunks_torch.h"
#include "model/depthwise_norm_kernel.h"

namespace myxtts::model {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

struct DepthwiseNormFunction : torch::autograd::Function<DepthwiseNormFunction> {
  static torch::Tensor forward(AutogradContext* context,
                               const torch::Tensor& given,
                               const torch::Tensor& kernel,
                               const torch::Tensor& given_bias,
                               const torch::Tensor& given_scale,
                               const torch::Tensor& given_shift) {
    RECORD_FUNCTION("myxtts::depthwise_norm", std::vector<c10::IValue>());
    const torch::Tensor x = given.contiguous();
    const torch::Tensor taps = kernel.t().contiguous();  // [K, D]
    const torch::Tensor bias = given_bias.contiguous();
    const torch::Tensor scale = given_scale.contiguous();
    const torch::Tensor shift = given_shift.contiguous();
    const RowSizes sizes{.positions = x.size(1), .channels = x.size(2), .taps = taps.size(0)};
    torch::Tensor normed = torch::empty_like(x);
    torch::Tensor inverse = torch::empty({x.size(0), x.size(1)}, torch::kFloat32);
    torch::Tensor y = torch::empty_like(x);
    with_type_of(x, [&](auto value) {
      using Value = decltype(value);
      for_each_chunk(
          x.size(0), sizes.positions, [&](std::int64_t row, std::int64_t, Range positions) {
            const std::int64_t first = row * sizes.positions * sizes.channels;
            const DepthwiseNorm<Value> work{
                .x = values_of<Value>(x) + first,
                .taps = values_of<float>(taps),
                .bias = values_of<float>(bias),
                .scale = values_of<float>(scale) + row * sizes.channels,
                .shift = values_of<float>(shift) + row * sizes.channels,
                .normed = mutable_values_of<Value>(normed) + first,
                .inverse_std = mutable_values_of<float>(inverse) + row * sizes.positions,
                .y = mutable_values_of<Value>(y) + first};
            run(work, sizes, positions);
          });
    });
    context->save_for_backward({x, taps, scale, normed, inverse});
    return y;
  }

  static variable_list backward(AutogradContext* context, const variable_list& grad_outputs) {
    RECORD_FUNCTION("myxtts::depthwise_norm_backward", std::vector<c10::IValue>());
    const variable_list saved = context->get_saved_variables();
    const torch::Tensor& x = saved[0];
    const torch::Tensor& taps = saved[1];
    const torch::Tensor y_gradient = grad_outputs[0].contiguous();
    const RowSizes sizes{.positions = x.size(1), .channels = x.size(2), .taps = taps.size(0)};
    const std::int64_t rows = x.size(0);
    const std::int64_t chunks = num_chunks(sizes.positions);
    torch::Tensor c_gradient = torch::empty_like(x);
    torch::Tensor x_gradient = torch::empty_like(x);
    // Sums per chunk (scale and shift; taps and bias), added in chunk order to be deterministic.
    torch::Tensor norm_sums = torch::empty({rows, chunks, 2, sizes.channels}, torch::kFloat32);
    torch::Tensor tap_sums =
        torch::empty({rows * chunks, sizes.taps + 1, sizes.channels}, torch::kFloat32);
    with_type_of(x, [&](auto value) {
      using Value = decltype(value);
      const std::int64_t stride = sizes.positions * sizes.channels;
      for_each_chunk(
          rows, sizes.positions, [&](std::int64_t row, std::int64_t chunk, Range positions) {
            float* sums =
                mutable_values_of<float>(norm_sums) + (row * chunks + chunk) * 2 * sizes.channels;
            const NormGradient<Value> work{
                .y_gradient = values_of<Value>(y_gradient) + row * stride,
                .normed = values_of<Value>(saved[3]) + row * stride,
                .inverse_std = values_of<float>(saved[4]) + row * sizes.positions,
                .scale = values_of<float>(saved[2]) + row * sizes.channels,
                .c_gradient = mutable_values_of<Value>(c_gradient) + row * stride,
                .scale_sums = sums,
                .shift_sums = sums + sizes.channels};
            run(work, sizes, positions);
          });
      // A separate loop: the gradient at a position needs c_gradient of its neighbours.
      for_each_chunk(
          rows, sizes.positions, [&](std::int64_t row, std::int64_t chunk, Range positions) {
            float* sums = mutable_values_of<float>(tap_sums) +
                          (row * chunks + chunk) * (sizes.taps + 1) * sizes.channels;
            const DepthwiseGradient<Value> work{
                .x = values_of<Value>(x) + row * stride,
                .c_gradient = values_of<Value>(c_gradient) + row * stride,
                .taps = values_of<float>(taps),
                .x_gradient = mutable_values_of<Value>(x_gradient) + row * stride,
                .tap_sums = sums,
                .bias_sums = sums + sizes.taps * sizes.channels};
            run(work, sizes, positions);
          });
    });
    const torch::Tensor all_taps = tap_sums.sum(0);
    const torch::Tensor both = norm_sums.sum(1);  // [B, 2, D]
    return {x_gradient,
            all_taps.narrow(0, 0, sizes.taps).t(),
            all_taps[sizes.taps],
            both.select(1, 0),
            both.select(1, 1)};
  }
};

}  // namespace

torch::Tensor depthwise_norm(const torch::Tensor& x,
                             const torch::Tensor& kernel,
                             const torch::Tensor& bias,
                             const torch::Tensor& scale,
                             const torch::Tensor& shift) {
  if (!x.device().is_cpu()) return reference_depthwise_norm(x, kernel, bias, scale, shift);
  return DepthwiseNormFunction::apply(x, kernel, bias, scale, shift);
}

torch::Tensor reference_depthwise_norm(const torch::Tensor& x,
                                       const torch::Tensor& kernel,
                                       const torch::Tensor& bias,
                                       const torch::Tensor& scale,
                                       const torch::Tensor& shift) {
  const std::int64_t reach = kernel.size(1) / 2;
  const torch::Tensor convolved = at::conv1d(x.to(torch::kFloat32).transpose(1, 2),
                                             kernel.unsqueeze(1),
                                             bias,
                                             torch::IntArrayRef{1},
                                             torch::IntArrayRef{reach},
                                             torch::IntArrayRef{1},
                                             kernel.size(0))
                                      .transpose(1, 2);
  const torch::Tensor normed = at::layer_norm(convolved, {x.size(2)}, {}, {}, double{kNormEpsilon});
  return at::addcmul(shift.unsqueeze(1), normed, scale.unsqueeze(1)).to(x.scalar_type());
}

}  // namespace myxtts::model
