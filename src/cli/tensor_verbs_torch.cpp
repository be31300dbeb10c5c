// The inside of libmyxtts_torch.so: the verbs of cli/tensor_library.h.

#include <algorithm>
#include <string>

#include <ATen/Parallel.h>
#include <torch/types.h>

#include "audio/mel.h"
#include "base/error.h"
#include "base/version.h"
#include "cli/tensor_library.h"
#include "pipeline/mel_torch.h"

namespace xtts::cli {
namespace {

torch::Device device_of(const std::string& name) {
  try {
    return torch::Device(name);
  } catch (const c10::Error& error) {
    throw UsageError(fmt::format("--device {}: no such device; cpu, cuda or cuda:N", name));
  }
}

double largest_difference(const audio::Mel& plain, const torch::Tensor& mel) {
  const torch::Tensor expected =
      torch::tensor(plain.values, torch::kFloat32).view({plain.num_frames, plain.n_mels});
  return (mel.cpu() - expected).abs().max().item<double>();
}

std::vector<BenchResult> bench_mel(const BenchMelArgs& args) {
  at::set_num_threads(1);
  const audio::MelContract contract;
  const std::vector<float> samples = bench_sound(args.seconds, contract.sample_rate);
  const pipeline::TorchMel extractor(contract, device_of(args.device));
  const torch::Tensor sound = torch::tensor(samples, torch::kFloat32).to(extractor.device());

  std::vector<BenchResult> results = bench_plain_mel(args);
  const double plain = results.front().value;
  torch::Tensor mel;
  const double run_s = fastest_run_s([&] {
    mel = extractor.log_mel(sound);
    if (mel.is_cuda()) mel = mel.cpu();  // a kernel that was only queued has done nothing yet
  });
  const double torch_speed = args.seconds / run_s;
  results.push_back({"mel_libtorch", torch_speed, "x real time"});
  results.push_back({"mel_libtorch_to_plain", torch_speed / plain, "ratio"});
  results.push_back({"mel_largest_difference",
                     largest_difference(audio::MelExtractor(contract).log_mel(samples), mel),
                     "log mel"});
  return results;
}

}  // namespace
}  // namespace xtts::cli

const xtts::cli::TensorVerbs* myxtts_tensor_verbs() {
  static const std::string version = xtts::base::version();
  static const xtts::cli::TensorVerbs verbs{version.c_str(), xtts::cli::bench_mel};
  return &verbs;
}
