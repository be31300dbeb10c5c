#include "model/waveform_discriminators_torch.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "audio/stft.h"
#include "base/error.h"
#include "model/frames_torch.h"
#include "model/layers_torch.h"

namespace xtts::model {
namespace {

constexpr std::array<std::int64_t, 5> kPeriods = {2, 3, 5, 7, 11};
constexpr std::array<int, 3> kResolutions = {512, 1024, 2048};
constexpr double kLeak = 0.1;
constexpr double kNoLogarithm = 1e-5;  // magnitude that silence counts as
constexpr double kNoFeature = 1e-3;    // what a layer that sees nothing counts as

// [B, S] -> [B, period, S / period, 1], mirrored at the end where it has to be longer.
torch::Tensor folded(const torch::Tensor& sound, std::int64_t period) {
  const std::int64_t rest = sound.size(1) % period;
  const torch::Tensor whole = rest == 0 ? sound : at::reflection_pad1d(sound, {0, period - rest});
  return whole.reshape({sound.size(0), -1, period, 1}).transpose(1, 2);
}

// [B], the mean of all but the first dimension.
torch::Tensor mean_of_rows(const torch::Tensor& values) {
  return values.to(torch::kFloat32).flatten(1).mean(1);
}

}  // namespace

torch::Tensor windows_of(const torch::Tensor& x, std::int64_t kernel, std::int64_t stride) {
  const std::int64_t length = x.size(2);
  const std::int64_t channels = x.size(3);
  const std::int64_t windows = (length - 1) / stride + 1;
  const std::int64_t steps = (kernel + stride - 1) / stride;  // of the stride, within a window
  const std::int64_t whole = stride * (windows + steps - 1);
  const torch::Tensor padded =
      at::constant_pad_nd(x, {0, 0, kernel / 2, whole - length - kernel / 2});
  const torch::Tensor grouped = padded.reshape({x.size(0), x.size(1), -1, stride * channels});
  std::vector<torch::Tensor> parts;
  for (std::int64_t i = 0; i < steps; ++i) {
    const std::int64_t places = std::min(stride, kernel - i * stride);
    parts.push_back(grouped.narrow(2, i, windows).narrow(3, 0, places * channels));
  }
  return at::cat(parts, /*dim=*/-1);
}

struct WaveformDiscriminators::Parts {
  // A convolution over two dimensions, zeros outside.
  struct Convolution2 {
    struct Shape {
      std::int64_t in, out;
      std::array<std::int64_t, 2> kernel;
      std::int64_t stride;  // in both
    };

    Convolution2(ParameterSet& parameters, const std::string& name, const Shape& its_shape)
        : shape(its_shape),
          weight(parameters.add(
              name + ".weight",
              {shape.out, shape.in, shape.kernel[0], shape.kernel[1]},
              1.0 / std::sqrt(static_cast<double>(shape.in * shape.kernel[0] * shape.kernel[1])))),
          bias(parameters.add(name + ".bias", {shape.out}, 0.0)) {}

    torch::Tensor operator()(const torch::Tensor& x, bool frozen) const {
      return at::conv2d(x,
                        (frozen ? weight.detach() : weight).to(x.scalar_type()),
                        (frozen ? bias.detach() : bias).to(x.scalar_type()),
                        shape.stride,
                        at::IntArrayRef({shape.kernel[0] / 2, shape.kernel[1] / 2}));
    }

    Shape shape;
    torch::Tensor weight;  // [out, in, rows, columns]
    torch::Tensor bias;    // [out]
  };

  // A convolution over the third of four dimensions, channels last, as one product of matrices:
  // with so few channels convolutions of LibTorch take twice as long.
  struct Convolution1 {
    struct Shape {
      std::int64_t in, out, kernel, stride;
    };

    Convolution1(ParameterSet& parameters, const std::string& name, const Shape& its_shape)
        : shape(its_shape), linear(parameters, name, shape.kernel * shape.in, shape.out) {}

    torch::Tensor operator()(const torch::Tensor& x, bool frozen) const {
      const torch::Tensor seen = windows_of(x, shape.kernel, shape.stride);
      return frozen ? linear.frozen()(seen) : linear(seen);
    }

    Shape shape;
    Linear linear;  // weight [out, kernel * in], the place in the window first
  };

  // Convolutions with a leak between them; the last one scores.
  template <typename Convolution>
  struct Judge {
    DiscriminatorOutput operator()(torch::Tensor x, bool frozen) const {
      DiscriminatorOutput opinion;
      for (std::size_t i = 0; i + 1 < layers.size(); ++i) {
        x = at::leaky_relu(layers[i](x, frozen), kLeak);
        opinion.features.push_back(x);
      }
      opinion.scores = layers.back()(x, frozen).to(torch::kFloat32);
      return opinion;
    }

    std::vector<Convolution> layers;
  };

  static Judge<Convolution1> judge_of_period(ParameterSet& parameters,
                                             std::int64_t period,
                                             std::int64_t channels) {
    const std::string name = fmt::format("{}period_{}", kPrefix, period);
    Judge<Convolution1> judge;
    std::int64_t in = 1;
    for (const std::int64_t factor : {1, 2, 4, 8}) {
      const std::string layer = fmt::format("{}.{}", name, judge.layers.size());
      judge.layers.emplace_back(
          parameters,
          layer,
          Convolution1::Shape{.in = in, .out = factor * channels, .kernel = 5, .stride = 3});
      in = factor * channels;
    }
    judge.layers.emplace_back(parameters,
                              name + ".score",
                              Convolution1::Shape{.in = in, .out = 1, .kernel = 3, .stride = 1});
    return judge;
  }

