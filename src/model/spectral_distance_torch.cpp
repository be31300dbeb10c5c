#include "model/spectral_distance_torch.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <ATen/record_function.h>
#include <torch/csrc/autograd/custom_function.h>

#include "model/chunks_torch.h"
#include "model/spectral_distance_kernel.h"

namespace myxtts::model {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// Returns the sums of each row, with its chunks added in order to be deterministic.
std::vector<SpectralSums> sums_of_rows(const torch::Tensor& predicted,
                                       const torch::Tensor& recorded) {
  const std::int64_t rows = predicted.size(0);
  const std::int64_t frames = predicted.size(1);
  const std::int64_t bins = predicted.size(2);
  const std::int64_t chunks = num_chunks(frames);
  std::vector<SpectralSums> parts(static_cast<std::size_t>(rows * chunks));
  for_each_chunk(rows, frames, [&](std::int64_t row, std::int64_t chunk, Range range) {
    const std::int64_t first = row * frames * bins * 2;
    run(SpectralDistance{.predicted = values_of<float>(predicted) + first,
                         .recorded = values_of<float>(recorded) + first,
                         .sums = &parts[static_cast<std::size_t>(row * chunks + chunk)]},
        bins,
        range);
  });
  std::vector<SpectralSums> sums(static_cast<std::size_t>(rows));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    SpectralSums& sum = sums[i / static_cast<std::size_t>(chunks)];
    sum.log_magnitude += parts[i].log_magnitude;
    sum.difference += parts[i].difference;
    sum.recorded += parts[i].recorded;
    sum.complex += parts[i].complex;
  }
  return sums;
}

// Denominator of the spectral convergence.
double recorded_norm(double squared, double count) {
  return std::max(std::sqrt(squared), kQuietMagnitude * std::sqrt(count));
}

struct SpectralDistanceFunction : torch::autograd::Function<SpectralDistanceFunction> {
  static torch::Tensor forward(AutogradContext* context,
                               const torch::Tensor& given_predicted,
                               const torch::Tensor& given_recorded) {
    RECORD_FUNCTION("myxtts::spectral_distance", std::vector<c10::IValue>());
    const torch::Tensor predicted = given_predicted.resolve_conj().contiguous();
    const torch::Tensor recorded = given_recorded.resolve_conj().contiguous();
    const std::vector<SpectralSums> sums = sums_of_rows(predicted, recorded);
    const auto count = static_cast<double>(predicted.size(1) * predicted.size(2));
    torch::Tensor distances = torch::empty({predicted.size(0), 3}, torch::kFloat32);
    // Factors of the three distances' gradients in the backward pass.
    torch::Tensor factors = torch::empty({predicted.size(0), 3}, torch::kFloat32);
    auto distance = distances.accessor<float, 2>();
    auto factor = factors.accessor<float, 2>();
    for (std::int64_t row = 0; row < predicted.size(0); ++row) {
      const SpectralSums& sum = sums[static_cast<std::size_t>(row)];
      const double norm = recorded_norm(sum.recorded, count);
      const double difference = std::sqrt(sum.difference);
      distance[row][0] = static_cast<float>(sum.log_magnitude / count);
      distance[row][1] = static_cast<float>(difference / norm);
      distance[row][2] = static_cast<float>(sum.complex / (2.0 * count));
      factor[row][0] = static_cast<float>(1.0 / count);
      factor[row][1] = difference > 0.0 ? static_cast<float>(1.0 / (difference * norm)) : 0.0F;
      factor[row][2] = static_cast<float>(1.0 / (2.0 * count));
    }
    context->save_for_backward({predicted, recorded, factors});
    return distances;
  }

  static variable_list backward(AutogradContext* context, const variable_list& grad_outputs) {
    RECORD_FUNCTION("myxtts::spectral_distance_backward", std::vector<c10::IValue>());
    const variable_list saved = context->get_saved_variables();
    const torch::Tensor& predicted = saved[0];
    const torch::Tensor factors = grad_outputs[0] * saved[2];
    const auto factor = factors.accessor<float, 2>();
    const std::int64_t frames = predicted.size(1);
    const std::int64_t bins = predicted.size(2);
    torch::Tensor gradient = torch::empty_like(predicted);
    for_each_chunk(predicted.size(0), frames, [&](std::int64_t row, std::int64_t, Range range) {
      const std::int64_t first = row * frames * bins * 2;
      run(SpectralGradient{.predicted = values_of<float>(predicted) + first,
                           .recorded = values_of<float>(saved[1]) + first,
                           .log_magnitude_weight = factor[row][0],
                           .difference_weight = factor[row][1],
                           .complex_weight = factor[row][2],
                           .gradient = mutable_values_of<float>(gradient) + first},
          bins,
          range);
    });
    return {gradient, {}};
  }
};

}  // namespace

torch::Tensor spectral_distance(const torch::Tensor& predicted, const torch::Tensor& recorded) {
  if (!predicted.device().is_cpu()) return reference_spectral_distance(predicted, recorded);
  return SpectralDistanceFunction::apply(predicted, recorded);
}

torch::Tensor reference_spectral_distance(const torch::Tensor& predicted,
                                          const torch::Tensor& recorded) {
  const torch::Tensor found = predicted.abs();
  const torch::Tensor target = recorded.abs();
  const auto log = [](const torch::Tensor& magnitude) {
    return magnitude.clamp_min(double{kMagnitudeFloor}).log();
  };
  const double count = static_cast<double>(predicted.size(1) * predicted.size(2));
  const torch::Tensor norm = target.square().sum({1, 2}).sqrt();
  const torch::Tensor difference = (found - target).square().sum({1, 2}).sqrt();
  return at::stack({(log(found) - log(target)).abs().mean({1, 2}),
                    difference / norm.clamp_min(kQuietMagnitude * std::sqrt(count)),
                    at::view_as_real(predicted - recorded).abs().mean({1, 2, 3})},
                   /*dim=*/1);
}

}  // namespace myxtts::model
