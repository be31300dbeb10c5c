#include "model/depthwise_torch.h"

#include <cstdint>

#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>

#include "model/depthwise_kernel.h"

namespace xtts::model {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

DepthwiseSizes sizes_of(const torch::Tensor& x, const torch::Tensor& taps) {
  return {.positions = x.size(1), .channels = x.size(2), .taps = taps.size(0)};
}

// Rows of `x` [B, L, D], by the kernel of its type. taps [K, D] contiguous, bias [D] or undefined.
torch::Tensor convolve(const torch::Tensor& x,
                       const torch::Tensor& taps,
                       const torch::Tensor& bias) {
  torch::Tensor y = torch::empty_like(x);
  const DepthwiseSizes sizes = sizes_of(x, taps);
  const std::int64_t stride = sizes.positions * sizes.channels;
  const float* weights = taps.const_data_ptr<float>();
  const float* biases = bias.defined() ? bias.const_data_ptr<float>() : nullptr;
  const auto rows = [&](const auto* from, auto* to) {
    at::parallel_for(0, x.size(0), 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t b = begin; b < end; ++b)
        depthwise_row(from + b * stride, weights, biases, sizes, to + b * stride);
    });
  };
  if (x.scalar_type() == torch::kBFloat16) {
    rows(static_cast<const std::uint16_t*>(x.const_data_ptr()),
         static_cast<std::uint16_t*>(y.data_ptr()));
  } else {
    rows(x.const_data_ptr<float>(), y.data_ptr<float>());
  }
  return y;
}

struct WeightGradients {
  torch::Tensor taps;  // [K, D]
  torch::Tensor bias;  // [D]
};

WeightGradients weight_gradients(const torch::Tensor& x,
                                 const torch::Tensor& gradient,
                                 std::int64_t num_taps) {
  const DepthwiseSizes sizes{.positions = x.size(1), .channels = x.size(2), .taps = num_taps};
  const std::int64_t stride = sizes.positions * sizes.channels;
  // One partial sum per row, added up in their order.
  torch::Tensor sums = torch::empty({x.size(0), num_taps + 1, sizes.channels}, torch::kFloat32);
  float* place = sums.data_ptr<float>();
  const auto rows = [&](const auto* from, const auto* slope) {
    at::parallel_for(0, x.size(0), 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t b = begin; b < end; ++b) {
        float* sum = place + b * (num_taps + 1) * sizes.channels;
        depthwise_weight_sums(
            from + b * stride, slope + b * stride, sizes, sum, sum + num_taps * sizes.channels);
      }
    });
  };
  if (x.scalar_type() == torch::kBFloat16) {
    rows(static_cast<const std::uint16_t*>(x.const_data_ptr()),
         static_cast<const std::uint16_t*>(gradient.const_data_ptr()));
  } else {
    rows(x.const_data_ptr<float>(), gradient.const_data_ptr<float>());
  }
  const torch::Tensor total = sums.sum(0);
  return {total.narrow(0, 0, num_taps), total[num_taps]};
}

struct Depthwise : torch::autograd::Function<Depthwise> {
  static torch::Tensor forward(AutogradContext* context,
                               const torch::Tensor& x,
                               const torch::Tensor& kernel,
                               const torch::Tensor& bias) {
    const torch::Tensor inside = x.contiguous();
    context->save_for_backward({inside, kernel});
    return convolve(inside, kernel.t().contiguous(), bias.contiguous());
  }

  static variable_list backward(AutogradContext* context, const variable_list& slopes) {
    const variable_list saved = context->get_saved_variables();
    const torch::Tensor gradient = slopes[0].contiguous();
    const torch::Tensor flipped = saved[1].flip(1).t().contiguous();
    const WeightGradients weights = weight_gradients(saved[0], gradient, saved[1].size(1));
    return {convolve(gradient, flipped, {}), weights.taps.t(), weights.bias};
  }
};

}  // namespace

torch::Tensor depthwise_convolution(const torch::Tensor& x,
                                    const torch::Tensor& kernel,
                                    const torch::Tensor& bias) {
  if (!x.device().is_cpu()) return plain_depthwise_convolution(x, kernel, bias);
  return Depthwise::apply(x, kernel, bias);
}

torch::Tensor plain_depthwise_convolution(const torch::Tensor& x,
                                          const torch::Tensor& kernel,
                                          const torch::Tensor& bias) {
  const std::int64_t reach = kernel.size(1) / 2;
  return at::conv1d(x.to(torch::kFloat32).transpose(1, 2),
                    kernel.unsqueeze(1),
                    bias,
                    torch::IntArrayRef{1},
                    torch::IntArrayRef{reach},
                    torch::IntArrayRef{1},
                    kernel.size(0))
      .transpose(1, 2)
      .to(x.scalar_type());
}

}  // namespace xtts::model
