#include "train/run_samples.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

namespace myxtts::train {
namespace {

constexpr std::string_view kPrefix = "step_";

std::optional<RunSample> sample_at(const std::filesystem::path& path) {
  const std::string file = path.filename().string();
  if (!file.starts_with(kPrefix)) return std::nullopt;
  RunSample sample;
  const char* digits = file.data() + kPrefix.size();
  const char* end = file.data() + file.size();
  const std::from_chars_result read = std::from_chars(digits, end, sample.step);
  if (read.ec != std::errc() || read.ptr == end || *read.ptr != '_') return std::nullopt;
  sample.name.assign(read.ptr + 1, end);
  sample.path = path;
  return sample;
}

}  // namespace

std::filesystem::path sample_path(const std::filesystem::path& run,
                                  std::int64_t step,
                                  const std::string& name) {
  return run / "samples" / fmt::format("{}{:08}_{}", kPrefix, step, name);
}

std::vector<RunSample> samples_of(const std::filesystem::path& run, const std::string& name) {
  std::vector<RunSample> samples;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(run / "samples", error), end;
       !error && entry != end;
       entry.increment(error)) {
    std::optional<RunSample> sample = sample_at(entry->path());
    if (sample && sample->name == name) samples.push_back(*sample);
  }
  std::ranges::sort(samples, {}, &RunSample::step);
  return samples;
}

std::vector<RunSample> select_over_time(const std::vector<RunSample>& samples, std::size_t count) {
  if (samples.size() <= count) return samples;
  const auto first = static_cast<double>(std::max<std::int64_t>(1, samples.front().step));
  const auto last = static_cast<double>(samples.back().step);
  std::vector<RunSample> chosen = {samples.front()};
  std::size_t next = 1;
  for (std::size_t k = 1; k < count; ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(count - 1);
    const double wanted = first * std::pow(last / first, share);
    // Leaves enough samples for the remaining choices.
    const std::size_t latest = samples.size() - (count - k);
    while (next < latest && static_cast<double>(samples[next].step) < wanted * 0.999)
      ++next;
    chosen.push_back(samples[next++]);
  }
  return chosen;
}

}  // namespace myxtts::train
