#include "model/waveform_discriminators_torch.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "audio/stft.h"
#include "base/error.h"
#include "model/frames_torch.h"
#include "model/layers_torch.h"

namespace myxtts::model {
namespace {

constexpr std::array<std::int64_t, 5> kPeriods = {2, 3, 5, 7, 11};
constexpr std::array<int, 3> kResolutions = {512, 1024, 2048};
constexpr double kLeakySlope = 0.1;
constexpr double kMagnitudeEpsilon = 1e-5;  // avoids log(0)
constexpr double kFeatureEpsilon = 1e-3;    // avoids a division by 0

// [B, S] -> [B, period, S / period, 1], padded by reflection to a multiple of the period.
torch::Tensor fold_by_period(const torch::Tensor& waveform, std::int64_t period) {
  const std::int64_t rest = waveform.size(1) % period;
  const torch::Tensor padded =
      rest == 0 ? waveform : at::reflection_pad1d(waveform, {0, period - rest});
  return padded.reshape({waveform.size(0), -1, period, 1}).transpose(1, 2);
}

// Returns the mean over all but the first dimension: [B].
torch::Tensor mean_of_rows(const torch::Tensor& values) {
  return values.to(torch::kFloat32).flatten(1).mean(1);
}

}  // namespace

torch::Tensor windows_of(const torch::Tensor& x, std::int64_t kernel, std::int64_t stride) {
  const std::int64_t length = x.size(2);
  const std::int64_t channels = x.size(3);
  const std::int64_t windows = (length - 1) / stride + 1;
  const std::int64_t steps = (kernel + stride - 1) / stride;  // strides per window
  const std::int64_t whole = stride * (windows + steps - 1);
  const torch::Tensor padded =
      at::constant_pad_nd(x, {0, 0, kernel / 2, whole - length - kernel / 2});
  const torch::Tensor grouped = padded.reshape({x.size(0), x.size(1), -1, stride * channels});
  std::vector<torch::Tensor> parts;
  for (std::int64_t i = 0; i < steps; ++i) {
    const std::int64_t taps = std::min(stride, kernel - i * stride);
    parts.push_back(grouped.narrow(2, i, windows).narrow(3, 0, taps * channels));
  }
  return at::cat(parts, /*dim=*/-1);
}

struct WaveformDiscriminators::Parts {
  // 2-D convolution, zero-padded.
  struct Convolution2 {
    struct Shape {
      std::int64_t in, out;
      std::array<std::int64_t, 2> kernel;
      std::int64_t stride;  // in both dimensions
    };

    Convolution2(ParameterSet& parameters, const std::string& name, const Shape& sizes)
        : shape(sizes),
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

  // 1-D convolution over the third of four dimensions, channels last, as one matrix product: with
  // so few channels, convolutions of LibTorch take twice as long.
  struct Convolution1 {
    struct Shape {
      std::int64_t in, out, kernel, stride;
    };

    Convolution1(ParameterSet& parameters, const std::string& name, const Shape& sizes)
        : shape(sizes), linear(parameters, name, shape.kernel * shape.in, shape.out) {}

    torch::Tensor operator()(const torch::Tensor& x, bool frozen) const {
      const torch::Tensor windows = windows_of(x, shape.kernel, shape.stride);
      return frozen ? linear.frozen()(windows) : linear(windows);
    }

    Shape shape;
    Linear linear;  // weight [out, kernel * in], kernel position first
  };

  // Convolutions with leaky ReLUs between them; the last one computes the scores.
  template <typename Convolution>
  struct SubDiscriminator {
    DiscriminatorOutput operator()(torch::Tensor x, bool frozen) const {
      DiscriminatorOutput output;
      for (std::size_t i = 0; i + 1 < layers.size(); ++i) {
        x = at::leaky_relu(layers[i](x, frozen), kLeakySlope);
        output.features.push_back(x);
      }
      output.scores = layers.back()(x, frozen).to(torch::kFloat32);
      return output;
    }

    std::vector<Convolution> layers;
  };

  static SubDiscriminator<Convolution1> period_discriminator(ParameterSet& parameters,
                                                             std::int64_t period,
                                                             std::int64_t channels) {
    const std::string name = fmt::format("{}period_{}", kPrefix, period);
    SubDiscriminator<Convolution1> discriminator;
    std::int64_t in = 1;
    for (const std::int64_t factor : {1, 2, 4, 8}) {
      const std::string layer = fmt::format("{}.{}", name, discriminator.layers.size());
      discriminator.layers.emplace_back(
          parameters,
          layer,
          Convolution1::Shape{.in = in, .out = factor * channels, .kernel = 5, .stride = 3});
      in = factor * channels;
    }
    discriminator.layers.emplace_back(
        parameters,
        name + ".score",
        Convolution1::Shape{.in = in, .out = 1, .kernel = 3, .stride = 1});
    return discriminator;
  }

