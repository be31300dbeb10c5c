#include "model/spectral_distance_torch.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <ATen/record_function.h>
#include <torch/csrc/autograd/custom_function.h>

#include "model/pieces_torch.h"
#include "model/spectral_distance_kernel.h"

namespace xtts::model {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// Of each row, its pieces added up in their order.
std::vector<SpectralSums> sums_of_rows(const torch::Tensor& predicted,
                                       const torch::Tensor& recorded) {
  const std::int64_t rows = predicted.size(0);
  const std::int64_t frames = predicted.size(1);
  const std::int64_t bins = predicted.size(2);
  const std::int64_t pieces = num_pieces(frames);
  std::vector<SpectralSums> parts(static_cast<std::size_t>(rows * pieces));
  over_pieces(rows, frames, [&](std::int64_t row, std::int64_t piece, Range range) {
    const std::int64_t first = row * frames * bins * 2;
    run(SpectralDistance{.predicted = values_of<float>(predicted) + first,
                         .recorded = values_of<float>(recorded) + first,
                         .sums = &parts[static_cast<std::size_t>(row * pieces + piece)]},
        bins,
        range);
  });
  std::vector<SpectralSums> sums(static_cast<std::size_t>(rows));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    SpectralSums& sum = sums[i / static_cast<std::size_t>(pieces)];
    sum.log_magnitude += parts[i].log_magnitude;
    sum.difference += parts[i].difference;
    sum.recorded += parts[i].recorded;
    sum.complex += parts[i].complex;
  }
  return sums;
}

// What the difference of magnitudes is a share of.
double length_of_recorded(double squared, double count) {
  return std::max(std::sqrt(squared), kQuietMagnitude * std::sqrt(count));
}

struct SpectralDistanceFunction : torch::autograd::Function<SpectralDistanceFunction> {
  static torch::Tensor forward(AutogradContext* context,
                               const torch::Tensor& given_predicted,
                               const torch::Tensor& given_recorded) {
    RECORD_FUNCTION("xtts::spectral_distance", std::vector<c10::IValue>());
    const torch::Tensor predicted = given_predicted.resolve_conj().contiguous();
    const torch::Tensor recorded = given_recorded.resolve_conj().contiguous();
    const std::vector<SpectralSums> sums = sums_of_rows(predicted, recorded);
    const auto count = static_cast<double>(predicted.size(1) * predicted.size(2));
    torch::Tensor distances = torch::empty({predicted.size(0), 3}, torch::kFloat32);
    // What a slope of each of the three is multiplied by.
    torch::Tensor slopes = torch::empty({predicted.size(0), 3}, torch::kFloat32);
    auto distance = distances.accessor<float, 2>();
    auto slope = slopes.accessor<float, 2>();
    for (std::int64_t row = 0; row < predicted.size(0); ++row) {
      const SpectralSums& sum = sums[static_cast<std::size_t>(row)];
      const double length = length_of_recorded(sum.recorded, count);
      const double difference = std::sqrt(sum.difference);
      distance[row][0] = static_cast<float>(sum.log_magnitude / count);
      distance[row][1] = static_cast<float>(difference / length);
      distance[row][2] = static_cast<float>(sum.complex / (2.0 * count));
      slope[row][0] = static_cast<float>(1.0 / count);
      slope[row][1] = difference > 0.0 ? static_cast<float>(1.0 / (difference * length)) : 0.0F;
      slope[row][2] = static_cast<float>(1.0 / (2.0 * count));
    }
    context->save_for_backward({predicted, recorded, slopes});
    return distances;
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    RECORD_FUNCTION("xtts::spectral_distance_backward", std::vector<c10::IValue>());
    const variable_list saved = context->get_saved_variables();
    const torch::Tensor& predicted = saved[0];
    const torch::Tensor factors = gradients[0] * saved[2];
    const auto factor = factors.accessor<float, 2>();
    const std::int64_t frames = predicted.size(1);
    const std::int64_t bins = predicted.size(2);
    torch::Tensor gradient = torch::empty_like(predicted);
    over_pieces(predicted.size(0), frames, [&](std::int64_t row, std::int64_t, Range range) {
      const std::int64_t first = row * frames * bins * 2;
      run(SpectralSlope{.predicted = values_of<float>(predicted) + first,
                        .recorded = values_of<float>(saved[1]) + first,
                        .log_magnitude_slope = factor[row][0],
                        .difference_slope = factor[row][1],
                        .complex_slope = factor[row][2],
                        .gradient = places_of<float>(gradient) + first},
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
  const torch::Tensor wanted = recorded.abs();
  const auto log = [](const torch::Tensor& magnitude) {
    return magnitude.clamp_min(double{kMagnitudeFloor}).log();
  };
  const double count = static_cast<double>(predicted.size(1) * predicted.size(2));
  const torch::Tensor length = wanted.square().sum({1, 2}).sqrt();
  const torch::Tensor difference = (found - wanted).square().sum({1, 2}).sqrt();
  return at::stack({(log(found) - log(wanted)).abs().mean({1, 2}),
                    difference / length.clamp_min(kQuietMagnitude * std::sqrt(count)),
                    at::view_as_real(predicted - recorded).abs().mean({1, 2, 3})},
                   /*dim=*/1);
}

}  // namespace xtts::model
