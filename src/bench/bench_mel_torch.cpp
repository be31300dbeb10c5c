#include <algorithm>
#include <string>

#include <ATen/Parallel.h>
#include <torch/types.h>

#include "audio/mel.h"
#include "base/error.h"
#include "bench/bench_mel.h"
#include "data/mel_torch.h"

namespace myxtts::bench {
namespace {

torch::Device device_of(const std::string& name) {
  try {
    return torch::Device(name);
  } catch (const c10::Error& error) {
    throw UsageError(
        fmt::format("--device {}: no such device; expected cpu, cuda or cuda:N", name));
  }
}

double largest_difference(const audio::Mel& reference, const torch::Tensor& mel) {
  const torch::Tensor expected = torch::tensor(reference.values, torch::kFloat32)
                                     .view({reference.num_frames, reference.n_mels});
  return (mel - expected).abs().max().item<double>();
}

}  // namespace

std::vector<BenchResult> bench_mel(const BenchMelArgs& args) {
  at::set_num_threads(1);
  MelBenchmark benchmark(args);
  const data::TorchMel torch_mel(benchmark.spec(), device_of(args.device));
  const torch::Tensor samples =
      torch::tensor(benchmark.samples(), torch::kFloat32).to(torch_mel.device());

  torch::Tensor mel;
  const std::vector<double> runs_s = fastest_runs_s({
      [&] { benchmark.run_reference(); },
      [&] { benchmark.run_fast(); },
      // The copy to the CPU waits for kernels that are still queued.
      [&] { mel = torch_mel.log_mel(samples).cpu(); },
  });
  std::vector<BenchResult> results = benchmark.results(runs_s[0], runs_s[1]);
  results.insert(
      results.end(),
      {{"mel_libtorch", benchmark.seconds() / runs_s[2], "x real time"},
       {"mel_libtorch_to_reference", runs_s[0] / runs_s[2], "ratio"},
       {"mel_fast_to_libtorch", runs_s[2] / runs_s[1], "ratio"},
       {"mel_largest_difference", largest_difference(benchmark.reference_mel(), mel), "log mel"}});
  return results;
}

}  // namespace myxtts::bench
