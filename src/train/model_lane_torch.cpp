#include "train/model_lane_torch.h"

#include <chrono>
#include <exception>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/trace.h"

namespace xtts::train {
namespace {

// How often whoever waits for data looks whether a signal has come.
constexpr std::chrono::milliseconds kDataTurn(200);

}  // namespace

ModelLane::ModelLane(Parts parts)
    : parts_(std::move(parts)), upcoming_(parts_.data, parts_.step, parts_.lanes.staged_batches) {}

std::unique_ptr<pipeline::Batch> ModelLane::next(std::int64_t step) {
  const base::Span span("wait for data");
  const RunWatchdog::Watched watched(parts_.watch, RunWork::kWaitForData, step);
  std::unique_ptr<pipeline::Batch> update;
  while (!update && base::pending_interrupt() == 0)
    update = upcoming_.next_within(kDataTurn);
  return update;
}

std::optional<step::LateReport> ModelLane::compute(pipeline::Batch& update, const Order& order) {
  const base::Span span("compute");
  const RunWatchdog::Watched watched(parts_.watch, RunWork::kCompute, order.step);
  try {
    if (parts_.before_step) parts_.before_step(order.step);
    auto late = parts_.step.run(update, order.learning_rate, order.diagonal, order.step);
    upcoming_.stage();
    return late;
  } catch (const UserError&) {  // says what to do by itself
    throw;
  } catch (const BugError& error) {
    throw BugError(fmt::format("{}: {}", failure_words(order.step), error.what()));
  } catch (const std::exception& error) {
    throw UserError(fmt::format("{}: {}", failure_words(order.step), first_line(error.what())));
  }
}

std::string ModelLane::failure_words(std::int64_t step) const {
  const std::int64_t saved = parts_.saves.saved_step();
  return fmt::format("step {} failed on {} ({})",
                     step,
                     parts_.lanes.model.device.name(),
                     saved < 0 ? "nothing is saved yet"
                               : fmt::format("step {} is saved, the same command goes on from "
                                             "there",
                                             saved));
}

}  // namespace xtts::train
