#include "train/model_lane_torch.h"

#include <chrono>
#include <exception>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/trace.h"

namespace myxtts::train {
namespace {

// Interval at which the wait for data checks for signals.
constexpr std::chrono::milliseconds kSignalPollInterval(200);

}  // namespace

ModelLane::ModelLane(Parts parts)
    : parts_(std::move(parts)), staged_(parts_.data, parts_.step, parts_.lanes.staged_batches) {}

std::unique_ptr<data::Batch> ModelLane::next(std::int64_t step) {
  const base::Span span("wait for data");
  const RunWatchdog::ScopedActivity watched(parts_.watchdog, Activity::kWaitForData, step);
  std::unique_ptr<data::Batch> batch;
  while (!batch && base::pending_interrupt() == 0)
    batch = staged_.next_within(kSignalPollInterval);
  return batch;
}

std::optional<step::LateReport> ModelLane::compute(data::Batch& batch,
                                                   const StepSettings& settings) {
  const base::Span span("compute");
  const RunWatchdog::ScopedActivity watched(parts_.watchdog, Activity::kCompute, settings.step);
  try {
    if (parts_.before_step) parts_.before_step(settings.step);
    auto late = parts_.step.run(batch, settings.learning_rate, settings.diagonal, settings.step);
    staged_.stage();
    return late;
  } catch (const UserError&) {  // already has a suggestion
    throw;
  } catch (const BugError& error) {
    throw BugError(fmt::format("{}: {}", failure_message(settings.step), error.what()));
  } catch (const std::exception& error) {
    throw UserError(
        fmt::format("{}: {}", failure_message(settings.step), first_line(error.what())));
  }
}

std::string ModelLane::failure_message(std::int64_t step) const {
  const std::int64_t saved = parts_.checkpoints.saved_step();
  return fmt::format("step {} failed on {} ({})",
                     step,
                     parts_.lanes.model.device.name(),
                     saved < 0 ? "no checkpoint yet"
                               : fmt::format("checkpoint saved at step {}; the same command "
                                             "resumes from it",
                                             saved));
}

}  // namespace myxtts::train
