// Our side of a comparison with the twin in PyTorch; bench/peers/acoustic_step.py is the other side
// and starts this program.
//
//   acoustic_step FOLDER
//
// Trains `tiny` on a corpus of noise by the plan that `train` makes for it, with prepared steps on
// pinned threads, as `train` does. Into FOLDER go corpus.safetensors (all utterances one after the
// other) and 0.safetensors, 1.safetensors, ...: updates of some of the plan's signatures with their
// alignments, see given_step_torch.h. Then it prints a line of JSON about the plan and answers
// lines of standard input:
//
//   given       makes those updates, each with its alignment
//   search I N  makes the updates I, I + N, I + 2N, ... of an epoch in the order of their lengths,
//               with its own alignment search
//
// The answer is a line of JSON: updates, real frames, wall and CPU seconds.

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
#include "checkpoint/tensors_torch.h"
#include "cli/bench_training_torch.h"
#include "given_step_torch.h"
#include "pipeline/run_plan.h"
#include "step/thread_pool_torch.h"

namespace xtts {
namespace {

constexpr std::size_t kMostGivenUpdates = 4;  // each is a shape that the twin's compiler meets

// The average of the weights has no counterpart in the twin.
config::Config bench_config() {
  config::Config config;
  config.training.ema_decay = 0.0;
  config.training.precision = "fp32";
  config.training.learning_rate = cli::kBenchLearningRate;
  config.model.mel_discriminator_channels = 0;  // the twin has none
  return config;
}

const pipeline::Signature& signature_of(const pipeline::Batch& update) {
  return update.micro_batches.front().signature;
}

// An epoch from short to long, so that every N-th update makes a sample of it.
std::vector<pipeline::Batch> sorted_epoch(const pipeline::FeatureSet& features,
                                          const pipeline::ShapePlan& plan,
                                          const config::Config& config) {
  std::vector<pipeline::Batch> updates = cli::first_batches(features, plan, config);
  std::ranges::sort(updates, [](const pipeline::Batch& a, const pipeline::Batch& b) {
    return std::pair(signature_of(a).mel, a.counts.frames) <
           std::pair(signature_of(b).mel, b.counts.frames);
  });
  return updates;
}

// The first update of some signatures, from the shortest to the longest.
std::vector<pipeline::Batch> one_of_each_signature(const std::vector<pipeline::Batch>& updates) {
  std::vector<pipeline::Batch> firsts;
  for (const pipeline::Batch& update : updates)
    if (firsts.empty() || signature_of(update) != signature_of(firsts.back()))
      firsts.push_back(update);
  if (firsts.size() <= kMostGivenUpdates) return firsts;
  std::vector<pipeline::Batch> some;
  for (std::size_t i = 0; i < kMostGivenUpdates; ++i)
    some.push_back(firsts[i * (firsts.size() - 1) / (kMostGivenUpdates - 1)]);
  return some;
}

void write_corpus(const std::string& path, const pipeline::FeatureSet& features) {
  std::vector<std::int64_t> text, text_lengths, mel_lengths;
  std::vector<float> mel;
  for (std::size_t i = 0; i < features.utterances.size(); ++i) {
    const pipeline::Features& one = features.utterances[i];
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

class Side {
 public:
  explicit Side(const std::string& folder)
      : features_(cli::noise_corpus(config_.model.n_mels)),
        plan_(pipeline::plan_run(
            pipeline::shape_settings_of(config_), features_.lengths(), /*validation=*/{})),
        epoch_(sorted_epoch(features_, plan_, config_)),
        given_(config_, one_of_each_signature(epoch_)),
        searching_(config_, /*is_prepared=*/true) {
    write_corpus(folder + "/corpus.safetensors", features_);
    for (std::size_t i = 0; i < given_.updates().size(); ++i)
      given_.write(fmt::format("{}/{}.safetensors", folder, i), i);
    given_.prepare();
    searching_.prepare(plan_.signatures);
  }

  // About the plan, as JSON.
  std::string about() const {
    std::vector<std::string> given;
    for (const pipeline::Batch& update : given_.updates())
      given.push_back(fmt::format("\"{}\"", pipeline::name_of(signature_of(update))));
    return fmt::format(R"({{"given": [{}], "signatures": {}, "updates": {}}})",
                       fmt::join(given, ", "),
                       plan_.signatures.size(),
                       epoch_.size());
  }

  void run_given() {
    for (std::size_t i = 0; i < given_.updates().size(); ++i) {
      given_.run(i);
      count(given_.updates()[i]);
    }
    require_replayed(given_.runner());
  }

  void run_searching(std::size_t first, std::size_t stride) {
    for (std::size_t i = first; i < epoch_.size(); i += stride) {
      searching_.step.run(epoch_[i], config_.training.learning_rate, /*diagonal=*/0.0);
      count(epoch_[i]);
    }
    require_replayed(searching_.runner);
  }

  // What `work` did and took, as JSON. CPU seconds are those of all threads.
  std::string timed(const std::function<void()>& work) {
    updates_ = frames_ = 0;
    const auto start = std::chrono::steady_clock::now();
    const std::clock_t cpu_start = std::clock();
    work();
    const std::clock_t cpu = std::clock() - cpu_start;
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
    return fmt::format(R"({{"updates": {}, "frames": {}, "wall_s": {:.4f}, "cpu_s": {:.4f}}})",
                       updates_,
                       frames_,
                       wall.count(),
                       static_cast<double>(cpu) / CLOCKS_PER_SEC);
  }

 private:
  void count(const pipeline::Batch& update) {
    ++updates_;
    frames_ += update.counts.frames;
  }

  // A step that took memory from the heap would not be the one that is announced.
  static void require_replayed(step::PreparedRunner& runner) {
    const std::vector<step::Deviation> deviations = runner.take_deviations();
    require(deviations.empty(),
            "a replay deviated: {}",
            deviations.empty() ? "" : deviations.front().what);
  }

  config::Config config_ = bench_config();
  pipeline::FeatureSet features_;
  pipeline::ShapePlan plan_;
  std::vector<pipeline::Batch> epoch_;
  GivenStep given_;
  cli::BenchTraining searching_;
  std::int64_t updates_ = 0, frames_ = 0;
};

void say(const std::string& line) {
  fmt::print("{}\n", line);
  std::fflush(stdout);
}

void run(const std::string& folder) {
  step::pin_pool(base::usable_cores());
  Side side(folder);
  say(side.about());
  for (std::string word; std::cin >> word;) {
    if (word == "given") {
      say(side.timed([&] { side.run_given(); }));
      continue;
    }
    std::size_t first = 0;
    std::size_t stride = 0;
    require_usage(word == "search" && std::cin >> first >> stride && stride > 0,
                  "lines are \"given\" or \"search I N\", not \"{}\"",
                  word);
    say(side.timed([&] { side.run_searching(first, stride); }));
  }
}

}  // namespace
}  // namespace xtts

int main(int argc, char** argv) try {
  xtts::require_usage(argc == 2, "acoustic_step FOLDER");
  xtts::run(argv[1]);
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "acoustic_step: {}\n", error.what());
  return 1;
}
