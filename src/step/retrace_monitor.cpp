#include "step/retrace_monitor.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"

namespace myxtts::step {
namespace {

constexpr std::int64_t kRepeatSteps = 6;  // steps within which a second retrace is a pattern
constexpr std::size_t kRecentSteps = 16;  // steps for the usual step time

constexpr std::string_view kSuggestion =
    "\n  Shapes that keep changing cost more than padding: use --shape-buckets auto, or one fixed "
    "shape with --enable-static-shapes";

// Returns the signature of the plan that differs in the fewest dimensions, then in the fewest
// frames.
const data::Signature& nearest(std::span<const data::Signature> plan,
                               const data::Signature& signature) {
  const auto distance = [&](const data::Signature& one) {
    const int dimensions = static_cast<int>(one.batch != signature.batch) +
                           static_cast<int>(one.text != signature.text) +
                           static_cast<int>(one.mel != signature.mel) +
                           static_cast<int>(one.samples != signature.samples);
    return std::pair{dimensions, std::abs(one.mel - signature.mel)};
  };
  return *std::ranges::min_element(plan, {}, distance);
}

}  // namespace

std::string Retrace::message() const {
  return fmt::format("RETRACING detected at step {} (total retraces: {}): {}{}{}",
                     step,
                     total,
                     what,
                     cost_s ? fmt::format(", {:.2f} s", *cost_s) : "",
                     is_repeated ? kSuggestion : "");
}

std::string changed_dimension(const data::Signature& from, const data::Signature& to) {
  const bool is_waveform = to.samples != 0 || from.samples != 0;
  if (from.text != to.text) return fmt::format("text[1] {} -> {}", from.text, to.text);
  if (from.mel != to.mel) return fmt::format("mel[1] {} -> {}", from.mel, to.mel);
  if (from.samples != to.samples) {
    return fmt::format("samples[1] {} -> {}", from.samples, to.samples);
  }
  if (from.batch != to.batch) {
    return fmt::format("{}[0] {} -> {}", is_waveform ? "samples" : "mel", from.batch, to.batch);
  }
  return "";
}

void require_in_plan(std::span<const data::Signature> plan, const data::Signature& signature) {
  if (std::ranges::find(plan, signature) != plan.end()) return;
  invariant(!plan.empty(), "a prepared step has a plan");
  throw BugError(fmt::format("batch shape {} is not in the plan: {}",
                             data::name_of(signature),
                             changed_dimension(nearest(plan, signature), signature)));
}

RetraceMonitor::RetraceMonitor(std::span<const data::Signature> plan) {
  for (const data::Signature& signature : plan)
    seen_[signature] = 0;
}

std::optional<Retrace> RetraceMonitor::step(std::int64_t step,
                                            const data::Signature& signature,
                                            double seconds) {
  const auto [entry, is_new] = seen_.try_emplace(signature, 0);
  ++entry->second;
  const data::Signature before = last_;
  last_ = signature;
  std::optional<Retrace> retrace;
  if (is_new) {
    // The first step has no previous shape.
    retrace =
        count(step,
              "shape",
              before == data::Signature{} ? fmt::format("first shape {}", data::name_of(signature))
                                          : changed_dimension(before, signature),
              seconds);
  }
  recent_s_.push_back(seconds);
  if (recent_s_.size() > kRecentSteps) recent_s_.pop_front();
  return retrace;
}

Retrace RetraceMonitor::deviation(std::int64_t step,
                                  std::string_view reason,
                                  std::string what,
                                  double seconds) {
  return count(step, reason, fmt::format("{}: {}", reason, what), seconds);
}

Retrace RetraceMonitor::count(std::int64_t step,
                              std::string_view reason,
                              std::string what,
                              double seconds) {
  const bool is_repeated = last_step_ && step - *last_step_ <= kRepeatSteps;
  last_step_ = step;
  const std::optional<double> usual = usual_seconds();
  std::optional<double> cost;
  if (usual) cost = std::max(0.0, seconds - *usual);
  return {.step = step,
          .total = ++total_,
          .reason = std::string(reason),
          .what = std::move(what),
          .cost_s = cost,
          .is_repeated = is_repeated};
}

std::optional<double> RetraceMonitor::usual_seconds() const {
  if (recent_s_.empty()) return std::nullopt;
  std::vector<double> sorted(recent_s_.begin(), recent_s_.end());
  const auto middle = sorted.begin() + std::ssize(sorted) / 2;
  std::ranges::nth_element(sorted, middle);
  return *middle;
}

}  // namespace myxtts::step
