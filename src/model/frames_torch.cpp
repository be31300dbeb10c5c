#include "model/frames_torch.h"

#include <algorithm>

#include <ATen/Parallel.h>
#include <ATen/record_function.h>
#include <torch/csrc/autograd/custom_function.h>

#include "audio/stft.h"
#include "base/error.h"

namespace xtts::model {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

struct FrameSizes {
  std::int64_t rows = 0;
  std::int64_t samples = 0;  // of a row
  std::int64_t frames = 0;   // of a row
  std::int64_t window = 0;
  std::int64_t hop = 0;
};

FrameSizes sizes_of_cut(const torch::Tensor& samples,
                        const torch::Tensor& window,
                        std::int64_t hop) {
  invariant(samples.dim() == 2 && samples.size(1) >= 1, "samples are rows with some in each");
  return {.rows = samples.size(0),
          .samples = samples.size(1),
          .frames = 1 + samples.size(1) / hop,
          .window = window.size(0),
          .hop = hop};
}

FrameSizes sizes_of_sum(const torch::Tensor& frames, std::int64_t hop) {
  invariant(frames.dim() == 3 && frames.size(1) >= 2, "there are two frames or more");
  return {.rows = frames.size(0),
          .samples = (frames.size(1) - 1) * hop,
          .frames = frames.size(1),
          .window = frames.size(2),
          .hop = hop};
}

// For each frame of each row: inside(frame, first, samples, count) once for the part of the window
// from `first` that lies within the signal, and outside(frame, i, samples, place) for each place i
// of the window that does not, where `place` is below 0 or beyond the last sample. `frame` and
// `samples` count from the beginning of all frames and of all samples.
template <typename Inside, typename Outside>
void over_frames(const FrameSizes& sizes, const Inside& inside, const Outside& outside) {
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

enum class Beyond { kMirror, kNothing };  // what there is outside of the signal

torch::Tensor frames_from(const torch::Tensor& samples,
                          const torch::Tensor& given_window,
                          const FrameSizes& sizes,
                          Beyond beyond) {
  RECORD_FUNCTION("xtts::frames_from", std::vector<c10::IValue>());
  torch::Tensor frames = torch::empty({sizes.rows, sizes.frames, sizes.window}, samples.options());
  const float* const x = samples.const_data_ptr<float>();
  const float* const window = given_window.const_data_ptr<float>();
  float* const y = frames.mutable_data_ptr<float>();
  over_frames(
      sizes,
      [&](std::int64_t frame, std::int64_t first, std::int64_t at, std::int64_t count) {
        const float* __restrict from = x + at;
        const float* __restrict weight = window + first;
        float* __restrict to = y + frame + first;
        for (std::int64_t i = 0; i < count; ++i)
          to[i] = weight[i] * from[i];
      },
      [&](std::int64_t frame, std::int64_t i, std::int64_t row, std::int64_t place) {
        y[frame + i] =
            beyond == Beyond::kNothing
                ? 0.0F
                : window[i] *
                      x[row + static_cast<std::int64_t>(audio::mirrored(place, sizes.samples))];
      });
  return frames;
}

torch::Tensor samples_from(const torch::Tensor& frames,
                           const torch::Tensor& given_window,
                           const FrameSizes& sizes,
                           Beyond beyond) {
  RECORD_FUNCTION("xtts::samples_from", std::vector<c10::IValue>());
  torch::Tensor samples = torch::zeros({sizes.rows, sizes.samples}, frames.options());
  const float* const x = frames.const_data_ptr<float>();
  const float* const window = given_window.const_data_ptr<float>();
  float* const y = samples.mutable_data_ptr<float>();
  over_frames(
      sizes,
      [&](std::int64_t frame, std::int64_t first, std::int64_t at, std::int64_t count) {
        const float* __restrict from = x + frame + first;
        const float* __restrict weight = window + first;
        float* __restrict to = y + at;
        for (std::int64_t i = 0; i < count; ++i)
          to[i] += weight[i] * from[i];
      },
      [&](std::int64_t frame, std::int64_t i, std::int64_t row, std::int64_t place) {
        if (beyond == Beyond::kNothing) return;
        y[row + static_cast<std::int64_t>(audio::mirrored(place, sizes.samples))] +=
            window[i] * x[frame + i];
      });
  return samples;
}

struct CutFrames : torch::autograd::Function<CutFrames> {
  static torch::Tensor forward(AutogradContext* context,
                               const torch::Tensor& given,
                               const torch::Tensor& window,
                               std::int64_t hop) {
    const torch::Tensor samples = given.contiguous();
    context->save_for_backward({window});
    context->saved_data["samples"] = samples.size(1);
    context->saved_data["hop"] = hop;
    return frames_from(samples, window, sizes_of_cut(samples, window, hop), Beyond::kMirror);
  }

  static variable_list backward(AutogradContext* context, const variable_list& slopes) {
    const torch::Tensor gradient = slopes[0].contiguous();
    const torch::Tensor window = context->get_saved_variables()[0];
    const FrameSizes sizes{.rows = gradient.size(0),
                           .samples = context->saved_data["samples"].toInt(),
                           .frames = gradient.size(1),
                           .window = window.size(0),
                           .hop = context->saved_data["hop"].toInt()};
    return {samples_from(gradient, window, sizes, Beyond::kMirror), {}, {}};
  }
};

struct AddFrames : torch::autograd::Function<AddFrames> {
  static torch::Tensor forward(AutogradContext* context,
                               const torch::Tensor& frames,
                               const torch::Tensor& window,
                               std::int64_t hop) {
    context->save_for_backward({window});
    context->saved_data["frames"] = frames.size(1);
    context->saved_data["hop"] = hop;
    return samples_from(frames.contiguous(), window, sizes_of_sum(frames, hop), Beyond::kNothing);
  }

  static variable_list backward(AutogradContext* context, const variable_list& slopes) {
    const torch::Tensor gradient = slopes[0].contiguous();
    const torch::Tensor window = context->get_saved_variables()[0];
    const FrameSizes sizes{.rows = gradient.size(0),
                           .samples = gradient.size(1),
                           .frames = context->saved_data["frames"].toInt(),
                           .window = window.size(0),
                           .hop = context->saved_data["hop"].toInt()};
    return {frames_from(gradient, window, sizes, Beyond::kNothing), {}, {}};
  }
};

constexpr std::int64_t kNoNorm = 0;  // of _fft_r2c and _fft_c2r

// A bin X = sum over t of x(t) e^(-iwt) gives x(t) the gradient Re(G e^(iwt)), and the transform to
// real numbers is the sum of these with all bins but the first and the last counted twice.
struct RealSpectra : torch::autograd::Function<RealSpectra> {
  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& signals) {
    context->saved_data["length"] = signals.size(-1);
    return at::_fft_r2c(signals, {signals.dim() - 1}, kNoNorm, /*onesided=*/true);
  }

  static variable_list backward(AutogradContext* context, const variable_list& slopes) {
    const std::int64_t length = context->saved_data["length"].toInt();
    torch::Tensor bins = slopes[0] * 0.5;
    bins.select(-1, 0).mul_(2.0);
    bins.select(-1, length / 2).mul_(2.0);
    return {at::_fft_c2r(bins, {bins.dim() - 1}, kNoNorm, length)};
  }
};

}  // namespace

