// The kernel table of libmyxtts_cuda.so: unpacks tensors and launches kernels on LibTorch's current
// stream. The kernels are .cu files without LibTorch headers, which take nvcc a minute.

#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <fmt/format.h>

#include "base/error.h"
#include "data/cuda_library.h"
#include "data/mel_cuda.h"

namespace myxtts::data {
namespace {

torch::Tensor log_mel(const torch::Tensor& spectrum, const SparseFilters& filters, double floor) {
  invariant(
      spectrum.is_cuda() && spectrum.dim() == 2 && spectrum.scalar_type() == torch::kComplexFloat,
      "the spectrum is [M, F] complex64 on a CUDA device");
  invariant(filters.weights.device() == spectrum.device() &&
                filters.first_bins.device() == spectrum.device(),
            "filters and spectrum are on one device");
  const c10::cuda::CUDAGuard on_device(spectrum.device());
  const torch::Tensor bins = spectrum.contiguous();
  const torch::Tensor weights = filters.weights.contiguous();
  torch::Tensor mel =
      torch::empty({bins.size(0), weights.size(0)}, bins.options().dtype(torch::kFloat32));

  const LogMelProblem problem{
      .spectrum = reinterpret_cast<const float2*>(bins.const_data_ptr<c10::complex<float>>()),
      .first_bins = filters.first_bins.const_data_ptr<std::int32_t>(),
      .weights = weights.const_data_ptr<float>(),
      .log_mel = mel.mutable_data_ptr<float>(),
      .num_frames = static_cast<int>(bins.size(0)),
      .num_bins = static_cast<int>(bins.size(1)),
      .num_mels = static_cast<int>(weights.size(0)),
      .widest = static_cast<int>(weights.size(1)),
      .floor = static_cast<float>(floor),
  };
  C10_CUDA_CHECK(launch_log_mel(problem, c10::cuda::getCurrentCUDAStream()));
  return mel;
}

std::string device_name(int device_index) {
  const cudaDeviceProp& device =
      *at::cuda::getDeviceProperties(static_cast<c10::DeviceIndex>(device_index));
  return fmt::format("{} {}.{}", device.name, device.major, device.minor);
}

constexpr MelKernels kKernels{.log_mel = log_mel, .device_name = device_name};

}  // namespace
}  // namespace myxtts::data

const myxtts::data::MelKernels* myxtts_cuda_mel_kernels() {
  return &myxtts::data::kKernels;
}
