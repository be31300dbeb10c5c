#include "model/frames_torch.h"

#include <algorithm>

#include <ATen/Parallel.h>
#include <ATen/record_function.h>
#include <torch/csrc/autograd/custom_function.h>

#include "audio/stft.h"
#include "base/error.h"

namespace myxtts::model {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

struct FrameSizes {
  std::int64_t rows = 0;
  std::int64_t samples = 0;  // per row
  std::int64_t frames = 0;   // per row
  std::int64_t window = 0;
  std::int64_t hop = 0;
};

FrameSizes framing_sizes(const torch::Tensor& samples,
                         const torch::Tensor& window,
                         std::int64_t hop) {
  invariant(samples.dim() == 2 && samples.size(1) >= 1, "samples are [B, S] with S >= 1");
  return {.rows = samples.size(0),
          .samples = samples.size(1),
          .frames = 1 + samples.size(1) / hop,
          .window = window.size(0),
          .hop = hop};
}

FrameSizes overlap_add_sizes(const torch::Tensor& frames, std::int64_t hop) {
  invariant(frames.dim() == 3 && frames.size(1) >= 2, "frames are [B, M, N] with M >= 2");
  return {.rows = frames.size(0),
          .samples = (frames.size(1) - 1) * hop,
          .frames = frames.size(1),
          .window = frames.size(2),
          .hop = hop};
}

// For each frame of each row calls inside(frame, first, samples, count) once for the part of the
// window from `first` that lies within the signal, and outside(frame, i, samples, index) for each
// window position i that does not; `index` is below 0 or beyond the last sample. `frame` and
// `samples` are offsets into the buffers of all rows.
template <typename Inside, typename Outside>
void for_each_frame(const FrameSizes& sizes, const Inside& inside, const Outside& outside) {
  at::parallel_for(0, sizes.rows, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin * sizes.frames; i < end * sizes.frames; ++i) {
      const std::int64_t row = i / sizes.frames * sizes.samples;
      const std::int64_t start = i % sizes.frames * sizes.hop - sizes.window / 2;
      const std::int64_t first = std::clamp<std::int64_t>(-start, 0, sizes.window);
      const std::int64_t last =
          std::clamp<std::int64_t>(sizes.samples - start, first, sizes.window);
      const std::int64_t frame = i * sizes.window;
      for (std::int64_t w = 0; w < first; ++w)
        outside(frame, w, row, start + w);
      inside(frame, first, row + start + first, last - first);
      for (std::int64_t w = last; w < sizes.window; ++w)
        outside(frame, w, row, start + w);
    }
  });
}

enum class Padding { kReflect, kZero };  // of the signal at both ends

torch::Tensor frames_from(const torch::Tensor& samples,
                          const torch::Tensor& given_window,
                          const FrameSizes& sizes,
                          Padding padding) {
  RECORD_FUNCTION("myxtts::frame_signal", std::vector<c10::IValue>());
  torch::Tensor frames = torch::empty({sizes.rows, sizes.frames, sizes.window}, samples.options());
  const float* const x = samples.const_data_ptr<float>();
  const float* const window = given_window.const_data_ptr<float>();
  float* const y = frames.mutable_data_ptr<float>();
  for_each_frame(
      sizes,
      [&](std::int64_t frame, std::int64_t first, std::int64_t at, std::int64_t count) {
        const float* __restrict from = x + at;
        const float* __restrict weight = window + first;
        float* __restrict to = y + frame + first;
        for (std::int64_t i = 0; i < count; ++i)
          to[i] = weight[i] * from[i];
      },
      [&](std::int64_t frame, std::int64_t i, std::int64_t row, std::int64_t index) {
        y[frame + i] =
            padding == Padding::kZero
                ? 0.0F
                : window[i] *
                      x[row + static_cast<std::int64_t>(audio::mirrored(index, sizes.samples))];
      });
  return frames;
}

torch::Tensor samples_from(const torch::Tensor& frames,
                           const torch::Tensor& given_window,
                           const FrameSizes& sizes,
                           Padding padding) {
  RECORD_FUNCTION("myxtts::overlap_add", std::vector<c10::IValue>());
  torch::Tensor samples = torch::zeros({sizes.rows, sizes.samples}, frames.options());
  const float* const x = frames.const_data_ptr<float>();
  const float* const window = given_window.const_data_ptr<float>();
  float* const y = samples.mutable_data_ptr<float>();
  for_each_frame(
      sizes,
      [&](std::int64_t frame, std::int64_t first, std::int64_t at, std::int64_t count) {
        const float* __restrict from = x + frame + first;
        const float* __restrict weight = window + first;
        float* __restrict to = y + at;
        for (std::int64_t i = 0; i < count; ++i)
          to[i] += weight[i] * from[i];
      },
      [&](std::int64_t frame, std::int64_t i, std::int64_t row, std::int64_t index) {
        if (padding == Padding::kZero) return;
        y[row + static_cast<std::int64_t>(audio::mirrored(index, sizes.samples))] +=
            window[i] * x[frame + i];
      });
  return samples;
}

