#include "model/length_regulator_torch.h"

#include <algorithm>

#include <ATen/record_function.h>
#include <torch/csrc/autograd/custom_function.h>

#include "model/chunks_torch.h"

namespace myxtts::model {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// Calls work(symbol, frames) in order for the symbols of a row that have frames in the window.
template <typename Work>
void for_each_symbol(const std::int64_t* durations,
                     std::int64_t num_symbols,
                     std::int64_t start,
                     std::int64_t num_frames,
                     const Work& work) {
  std::int64_t begin = -start;
  for (std::int64_t t = 0; t < num_symbols; ++t) {
    const std::int64_t end = begin + durations[t];
    const Range inside{.begin = std::clamp<std::int64_t>(begin, 0, num_frames),
                       .end = std::clamp<std::int64_t>(end, 0, num_frames)};
    if (inside.begin < inside.end) work(t, inside);
    begin = end;
  }
}

// Calls work(row, symbol, frames) on all threads; one thread works on a row.
template <typename Work>
void for_each_row_symbol(const torch::Tensor& durations,
                         const torch::Tensor& starts,
                         std::int64_t num_frames,
                         const Work& work) {
  const auto* symbol_durations = durations.const_data_ptr<std::int64_t>();
  const auto* first_frames = starts.const_data_ptr<std::int64_t>();
  const std::int64_t num_symbols = durations.size(1);
  at::parallel_for(0, durations.size(0), 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row)
      for_each_symbol(symbol_durations + row * num_symbols,
                      num_symbols,
                      first_frames[row],
                      num_frames,
                      [&](std::int64_t symbol, Range frames) { work(row, symbol, frames); });
  });
}

torch::Tensor expand_values(const torch::Tensor& given,
                            const torch::Tensor& durations,
                            const torch::Tensor& starts,
                            std::int64_t num_frames) {
  RECORD_FUNCTION("myxtts::expand_by_duration", std::vector<c10::IValue>());
  const torch::Tensor values = given.contiguous();
  const std::int64_t num_symbols = values.size(1);
  const std::int64_t channels = values.size(2);
  torch::Tensor frames = torch::zeros({values.size(0), num_frames, channels}, values.options());
  with_type_of(values, [&](auto value) {
    using Value = decltype(value);
    for_each_row_symbol(
        durations, starts, num_frames, [&](std::int64_t row, std::int64_t t, Range inside) {
          const Value* from = values_of<Value>(values) + (row * num_symbols + t) * channels;
          Value* to = mutable_values_of<Value>(frames) + row * num_frames * channels;
          for (std::int64_t l = inside.begin; l < inside.end; ++l)
            std::copy_n(from, channels, to + l * channels);
        });
  });
  return frames;
}

torch::Tensor reduce_frames(const torch::Tensor& given,
                            const torch::Tensor& durations,
                            const torch::Tensor& starts) {
  RECORD_FUNCTION("myxtts::reduce_by_duration", std::vector<c10::IValue>());
  const torch::Tensor frames = given.contiguous();
  const std::int64_t num_frames = frames.size(1);
  const std::int64_t channels = frames.size(2);
  const std::int64_t num_symbols = durations.size(1);
  torch::Tensor sums = torch::zeros({frames.size(0), num_symbols, channels}, torch::kFloat32);
  with_type_of(frames, [&](auto value) {
    using Value = decltype(value);
    for_each_row_symbol(
        durations, starts, num_frames, [&](std::int64_t row, std::int64_t t, Range inside) {
          const Value* from = values_of<Value>(frames) + row * num_frames * channels;
          float* sum = mutable_values_of<float>(sums) + (row * num_symbols + t) * channels;
          for (std::int64_t l = inside.begin; l < inside.end; ++l)
            for (std::int64_t c = 0; c < channels; ++c)
              sum[c] += as_float(from[l * channels + c]);
        });
  });
  return sums.to(frames.scalar_type());
}

struct ExpandByDuration : torch::autograd::Function<ExpandByDuration> {
  static torch::Tensor forward(AutogradContext* context,
                               const torch::Tensor& values,
                               const torch::Tensor& durations,
                               const torch::Tensor& starts,
                               std::int64_t num_frames) {
    const torch::Tensor dense_durations = durations.contiguous();
    const torch::Tensor dense_starts = starts.contiguous();
    context->save_for_backward({dense_durations, dense_starts});
    return expand_values(values, dense_durations, dense_starts, num_frames);
  }

  static variable_list backward(AutogradContext* context, const variable_list& grad_outputs) {
    const variable_list saved = context->get_saved_variables();
    return {reduce_frames(grad_outputs[0], saved[0], saved[1]), {}, {}, {}};
  }
};

}  // namespace

torch::Tensor expand_by_duration(const torch::Tensor& values,
                                 const FrameDurations& durations,
                                 std::int64_t num_frames) {
  if (!values.device().is_cpu()) return reference_expand_by_duration(values, durations, num_frames);
  return ExpandByDuration::apply(values, durations.per_symbol, durations.starts, num_frames);
}

torch::Tensor reference_expand_by_duration(const torch::Tensor& values,
                                           const FrameDurations& durations,
                                           std::int64_t num_frames) {
  return at::matmul(symbol_of_frame(durations, num_frames, values.scalar_type()), values);
}

torch::Tensor reduce_by_duration(const torch::Tensor& frames, const FrameDurations& durations) {
  const torch::NoGradGuard no_grad;
  if (!frames.device().is_cpu()) return reference_reduce_by_duration(frames, durations);
  return reduce_frames(frames, durations.per_symbol.contiguous(), durations.starts.contiguous());
}

torch::Tensor reference_reduce_by_duration(const torch::Tensor& frames,
                                           const FrameDurations& durations) {
  const torch::NoGradGuard no_grad;
  const torch::Tensor ones = symbol_of_frame(durations, frames.size(1), frames.scalar_type());
  return at::matmul(ones.transpose(1, 2), frames);
}

torch::Tensor symbol_of_frame(const FrameDurations& durations,
                              std::int64_t num_frames,
                              torch::ScalarType type) {
  const torch::NoGradGuard no_grad;
  const torch::Tensor ends = durations.per_symbol.cumsum(1);  // [B, T]
  const torch::Tensor frame = (at::arange(num_frames, durations.starts.options()).unsqueeze(0) +
                               durations.starts.unsqueeze(1))
                                  .unsqueeze(2);
  return at::logical_and(frame < ends.unsqueeze(1),
                         frame >= (ends - durations.per_symbol).unsqueeze(1))
      .to(type);
}

}  // namespace myxtts::model
