// A small model with its step, and random batches for it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "train/run_step_torch.h"
#include "unit/model/small_model_torch.h"

namespace myxtts::train {

using data::Signature;

inline const Signature kShort{.batch = 4, .text = 8, .mel = 40};
inline const Signature kLong{.batch = 3, .text = 9, .mel = 48};
inline constexpr step::BatchProperties kProperties{
    .n_mels = model::kChannels, .reference_frames = model::kReferenceFrames, .mel_pad = -11.5F};

inline config::Config small_run_config() {
  config::Config config;
  config.model = model::small_config();
  config.training.precision = "fp32";
  config.training.gradient_clip_norm = 1e9;
  return config;
}

// A run over these signatures; without signatures every shape is accepted.
struct SmallRun {
  explicit SmallRun(std::vector<Signature> signatures,
                    bool compile_step = true,
                    std::unique_ptr<step::GraphDevice> device = nullptr)
      : config(small_run_config()),
        parts(config, model::kNumSymbols),
        plan{.signatures = std::move(signatures), .notes = {}},
        step(parts, with(compile_step), plan, kProperties, std::move(device)) {
    model::add_noise(parts.parameters(), 0.1, 3);
    lines = step.prepare();
  }

  const config::TrainingConfig& with(bool compile_step) {
    config.training.compile_step = compile_step;
    return config.training;
  }

  step::StepReport run(data::Batch batch) {
    return step.run(batch, 1e-3, 0.0, ++number).value().report;
  }

  config::Config config;
  RunParts parts;
  data::ShapePlan plan;
  RunStep step;
  std::vector<std::string> lines;  // of the preparation
  std::int64_t number = 0;
};

inline data::Batch random_batch(const Signature& signature, std::uint64_t seed) {
  std::vector<model::Row> rows;
  while (std::ssize(rows) < signature.batch) {
    const model::Row row = model::random_rows(1, ++seed).front();
    if (holds(signature, {.text = std::ssize(row.text), .mel = row.num_frames()})) {
      rows.push_back(row);
    }
  }
  data::Batch batch;
  batch.micro_batches.push_back(model::batch_of(rows, signature));
  batch.counts = data::counts_of(batch.micro_batches.front(), 0);
  return batch;
}

}  // namespace myxtts::train
