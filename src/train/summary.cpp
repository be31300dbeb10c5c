#include "train/summary.h"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

namespace myxtts::train {
namespace {

constexpr std::size_t kSampleSize = 65536;

// Returns the nearest-rank percentile: the smallest value that at least `percent` % do not exceed.
double percentile(const std::vector<double>& sorted, double percent) {
  const auto rank = std::ceil(percent / 100.0 * static_cast<double>(sorted.size()));
  return sorted[static_cast<std::size_t>(std::max(1.0, rank)) - 1];
}

nlohmann::ordered_json number_or_null(const std::optional<double>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

nlohmann::ordered_json to_json(const TimeStats& stats) {
  return {{"mean", stats.mean},
          {"std", stats.std},
          {"p10", stats.p10},
          {"p50", stats.p50},
          {"p90", stats.p90},
          {"p99", stats.p99}};
}

nlohmann::ordered_json to_json(const TimeShares& split) {
  return {
      {"wait", split.wait}, {"copy", split.copy}, {"compute", split.compute}, {"host", split.host}};
}

nlohmann::ordered_json to_json(const LaneTimes& lane) {
  return {{"busy_s", lane.busy_s}, {"waiting_s", lane.waiting_s}, {"blocked_s", lane.blocked_s}};
}

nlohmann::ordered_json to_json(const DepthStats& depth) {
  return {{"min", depth.min}, {"mean", depth.mean}, {"p50", depth.p50}};
}

}  // namespace

void DepthCounts::record(std::int64_t depth) {
  const auto index = static_cast<std::size_t>(depth);
  if (index >= counts_.size()) counts_.resize(index + 1);
  ++counts_[index];
  ++count_;
}

DepthStats DepthCounts::stats() const {
  if (count_ == 0) return {};
  DepthStats stats{.min = -1, .mean = 0.0, .p50 = -1};
  std::int64_t seen = 0;
  double sum = 0.0;
  for (std::int64_t depth = 0; depth < std::ssize(counts_); ++depth) {
    const std::int64_t here = counts_[static_cast<std::size_t>(depth)];
    seen += here;
    sum += static_cast<double>(depth) * static_cast<double>(here);
    if (stats.min < 0 && seen > 0) stats.min = depth;
    if (stats.p50 < 0 && 2 * seen >= count_) stats.p50 = depth;
  }
  stats.mean = sum / static_cast<double>(count_);
  return stats;
}

void StepTimes::record(double step_s, double wait_s, double copy_s, double host_s) {
  ++count_;
  total_step_s_ += step_s;
  total_wait_s_ += wait_s;
  total_copy_s_ += copy_s;
  total_host_s_ += host_s;
  // Welford's algorithm avoids differences of large sums.
  const double before = step_s - mean_s_;
  mean_s_ += before / static_cast<double>(count_);
  squares_ += before * (step_s - mean_s_);

  if (sample_.size() < kSampleSize) {
    sample_.push_back(step_s);
    return;
  }
  // Each step is in the sample with the same probability (Vitter's algorithm R).
  const std::uint64_t index = random_.below(static_cast<std::uint64_t>(count_));
  if (index < kSampleSize) sample_[index] = step_s;
}

double StepTimes::wait_share() const {
  const double total = total_step_s_ + total_wait_s_;
  return total > 0.0 ? total_wait_s_ / total : 0.0;
}

TimeShares StepTimes::split() const {
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

TimeStats StepTimes::stats() const {
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

}  // namespace myxtts::train
