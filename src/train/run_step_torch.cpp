#include "train/run_step_torch.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "step/precision_torch.h"
#include "step/step_allocator_torch.h"
#include "step/thread_pool_torch.h"

namespace myxtts::train {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Returns the same rows in micro-batches of half the size. The counts stay those of the whole
// batch, so losses and gradients are the same sums.
data::Batch halved(const data::Batch& batch) {
  data::Batch halves{
      .micro_batches = {}, .counts = batch.counts, .epoch = batch.epoch, .next = batch.next};
  for (const data::MicroBatch& whole : batch.micro_batches) {
    const std::int64_t first = (whole.signature.batch + 1) / 2;
    halves.micro_batches.push_back(slice_rows(whole, 0, first));
    halves.micro_batches.push_back(slice_rows(whole, first, whole.signature.batch));
  }
  return halves;
}

std::unique_ptr<step::CapturedRun> captured_run(std::unique_ptr<step::GraphDevice> device,
                                                RunParts& parts,
                                                const config::TrainingConfig& training,
                                                const std::vector<data::Signature>& plan,
                                                std::int64_t reference_frames,
                                                std::int64_t num_staged) {
  if (!device || !training.compile_step || plan.empty() || !parts.voice) return nullptr;
  return std::make_unique<step::CapturedRun>(std::move(device),
                                             *parts.voice,
                                             parts.optimizer,
                                             training,
                                             step::type_of(training.precision),
                                             plan,
                                             reference_frames,
                                             static_cast<std::size_t>(num_staged));
}

}  // namespace

data::LoaderSettings loader_settings_for(const config::Config& config, Task task) {
  return task == Task::kVoice ? data::loader_settings_of(config)
                              : data::vocoder_loader_settings_of(config);
}

step::BatchProperties batch_properties_of(const config::Config& config,
                                          const data::LoaderSettings& loading) {
  return {.n_mels = config.model.n_mels,
          .reference_frames = loading.reference_frames,
          .mel_pad = loading.mel_pad};
}

RunStep::RunStep(RunParts& parts,
                 const config::TrainingConfig& training,
                 const data::ShapePlan& plan,
                 const step::BatchProperties& properties,
                 std::unique_ptr<step::GraphDevice> device,
                 std::vector<int> cores,
                 std::int64_t num_staged)
    : parts_(parts),
      cores_(std::move(cores)),
      signatures_(plan.known_shapes()),
      properties_(properties),
      captured_(captured_run(std::move(device),
                             parts,
                             training,
                             signatures_,
                             properties.reference_frames,
                             std::max<std::int64_t>(1, num_staged))),
      is_prepared_(training.compile_step && !signatures_.empty() && parts.device.is_cpu() &&
                   !captured_),
      runner_(step::tensor_memory()),
      step_(*parts.objective,
            parts.optimizer,
            step::type_of(training.precision),
            is_prepared_ ? &runner_ : nullptr),
      monitor_(signatures_) {}

std::vector<std::string> RunStep::prepare() {
  monitor_.restore(parts_.state.retraces);
  step::pin_pool(cores_);
  if (captured_) return capture();
  if (!is_prepared_ && parts_.vocoder && !parts_.device.is_cpu())
    return {"[step] eager: the vocoder step is not captured on a GPU"};
  if (!is_prepared_) return {"[step] eager: every step allocates its memory"};
  const Clock::time_point start = Clock::now();
  step::prepare(step_, runner_, parts_.parameters(), parts_.optimizer, signatures_, properties_);
  std::vector<std::string> lines;
  for (const data::Signature& signature : signatures_) {
    const step::Phase phase{.kind = step::PhaseKind::kTrain, .signature = signature};
    if (!runner_.knows(phase)) continue;  // interrupted before this signature
    const std::size_t bytes = runner_.bytes_of(phase);
    lines.push_back(fmt::format("[step] prepared {}: {:.0f} MB",
                                data::name_of(signature),
                                static_cast<double>(bytes) / 1e6));
  }
  lines.push_back(fmt::format("[step] {} signature{} in one arena of {:.0f} MB, {:.1f} s",
                              signatures_.size(),
                              signatures_.size() == 1 ? "" : "s",
                              static_cast<double>(runner_.arena_bytes()) / 1e6,
                              seconds_since(start)));
  return lines;
}

