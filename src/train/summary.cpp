#include "train/summary.h"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

namespace xtts::train {
namespace {

constexpr std::size_t kSampleSize = 65536;

// The nearest rank: the smallest value that at least `percent` of all do not exceed.
double percentile(const std::vector<double>& sorted, double percent) {
  const auto rank = std::ceil(percent / 100.0 * static_cast<double>(sorted.size()));
  return sorted[static_cast<std::size_t>(std::max(1.0, rank)) - 1];
}

nlohmann::ordered_json number_or_null(const std::optional<double>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

nlohmann::ordered_json to_json(const TimeSpread& spread) {
  return {{"mean", spread.mean},
          {"std", spread.std},
          {"p10", spread.p10},
          {"p50", spread.p50},
          {"p90", spread.p90},
          {"p99", spread.p99}};
}

nlohmann::ordered_json to_json(const TimeSplit& split) {
  return {
      {"wait", split.wait}, {"copy", split.copy}, {"compute", split.compute}, {"host", split.host}};
}

nlohmann::ordered_json to_json(const LaneTimes& lane) {
  return {{"busy_s", lane.busy_s}, {"waiting_s", lane.waiting_s}, {"blocked_s", lane.blocked_s}};
}

nlohmann::ordered_json to_json(const DepthSpread& depth) {
  return {{"min", depth.min}, {"mean", depth.mean}, {"p50", depth.p50}};
}

}  // namespace

void DepthCounts::record(std::int64_t depth) {
  const auto place = static_cast<std::size_t>(depth);
  if (place >= counts_.size()) counts_.resize(place + 1);
  ++counts_[place];
  ++count_;
}

DepthSpread DepthCounts::spread() const {
  if (count_ == 0) return {};
  DepthSpread spread{.min = -1, .mean = 0.0, .p50 = -1};
  std::int64_t seen = 0;
  double sum = 0.0;
  for (std::int64_t depth = 0; depth < std::ssize(counts_); ++depth) {
    const std::int64_t here = counts_[static_cast<std::size_t>(depth)];
    seen += here;
    sum += static_cast<double>(depth) * static_cast<double>(here);
    if (spread.min < 0 && seen > 0) spread.min = depth;
    if (spread.p50 < 0 && 2 * seen >= count_) spread.p50 = depth;
  }
  spread.mean = sum / static_cast<double>(count_);
  return spread;
}

void StepTimes::record(double step_s, double wait_s, double copy_s, double host_s) {
  ++count_;
  total_step_s_ += step_s;
  total_wait_s_ += wait_s;
  total_copy_s_ += copy_s;
  total_host_s_ += host_s;
  // Welford: no difference of large sums.
  const double before = step_s - mean_s_;
  mean_s_ += before / static_cast<double>(count_);
  squares_ += before * (step_s - mean_s_);

  if (sample_.size() < kSampleSize) {
    sample_.push_back(step_s);
    return;
  }
  // Each update so far is in the sample with the same chance (Vitter's algorithm R).
  const std::uint64_t place = random_.below(static_cast<std::uint64_t>(count_));
  if (place < kSampleSize) sample_[place] = step_s;
}

double StepTimes::wait_share() const {
  const double total = total_step_s_ + total_wait_s_;
  return total > 0.0 ? total_wait_s_ / total : 0.0;
}

TimeSplit StepTimes::split() const {
  const double all = total_wait_s_ + total_step_s_ + total_host_s_;
  if (!(all > 0.0)) return {};
  return {.wait = total_wait_s_ / all,
          .copy = total_copy_s_ / all,
          .compute = (total_step_s_ - total_copy_s_) / all,
          .host = total_host_s_ / all};
}

LaneTimes StepTimes::model_lane() const {
  return {.busy_s = total_step_s_, .waiting_s = total_wait_s_, .blocked_s = total_host_s_};
}

TimeSpread StepTimes::spread() const {
  if (count_ == 0) return {};
  std::vector<double> sorted = sample_;
  std::ranges::sort(sorted);
  return {.mean = mean_s_,
          .std = std::sqrt(squares_ / static_cast<double>(count_)),
          .p10 = percentile(sorted, 10.0),
          .p50 = percentile(sorted, 50.0),
          .p90 = percentile(sorted, 90.0),
          .p99 = percentile(sorted, 99.0)};
}

nlohmann::ordered_json to_json(const TrainSummary& summary) {
  return {{"steps", summary.steps},
          {"skipped_steps", summary.skipped_steps},
          {"retraces", summary.retraces},
          {"signatures", summary.signatures},
          {"padding", summary.padding},
          {"step_s", to_json(summary.step_s)},
          {"model_busy", summary.model_busy},
          {"data_busy", summary.data_busy},
          {"wait_share", summary.wait_share},
          {"time_split", to_json(summary.time_split)},
          {"lanes", {{"data", to_json(summary.data_lane)}, {"model", to_json(summary.model_lane)}}},
          {"buffer_depth", to_json(summary.buffer_depth)},
          {"frames_per_s", summary.frames_per_s},
          {"audio_s_per_s", summary.audio_s_per_s},
          {"peak_rss_bytes", summary.peak_rss_bytes},
          {"final_loss", number_or_null(summary.final_loss)},
          {"validation_loss", number_or_null(summary.validation_loss)},
          {"judged", judged_json(summary.judged)},
          {"judged_best", judged_json(summary.judged_best)},
          {"skipped_utterances", summary.skipped_utterances},
          {"left_out_utterances", summary.left_out_utterances},
          {"mode", summary.mode},
          {"limited_by", summary.limited_by},
          {"seconds", summary.seconds}};
}

}  // namespace xtts::train