  // Over frames and bins, of both of which each layer leaves half: layers that keep them all cost
  // ten times as much.
  static Judge<Convolution2> judge_of_resolution(ParameterSet& parameters,
                                                 int n_fft,
                                                 std::int64_t channels) {
    const std::string name = fmt::format("{}resolution_{}", kPrefix, n_fft);
    Judge<Convolution2> judge;
    std::int64_t in = 1;
    for (const std::int64_t factor : {1, 2, 4, 4}) {
      const std::string layer = fmt::format("{}.{}", name, judge.layers.size());
      judge.layers.emplace_back(
          parameters,
          layer,
          Convolution2::Shape{.in = in, .out = factor * channels, .kernel = {3, 5}, .stride = 2});
      in = factor * channels;
    }
    judge.layers.emplace_back(
        parameters,
        name + ".score",
        Convolution2::Shape{.in = in, .out = 1, .kernel = {3, 3}, .stride = 1});
    return judge;
  }

  Parts(ParameterSet& parameters, const DiscriminatorSizes& sizes) {
    for (const std::int64_t period : kPeriods)
      periods.push_back(judge_of_period(parameters, period, sizes.period_channels));
    for (const int n_fft : kResolutions) {
      resolutions.push_back(judge_of_resolution(parameters, n_fft, sizes.resolution_channels));
      windows.push_back(torch::tensor(audio::hann_window(n_fft), torch::kFloat32));
    }
  }

  std::vector<Judge<Convolution1>> periods;
  std::vector<Judge<Convolution2>> resolutions;
  std::vector<torch::Tensor> windows;  // [n_fft] each
};

WaveformDiscriminators::WaveformDiscriminators(ParameterSet& parameters,
                                               const DiscriminatorSizes& sizes)
    : parts_(std::make_unique<Parts>(parameters, sizes)) {}

WaveformDiscriminators::~WaveformDiscriminators() = default;

std::vector<DiscriminatorOutput> WaveformDiscriminators::operator()(const torch::Tensor& sound,
                                                                    torch::ScalarType type,
                                                                    bool frozen) const {
  invariant(sound.size(1) >= kResolutions.back(), "the sound is longer than the longest window");
  std::vector<DiscriminatorOutput> opinions;
  for (std::size_t i = 0; i < kPeriods.size(); ++i)
    opinions.push_back(parts_->periods[i](folded(sound, kPeriods[i]).to(type), frozen));
  for (std::size_t i = 0; i < kResolutions.size(); ++i) {
    const torch::Tensor window = parts_->windows[i].to(sound.device());
    const torch::Tensor spectra =
        real_spectra(cut_frames(sound, window, kResolutions[i] / 4));  // [B, M, F]
    const torch::Tensor parts = at::view_as_real(spectra);
    const torch::Tensor level = (parts.square().sum(-1) + kNoLogarithm * kNoLogarithm).log() * 0.5;
    opinions.push_back(parts_->resolutions[i](level.unsqueeze(1).to(type), frozen));
  }
  return opinions;
}

torch::Tensor discriminator_loss(const std::vector<DiscriminatorOutput>& recorded,
                                 const std::vector<DiscriminatorOutput>& made,
                                 const torch::Tensor& weights) {
  invariant(recorded.size() == made.size() && !made.empty(), "both are judged by all");
  torch::Tensor sum = torch::zeros_like(weights);
  for (std::size_t i = 0; i < made.size(); ++i) {
    sum = sum + mean_of_rows((1.0 - recorded[i].scores).clamp_min(0.0)) +
          mean_of_rows((made[i].scores + 1.0).clamp_min(0.0));
  }
  return (sum * weights).sum() / static_cast<double>(made.size());
}

torch::Tensor generator_loss(const std::vector<DiscriminatorOutput>& made,
                             const torch::Tensor& weights) {
  torch::Tensor sum = torch::zeros_like(weights);
  for (const DiscriminatorOutput& opinion : made)
    sum = sum + mean_of_rows((1.0 - opinion.scores).clamp_min(0.0));
  return (sum * weights).sum() / static_cast<double>(made.size());
}

torch::Tensor feature_matching_loss(const std::vector<DiscriminatorOutput>& recorded,
                                    const std::vector<DiscriminatorOutput>& made,
                                    const torch::Tensor& weights) {
  invariant(recorded.size() == made.size() && !made.empty(), "both are judged by all");
  torch::Tensor sum = torch::zeros_like(weights);
  std::size_t count = 0;
  for (std::size_t i = 0; i < made.size(); ++i) {
    for (std::size_t k = 0; k < made[i].features.size(); ++k, ++count) {
      const torch::Tensor wanted = recorded[i].features[k].detach();
      sum = sum + mean_of_rows((wanted - made[i].features[k]).abs()) /
                      (mean_of_rows(wanted.abs()) + kNoFeature);
    }
  }
  return (sum * weights).sum() / static_cast<double>(count);
}

}  // namespace xtts::model
