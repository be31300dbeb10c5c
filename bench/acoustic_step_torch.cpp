// Runs the training step of myxtts for the comparison with PyTorch. bench/peers/acoustic_step.py
// starts this program.
//
//   acoustic_step FOLDER
//
// Trains `tiny` on a corpus of noise with the shape plan, the prepared steps and the pinned threads
// of `train`. Writes corpus.safetensors (concatenated utterances) and 0.safetensors, 1.safetensors,
// ... (fixed batches of some signatures with their alignments, see fixed_batch_step_torch.h) into
// FOLDER. Prints a JSON object about the plan, then reads commands from standard input:
//
//   fixed       runs a step on each fixed batch
//   search I N  runs steps on the batches I, I + N, I + 2N, ... of an epoch sorted by length, with
//               alignment search
//
// Each command prints a JSON object: batches, frames without padding, wall and CPU seconds.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <functional>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/types.h>

#include "base/error.h"
#include "base/files.h"
#include "base/threads.h"
#include "bench/bench_training_torch.h"
#include "checkpoint/tensors_torch.h"
#include "data/run_plan.h"
#include "fixed_batch_step_torch.h"
#include "step/thread_pool_torch.h"

namespace myxtts {
namespace {

constexpr std::size_t kMaxFixedBatches = 4;  // torch.compile compiles for each shape

// EMA weights and the discriminator are off: the PyTorch model has neither.
config::Config bench_config() {
  config::Config config;
  config.training.ema_decay = 0.0;
  config.training.precision = "fp32";
  config.training.learning_rate = bench::kBenchLearningRate;
  config.model.mel_discriminator_channels = 0;
  return config;
}

const data::Signature& signature_of(const data::Batch& batch) {
  return batch.micro_batches.front().signature;
}

// Returns an epoch sorted by length. Every N-th batch is then a sample of the epoch.
std::vector<data::Batch> sorted_epoch(const data::FeatureSet& features,
                                      const data::ShapePlan& plan,
                                      const config::Config& config) {
  std::vector<data::Batch> batches = bench::first_batches(features, plan, config);
  std::ranges::sort(batches, [](const data::Batch& a, const data::Batch& b) {
    return std::pair(signature_of(a).mel, a.counts.frames) <
           std::pair(signature_of(b).mel, b.counts.frames);
  });
  return batches;
}

// Returns the first batch of some signatures, from the shortest to the longest.
std::vector<data::Batch> one_of_each_signature(const std::vector<data::Batch>& batches) {
  std::vector<data::Batch> firsts;
  for (const data::Batch& batch : batches)
    if (firsts.empty() || signature_of(batch) != signature_of(firsts.back()))
      firsts.push_back(batch);
  if (firsts.size() <= kMaxFixedBatches) return firsts;
  std::vector<data::Batch> some;
  for (std::size_t i = 0; i < kMaxFixedBatches; ++i)
    some.push_back(firsts[i * (firsts.size() - 1) / (kMaxFixedBatches - 1)]);
  return some;
}

void write_corpus(const std::string& path, const data::FeatureSet& features) {
  std::vector<std::int64_t> text, text_lengths, mel_lengths;
  std::vector<float> mel;
  for (std::size_t i = 0; i < features.utterances.size(); ++i) {
    const data::Features& one = features.utterances[i];
    const std::vector<float> values = features.mel(i).values;
    text.insert(text.end(), one.text.begin(), one.text.end());
    text_lengths.push_back(one.lengths().text);
    mel.insert(mel.end(), values.begin(), values.end());
    mel_lengths.push_back(one.num_frames);
  }
  const torch::Tensor frames = torch::from_blob(mel.data(), {static_cast<std::int64_t>(mel.size())})
                                   .view({-1, features.n_mels});
  const std::vector<std::pair<std::string, torch::Tensor>> tensors = {
      {"text", torch::tensor(text)},
      {"text_lengths", torch::tensor(text_lengths)},
      {"mel", frames},
      {"mel_lengths", torch::tensor(mel_lengths)}};
  std::vector<checkpoint::TensorView> views;
  for (const auto& [name, tensor] : tensors)
    views.push_back(checkpoint::view_of(name, tensor));
  base::write_file_atomically(path, checkpoint::safetensors_bytes(views, {}));
}

// Runs the commands of bench/peers/acoustic_step.py.
class StepServer {
 public:
  explicit StepServer(const std::string& folder)
      : features_(bench::noise_corpus(config_.model.n_mels)),
        plan_(data::plan_run(
            data::shape_settings_of(config_), features_.lengths(), /*validation=*/{})),
        epoch_(sorted_epoch(features_, plan_, config_)),
        fixed_(config_, one_of_each_signature(epoch_)),
        searching_(config_, /*is_prepared=*/true) {
    write_corpus(folder + "/corpus.safetensors", features_);
    for (std::size_t i = 0; i < fixed_.batches().size(); ++i)
      fixed_.write(fmt::format("{}/{}.safetensors", folder, i), i);
    fixed_.prepare();
    searching_.prepare(plan_.signatures);
  }

