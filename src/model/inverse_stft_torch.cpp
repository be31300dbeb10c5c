#include "model/inverse_stft_torch.h"

#include <vector>

#include <torch/csrc/autograd/custom_function.h>

#include "audio/stft.h"
#include "model/frames_torch.h"

namespace myxtts::model {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr std::int64_t kDivideByLength = 2;  // norm of _fft_c2r
// Avoids a division by zero where no window reaches (a hop longer than the window).
constexpr double kWindowEpsilon = 1e-10;

// e^(log_magnitude + i phase). Its derivatives are products of its real and imaginary part.
struct Spectrum : torch::autograd::Function<Spectrum> {
  static torch::Tensor forward(AutogradContext* context,
                               const torch::Tensor& log_magnitude,
                               const torch::Tensor& phase) {
    const torch::Tensor magnitude = log_magnitude.exp();
    std::vector<std::int64_t> sizes = phase.sizes().vec();
    sizes.push_back(2);
    torch::Tensor parts = torch::empty(sizes, phase.options());
    torch::Tensor real = parts.select(-1, 0);
    torch::Tensor imaginary = parts.select(-1, 1);
    at::mul_out(real, magnitude, phase.cos());
    at::mul_out(imaginary, magnitude, phase.sin());
    context->save_for_backward({parts});
    return at::view_as_complex(parts);
  }

  static variable_list backward(AutogradContext* context, const variable_list& grad_outputs) {
    const torch::Tensor parts = context->get_saved_variables()[0];
    const torch::Tensor real = parts.select(-1, 0);
    const torch::Tensor imaginary = parts.select(-1, 1);
    const torch::Tensor gradient = at::view_as_real(grad_outputs[0].resolve_conj());
    const torch::Tensor grad_real = gradient.select(-1, 0);
    const torch::Tensor grad_imaginary = gradient.select(-1, 1);
    return {at::addcmul(grad_real * real, grad_imaginary, imaginary),
            at::addcmul(grad_imaginary * real, grad_real, imaginary, /*value=*/-1.0)};
  }
};

}  // namespace

InverseStft::InverseStft(int n_fft, int win_length, int hop_length)
    : hop_length_(hop_length),
      window_(torch::tensor(audio::centred_window(n_fft, win_length), torch::kFloat32)) {}

torch::Tensor InverseStft::operator()(const torch::Tensor& log_magnitude,
                                      const torch::Tensor& phase) const {
  const torch::Tensor window = window_.to(phase.device());
  const std::int64_t length = window.size(0);
  const torch::Tensor bins = Spectrum::apply(log_magnitude, phase);
  const torch::Tensor frames = at::_fft_c2r(bins, {bins.dim() - 1}, kDivideByLength, length);
  const torch::Tensor weights =
      overlap_add(window.expand({1, phase.size(1), length}), window, hop_length_);
  return overlap_add(frames, window, hop_length_) / weights.clamp_min(kWindowEpsilon);
}

}  // namespace myxtts::model