struct FrameSignal : torch::autograd::Function<FrameSignal> {
  static torch::Tensor forward(AutogradContext* context,
                               const torch::Tensor& given,
                               const torch::Tensor& window,
                               std::int64_t hop) {
    const torch::Tensor samples = given.contiguous();
    context->save_for_backward({window});
    context->saved_data["samples"] = samples.size(1);
    context->saved_data["hop"] = hop;
    return frames_from(samples, window, framing_sizes(samples, window, hop), Padding::kReflect);
  }

  static variable_list backward(AutogradContext* context, const variable_list& grad_outputs) {
    const torch::Tensor gradient = grad_outputs[0].contiguous();
    const torch::Tensor window = context->get_saved_variables()[0];
    const FrameSizes sizes{.rows = gradient.size(0),
                           .samples = context->saved_data["samples"].toInt(),
                           .frames = gradient.size(1),
                           .window = window.size(0),
                           .hop = context->saved_data["hop"].toInt()};
    return {samples_from(gradient, window, sizes, Padding::kReflect), {}, {}};
  }
};

struct OverlapAdd : torch::autograd::Function<OverlapAdd> {
  static torch::Tensor forward(AutogradContext* context,
                               const torch::Tensor& frames,
                               const torch::Tensor& window,
                               std::int64_t hop) {
    context->save_for_backward({window});
    context->saved_data["frames"] = frames.size(1);
    context->saved_data["hop"] = hop;
    return samples_from(
        frames.contiguous(), window, overlap_add_sizes(frames, hop), Padding::kZero);
  }

  static variable_list backward(AutogradContext* context, const variable_list& grad_outputs) {
    const torch::Tensor gradient = grad_outputs[0].contiguous();
    const torch::Tensor window = context->get_saved_variables()[0];
    const FrameSizes sizes{.rows = gradient.size(0),
                           .samples = gradient.size(1),
                           .frames = context->saved_data["frames"].toInt(),
                           .window = window.size(0),
                           .hop = context->saved_data["hop"].toInt()};
    return {frames_from(gradient, window, sizes, Padding::kZero), {}, {}};
  }
};

constexpr std::int64_t kNoNormalisation = 0;  // mode of _fft_r2c and _fft_c2r

// For a bin X = sum over t of x(t) e^(-iwt) the gradient of x(t) is Re(G e^(iwt)). The inverse real
// FFT is the sum of these with all bins but the first and the last counted twice.
struct RealFft : torch::autograd::Function<RealFft> {
  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& signals) {
    context->saved_data["length"] = signals.size(-1);
    return at::_fft_r2c(signals, {signals.dim() - 1}, kNoNormalisation, /*onesided=*/true);
  }

  static variable_list backward(AutogradContext* context, const variable_list& grad_outputs) {
    const std::int64_t length = context->saved_data["length"].toInt();
    torch::Tensor bins = grad_outputs[0] * 0.5;
    bins.select(-1, 0).mul_(2.0);
    bins.select(-1, length / 2).mul_(2.0);
    return {at::_fft_c2r(bins, {bins.dim() - 1}, kNoNormalisation, length)};
  }
};

}  // namespace

torch::Tensor frame_signal(const torch::Tensor& samples,
                           const torch::Tensor& window,
                           std::int64_t hop) {
  if (!samples.device().is_cpu()) return reference_frame_signal(samples, window, hop);
  return FrameSignal::apply(samples, window, hop);
}

torch::Tensor reference_frame_signal(const torch::Tensor& samples,
                                     const torch::Tensor& window,
                                     std::int64_t hop) {
  const FrameSizes sizes = framing_sizes(samples, window, hop);
  const std::int64_t margin = sizes.window / 2;
  const std::int64_t period = std::max<std::int64_t>(1, 2 * (sizes.samples - 1));
  const torch::Tensor indices =
      torch::arange(-margin, (sizes.frames - 1) * hop - margin + sizes.window, torch::kInt64)
          .remainder(period);
  const torch::Tensor mirrored =
      torch::minimum(indices, period - indices).clamp_max(sizes.samples - 1);
  return samples.index_select(1, mirrored.to(samples.device())).unfold(1, sizes.window, hop) *
         window;
}

torch::Tensor overlap_add(const torch::Tensor& frames,
                          const torch::Tensor& window,
                          std::int64_t hop) {
  if (!frames.device().is_cpu()) return reference_overlap_add(frames, window, hop);
  return OverlapAdd::apply(frames, window, hop);
}

torch::Tensor reference_overlap_add(const torch::Tensor& frames,
                                    const torch::Tensor& window,
                                    std::int64_t hop) {
  const FrameSizes sizes = overlap_add_sizes(frames, hop);
  const std::int64_t whole = sizes.samples + sizes.window;
  return at::col2im((frames * window).transpose(1, 2),
                    {1, whole},
                    {1, sizes.window},
                    /*dilation=*/{1, 1},
                    /*padding=*/{0, 0},
                    {1, hop})
      .view({sizes.rows, whole})
      .narrow(1, sizes.window / 2, sizes.samples);
}

torch::Tensor real_fft(const torch::Tensor& signals) {
  return RealFft::apply(signals);
}

}  // namespace myxtts::model
