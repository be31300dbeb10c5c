#include "model/mel_envelope_torch.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "audio/mel_filterbank.h"

namespace myxtts::model {
namespace {

struct ChannelPoint {
  double bin = 0.0;    // centre of the filter
  double level = 0.0;  // log of the sum of the filter's weights
};

// Returns the centres and levels of the mel filters in ascending frequency.
std::vector<ChannelPoint> points_of(const audio::MelFilterbank& filters) {
  std::vector<ChannelPoint> points;
  for (const audio::MelFilterbank::Band& band : filters.bands()) {
    double sum = 0.0;
    double moment = 0.0;
    for (std::size_t i = 0; i < band.weights.size(); ++i) {
      sum += band.weights[i];
      moment += band.weights[i] * static_cast<double>(band.first_bin + i);
    }
    points.push_back({.bin = moment / sum, .level = std::log(sum)});
  }
  return points;
}

}  // namespace

MelEnvelope::MelEnvelope(const audio::MelSpec& spec) {
  const audio::MelFilterbank filters(spec);
  const std::vector<ChannelPoint> points = points_of(filters);
  weight_ = torch::zeros({filters.num_bins(), filters.num_mels()});
  bias_ = torch::zeros({filters.num_bins()});
  auto weight = weight_.accessor<float, 2>();
  auto bias = bias_.accessor<float, 1>();
  for (int bin = 0; bin < filters.num_bins(); ++bin) {
    const auto above =
        std::ranges::find_if(points, [&](const ChannelPoint& point) { return point.bin >= bin; });
    const auto high = above == points.end() ? above - 1 : above;
    const auto low = above == points.begin() ? above : above - 1;
    const double width = high->bin - low->bin;
    const double share = width > 0.0 ? (bin - low->bin) / width : 0.0;
    weight[bin][low - points.begin()] += static_cast<float>(1.0 - share);
    weight[bin][high - points.begin()] += static_cast<float>(share);
    bias[bin] = static_cast<float>(-(1.0 - share) * low->level - share * high->level);
  }
}

torch::Tensor MelEnvelope::operator()(const torch::Tensor& mel) const {
  return at::linear(mel, weight_.to(mel.device()), bias_.to(mel.device()));
}

}  // namespace myxtts::model
