// The inside of libmyxtts_torch.so: the verbs of cli/tensor_library.h.

#include <algorithm>
#include <string>

#include <ATen/Parallel.h>
#include <torch/types.h>

#include "audio/mel.h"
#include "base/error.h"
#include "base/version.h"
#include "cli/run_training_torch.h"
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
  return (mel - expected).abs().max().item<double>();
}

std::vector<BenchResult> bench_mel(const BenchMelArgs& args) {
  at::set_num_threads(1);
  OurMels ours(args);
  const pipeline::TorchMel by_torch(ours.contract(), device_of(args.device));
  const torch::Tensor sound = torch::tensor(ours.samples(), torch::kFloat32).to(by_torch.device());

  torch::Tensor mel;
  const std::vector<double> runs_s = fastest_runs_s({
      [&] { ours.run_plain(); },
      [&] { ours.run_fast(); },
      // To the CPU in any case: a kernel that was only queued has done nothing yet.
      [&] { mel = by_torch.log_mel(sound).cpu(); },
  });
  std::vector<BenchResult> results = ours.results(runs_s[0], runs_s[1]);
  results.insert(
      results.end(),
      {{"mel_libtorch", ours.seconds() / runs_s[2], "x real time"},
       {"mel_libtorch_to_reference", runs_s[0] / runs_s[2], "ratio"},
       {"mel_fast_to_libtorch", runs_s[2] / runs_s[1], "ratio"},
       {"mel_largest_difference", largest_difference(ours.plain_mel(), mel), "log mel"}});
  return results;
}

}  // namespace
}  // namespace xtts::cli

const xtts::cli::TensorVerbs* myxtts_tensor_verbs() {
  static const std::string version = xtts::base::version();
  static const xtts::cli::TensorVerbs verbs{
      .version = version.c_str(),
      .bench_mel = xtts::cli::bench_mel,
      .bench_step = xtts::cli::bench_step,
      .bench_speak = xtts::cli::bench_speak,
      .speak = xtts::cli::speak,
      .vocode = xtts::cli::vocode,
      .train = xtts::cli::train_voice,
      .describe_training = xtts::cli::describe_training,
  };
  return &verbs;
}