torch::Tensor cut_frames(const torch::Tensor& samples,
                         const torch::Tensor& window,
                         std::int64_t hop) {
  if (!samples.device().is_cpu()) return reference_cut_frames(samples, window, hop);
  return CutFrames::apply(samples, window, hop);
}

torch::Tensor reference_cut_frames(const torch::Tensor& samples,
                                   const torch::Tensor& window,
                                   std::int64_t hop) {
  const FrameSizes sizes = sizes_of_cut(samples, window, hop);
  const std::int64_t margin = sizes.window / 2;
  const std::int64_t period = std::max<std::int64_t>(1, 2 * (sizes.samples - 1));
  const torch::Tensor places =
      torch::arange(-margin, (sizes.frames - 1) * hop - margin + sizes.window, torch::kInt64)
          .remainder(period);
  const torch::Tensor mirrored =
      torch::minimum(places, period - places).clamp_max(sizes.samples - 1);
  return samples.index_select(1, mirrored.to(samples.device())).unfold(1, sizes.window, hop) *
         window;
}

torch::Tensor add_frames(const torch::Tensor& frames,
                         const torch::Tensor& window,
                         std::int64_t hop) {
  if (!frames.device().is_cpu()) return reference_add_frames(frames, window, hop);
  return AddFrames::apply(frames, window, hop);
}

torch::Tensor reference_add_frames(const torch::Tensor& frames,
                                   const torch::Tensor& window,
                                   std::int64_t hop) {
  const FrameSizes sizes = sizes_of_sum(frames, hop);
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

torch::Tensor real_spectra(const torch::Tensor& signals) {
  return RealSpectra::apply(signals);
}

}  // namespace xtts::model
