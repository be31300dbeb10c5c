#include "rules/time_split.h"

#include <algorithm>
#include <numeric>

namespace myxtts::rules {

double TimeSplit::share_of_wanted(double part_s) const {
  const double wanted_s = compute_s + copy_s + wait_s;
  return wanted_s > 0.0 ? part_s / wanted_s : 0.0;
}

TimeSplit split_of(std::span<const Step> steps) {
  TimeSplit split;
  for (const Step& step : steps) {
    const double copy_s = std::min(step.copy_s.value_or(0.0), step.step_s);
    ++split.steps;
    split.compute_s += step.step_s - copy_s;
    split.copy_s += copy_s;
    split.wait_s += step.wait_s.value_or(0.0);
    split.host_s += step.host_s.value_or(0.0);
    split.has_wait = split.has_wait || step.wait_s.has_value();
    split.has_host = split.has_host || step.host_s.has_value();
  }
  return split;
}

double starved_s(std::span<const Step> steps) {
  double seconds = 0.0;
  // Batches ready after the previous step. For the first step the depth after it is used.
  std::int64_t ready = steps.empty() ? 0 : steps.front().buffer_depth.value_or(0);
  for (const Step& step : steps) {
    if (ready == 0) seconds += step.wait_s.value_or(0.0);
    ready = step.buffer_depth.value_or(0);
  }
  return seconds;
}

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::ranges::nth_element(values, middle);
  if (values.size() % 2 == 1) return *middle;
  return std::midpoint(*middle, *std::max_element(values.begin(), middle));
}

std::optional<double> median_step_s(std::span<const Step> steps) {
  std::vector<double> seconds;
  for (const Step& step : steps)
    seconds.push_back(step.step_s - std::min(step.copy_s.value_or(0.0), step.step_s));
  if (seconds.empty()) return std::nullopt;
  return median_of(std::move(seconds));
}

std::optional<double> median_host_s(std::span<const Step> steps) {
  std::vector<double> seconds;
  for (const Step& step : steps)
    if (step.host_s) seconds.push_back(*step.host_s);
  if (seconds.empty()) return std::nullopt;
  return median_of(std::move(seconds));
}

std::int64_t num_retraces(std::span<const Step> steps) {
  std::int64_t count = 0;
  for (const Step& step : steps)
    count += step.retraces;
  return count;
}

std::optional<double> retrace_cost_s(std::span<const Step> steps) {
  std::vector<double> other_steps_s;
  for (const Step& step : steps)
    if (step.retraces == 0) other_steps_s.push_back(step.step_s);
  if (other_steps_s.size() == steps.size() || other_steps_s.empty()) return std::nullopt;
  const double without_s = median_of(std::move(other_steps_s));
  double cost_s = 0.0;
  for (const Step& step : steps)
    if (step.retraces > 0) cost_s += std::max(0.0, step.step_s - without_s);
  return cost_s;
}

}  // namespace myxtts::rules
