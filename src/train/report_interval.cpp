#include "train/report_interval.h"

#include <cmath>

namespace myxtts::train {

void ReportInterval::add(const step::StepReport& losses, const StepTiming& timing, double audio_s) {
  ++steps_;
  step_s_ += timing.step_s;
  copy_s_ += losses.copy_s;
  wait_s_ += timing.wait_s;
  host_s_ += timing.host_s;
  data_ += timing.data;
  buffer_depth_ += static_cast<double>(timing.buffer_depth);
  audio_s_ += audio_s;
  if (!losses.not_finite.empty()) return;
  ++good_steps_;
  loss_ += losses.loss;
  if (parts_.empty()) {
    parts_ = losses.parts;
    return;
  }
  for (std::size_t i = 0; i < parts_.size(); ++i)
    parts_[i].second += losses.parts[i].second;
}

std::vector<std::pair<std::string, double>> ReportInterval::mean_parts() const {
  std::vector<std::pair<std::string, double>> means = parts_;
  for (auto& part : means)
    part.second /= static_cast<double>(good_steps_);
  return means;
}

ProgressStats ReportInterval::progress() const {
  return {.loss = good_steps_ > 0 ? loss_ / static_cast<double>(good_steps_) : std::nan(""),
          .parts = mean_parts(),
          .step_s = step_s_ / static_cast<double>(steps_),
          .audio_s_per_s = audio_s_ / step_s_,
          .wait_share = wait_s_ / (wait_s_ + step_s_)};
}

std::vector<std::pair<std::string, double>> ReportInterval::scalars() const {
  const auto count = static_cast<double>(steps_);
  const auto mean_ms = [&](double sum_s) { return 1e3 * sum_s / count; };
  std::vector<std::pair<std::string, double>> scalars;
  if (good_steps_ > 0) scalars.emplace_back("loss/total", loss_ / static_cast<double>(good_steps_));
  for (const auto& part : mean_parts())
    scalars.emplace_back("loss/" + part.first, part.second);
  scalars.emplace_back("speed/step_ms", mean_ms(step_s_));
  scalars.emplace_back("speed/audio_s_per_s", audio_s_ / step_s_);
  scalars.emplace_back("data/copy_ms", mean_ms(copy_s_));
  scalars.emplace_back("data/wait_ms", mean_ms(wait_s_));
  scalars.emplace_back("data/host_ms", mean_ms(host_s_));
  scalars.emplace_back("data/busy_ms", mean_ms(data_.busy_s));
  scalars.emplace_back("data/waiting_ms", mean_ms(data_.waiting_s));
  scalars.emplace_back("data/blocked_ms", mean_ms(data_.blocked_s));
  scalars.emplace_back("data/buffer_depth", buffer_depth_ / count);
  return scalars;
}

}  // namespace myxtts::train