  // Each layer has stride 2 over frames and bins: layers without stride would cost ten times as
  // much.
  static SubDiscriminator<Convolution2> resolution_discriminator(ParameterSet& parameters,
                                                                 int n_fft,
                                                                 std::int64_t channels) {
    const std::string name = fmt::format("{}resolution_{}", kPrefix, n_fft);
    SubDiscriminator<Convolution2> discriminator;
    std::int64_t in = 1;
    for (const std::int64_t factor : {1, 2, 4, 4}) {
      const std::string layer = fmt::format("{}.{}", name, discriminator.layers.size());
      discriminator.layers.emplace_back(
          parameters,
          layer,
          Convolution2::Shape{.in = in, .out = factor * channels, .kernel = {3, 5}, .stride = 2});
      in = factor * channels;
    }
    discriminator.layers.emplace_back(
        parameters,
        name + ".score",
        Convolution2::Shape{.in = in, .out = 1, .kernel = {3, 3}, .stride = 1});
    return discriminator;
  }

  Parts(ParameterSet& parameters, const DiscriminatorSizes& sizes) {
    for (const std::int64_t period : kPeriods)
      periods.push_back(period_discriminator(parameters, period, sizes.period_channels));
    for (const int n_fft : kResolutions) {
      resolutions.push_back(resolution_discriminator(parameters, n_fft, sizes.resolution_channels));
      windows.push_back(torch::tensor(audio::hann_window(n_fft), torch::kFloat32));
    }
  }

  std::vector<SubDiscriminator<Convolution1>> periods;
  std::vector<SubDiscriminator<Convolution2>> resolutions;
  std::vector<torch::Tensor> windows;  // [n_fft] each
};

WaveformDiscriminators::WaveformDiscriminators(ParameterSet& parameters,
                                               const DiscriminatorSizes& sizes)
    : parts_(std::make_unique<Parts>(parameters, sizes)) {}

WaveformDiscriminators::~WaveformDiscriminators() = default;

std::vector<DiscriminatorOutput> WaveformDiscriminators::operator()(const torch::Tensor& waveform,
                                                                    torch::ScalarType type,
                                                                    bool frozen) const {
  invariant(waveform.size(1) >= kResolutions.back(),
            "the waveform is at least as long as the longest window");
  std::vector<DiscriminatorOutput> outputs;
  for (std::size_t i = 0; i < kPeriods.size(); ++i)
    outputs.push_back(parts_->periods[i](fold_by_period(waveform, kPeriods[i]).to(type), frozen));
  for (std::size_t i = 0; i < kResolutions.size(); ++i) {
    const torch::Tensor window = parts_->windows[i].to(waveform.device());
    const torch::Tensor spectra =
        real_fft(frame_signal(waveform, window, kResolutions[i] / 4));  // [B, M, F]
    const torch::Tensor parts = at::view_as_real(spectra);
    const torch::Tensor log_magnitude =
        (parts.square().sum(-1) + kMagnitudeEpsilon * kMagnitudeEpsilon).log() * 0.5;
    outputs.push_back(parts_->resolutions[i](log_magnitude.unsqueeze(1).to(type), frozen));
  }
  return outputs;
}

torch::Tensor discriminator_loss(const std::vector<DiscriminatorOutput>& recorded,
                                 const std::vector<DiscriminatorOutput>& generated,
                                 const torch::Tensor& weights) {
  invariant(recorded.size() == generated.size() && !generated.empty(),
            "recorded and generated have the outputs of all discriminators");
  torch::Tensor sum = torch::zeros_like(weights);
  for (std::size_t i = 0; i < generated.size(); ++i) {
    sum = sum + mean_of_rows((1.0 - recorded[i].scores).clamp_min(0.0)) +
          mean_of_rows((generated[i].scores + 1.0).clamp_min(0.0));
  }
  return (sum * weights).sum() / static_cast<double>(generated.size());
}

torch::Tensor generator_loss(const std::vector<DiscriminatorOutput>& generated,
                             const torch::Tensor& weights) {
  torch::Tensor sum = torch::zeros_like(weights);
  for (const DiscriminatorOutput& output : generated)
    sum = sum + mean_of_rows((1.0 - output.scores).clamp_min(0.0));
  return (sum * weights).sum() / static_cast<double>(generated.size());
}

torch::Tensor feature_matching_loss(const std::vector<DiscriminatorOutput>& recorded,
                                    const std::vector<DiscriminatorOutput>& generated,
                                    const torch::Tensor& weights) {
  invariant(recorded.size() == generated.size() && !generated.empty(),
            "recorded and generated have the outputs of all discriminators");
  torch::Tensor sum = torch::zeros_like(weights);
  std::size_t count = 0;
  for (std::size_t i = 0; i < generated.size(); ++i) {
    for (std::size_t k = 0; k < generated[i].features.size(); ++k, ++count) {
      const torch::Tensor target = recorded[i].features[k].detach();
      sum = sum + mean_of_rows((target - generated[i].features[k]).abs()) /
                      (mean_of_rows(target.abs()) + kFeatureEpsilon);
    }
  }
  return (sum * weights).sum() / static_cast<double>(count);
}

}  // namespace myxtts::model