  // Returns the plan as JSON.
  std::string plan_json() const {
    std::vector<std::string> fixed;
    for (const data::Batch& batch : fixed_.batches())
      fixed.push_back(fmt::format("\"{}\"", data::name_of(signature_of(batch))));
    return fmt::format(R"({{"fixed": [{}], "signatures": {}, "batches": {}}})",
                       fmt::join(fixed, ", "),
                       plan_.signatures.size(),
                       epoch_.size());
  }

  void run_fixed() {
    for (std::size_t i = 0; i < fixed_.batches().size(); ++i) {
      fixed_.run(i);
      count(fixed_.batches()[i]);
    }
    require_replayed(fixed_.runner());
  }

  void run_searching(std::size_t first, std::size_t stride) {
    for (std::size_t i = first; i < epoch_.size(); i += stride) {
      searching_.step.run(epoch_[i], config_.training.learning_rate, /*diagonal=*/0.0);
      count(epoch_[i]);
    }
    require_replayed(searching_.runner);
  }

  // Runs `work` and returns its counts and times as JSON. CPU seconds are those of all threads.
  std::string timed(const std::function<void()>& work) {
    batches_ = frames_ = 0;
    const auto start = std::chrono::steady_clock::now();
    const std::clock_t cpu_start = std::clock();
    work();
    const std::clock_t cpu = std::clock() - cpu_start;
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
    return fmt::format(R"({{"batches": {}, "frames": {}, "wall_s": {:.4f}, "cpu_s": {:.4f}}})",
                       batches_,
                       frames_,
                       wall.count(),
                       static_cast<double>(cpu) / CLOCKS_PER_SEC);
  }

 private:
  void count(const data::Batch& batch) {
    ++batches_;
    frames_ += batch.counts.frames;
  }

  // Throws if a replay deviated: the step would have allocated memory outside the arena.
  static void require_replayed(step::PreparedRunner& runner) {
    const std::vector<step::Deviation> deviations = runner.take_deviations();
    require(deviations.empty(),
            "a replay deviated: {}",
            deviations.empty() ? "" : deviations.front().what);
  }

  config::Config config_ = bench_config();
  data::FeatureSet features_;
  data::ShapePlan plan_;
  std::vector<data::Batch> epoch_;
  FixedBatchStep fixed_;
  bench::BenchTraining searching_;
  std::int64_t batches_ = 0, frames_ = 0;
};

void print_line(const std::string& line) {
  fmt::print("{}\n", line);
  std::fflush(stdout);
}

void run(const std::string& folder) {
  step::pin_pool(base::usable_cores());
  StepServer server(folder);
  print_line(server.plan_json());
  for (std::string command; std::cin >> command;) {
    if (command == "fixed") {
      print_line(server.timed([&] { server.run_fixed(); }));
      continue;
    }
    std::size_t first = 0;
    std::size_t stride = 0;
    require_usage(command == "search" && std::cin >> first >> stride && stride > 0,
                  "command \"{}\": expected \"fixed\" or \"search I N\"",
                  command);
    print_line(server.timed([&] { server.run_searching(first, stride); }));
  }
}

}  // namespace
}  // namespace myxtts

int main(int argc, char** argv) try {
  myxtts::require_usage(argc == 2, "expected one argument: acoustic_step FOLDER");
  myxtts::run(argv[1]);
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "acoustic_step: {}\n", error.what());
  return 1;
}