std::vector<std::string> RunStep::capture() {
  const Clock::time_point start = Clock::now();
  std::vector<std::string> lines;
  for (const data::Signature& signature : signatures_) {
    captured_->step.prepare(signature);
    if (!captured_->step.is_captured(signature)) continue;
    lines.push_back(fmt::format("[step] captured {}", data::name_of(signature)));
  }
  for (const step::FailedCapture& failure : captured_->step.failures())
    lines.push_back(fmt::format("[step] eager {}: not captured: {}", failure.what, failure.reason));
  lines.push_back(fmt::format("[step] captured {} of {} graphs, {:.1f} s",
                              signatures_.size() + 1 - captured_->step.failures().size(),
                              signatures_.size() + 1,
                              seconds_since(start)));
  return lines;
}

std::optional<step::LateReport> RunStep::flush() {
  if (!captured_) return std::nullopt;
  return captured_->step.flush();
}

void RunStep::stage_ahead(const data::Batch& batch) {
  if (captured_) captured_->step.stage_ahead(batch);
}

void RunStep::discard_staged() {
  if (captured_) captured_->step.discard_staged();
}

std::optional<step::LateReport> RunStep::run(data::Batch& batch,
                                             double learning_rate,
                                             double diagonal,
                                             std::int64_t step) {
  if (!signatures_.empty()) {
    for (const data::MicroBatch& micro_batch : batch.micro_batches)
      step::require_in_plan(signatures_, micro_batch.signature);
  }
  const Clock::time_point start = Clock::now();
  std::optional<step::LateReport> late;
  if (captured_) {
    late = captured_->step.run(batch, step, learning_rate, diagonal);
  } else {
    late = {.step = step, .report = run_or_split(batch, learning_rate, diagonal, step)};
  }
  const double seconds = seconds_since(start);
  for (const step::Deviation& deviation : runner_.take_deviations())
    retraces_.push_back(monitor_.deviation(step, "allocation", deviation.what, seconds));
  const double share = seconds / static_cast<double>(batch.micro_batches.size());
  for (const data::MicroBatch& micro_batch : batch.micro_batches) {
    if (auto retrace = monitor_.step(step, micro_batch.signature, share)) {
      retraces_.push_back(*std::move(retrace));
    }
  }
  parts_.state.retraces = monitor_.total();
  return late;
}

step::StepReport RunStep::run_or_split(data::Batch& batch,
                                       double learning_rate,
                                       double diagonal,
                                       std::int64_t step) {
  const Clock::time_point start = Clock::now();  // NOLINT: read after the catch
  std::string what;
  try {
    return step_.run(batch, learning_rate, diagonal);
  } catch (const step::OutOfMemory& error) {
    const data::Signature& whole = batch.micro_batches.front().signature;
    require(whole.batch > 1,
            "{}, and a micro-batch of one utterance cannot be split; {}",
            error.what(),
            parts_.vocoder ? "use a smaller --vocoder-crop-frames or --vocoder-size"
                           : "filter long utterances with --max-mel-frames, or use a smaller "
                             "--model-size");
    what = fmt::format("{}, batch {} -> {}", error.what(), whole.batch, (whole.batch + 1) / 2);
  }
  const double lost_s = seconds_since(start);
  data::Batch halves = halved(batch);
  try {
    step::StepReport report = step_.run(halves, learning_rate, diagonal);
    retraces_.push_back(monitor_.deviation(step, "memory", what, lost_s));
    return report;
  } catch (const step::OutOfMemory& error) {
    throw UserError(fmt::format(
        "{}, also with half the micro-batch; use a smaller --batch-size, {}, then run the same "
        "command again",
        error.what(),
        parts_.vocoder ? "--vocoder-crop-frames or --vocoder-size"
                       : "shorter utterances (--max-mel-frames) or a smaller --model-size"));
  }
}

std::vector<step::Retrace> RunStep::take_retraces() {
  return std::exchange(retraces_, {});
}

}  // namespace myxtts::train
