#include "train/run_data.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/memory.h"
#include "base/threads.h"

namespace xtts::train {
namespace {

constexpr std::int64_t kUsualBuffer = 50;  // of the original system
constexpr double kShareForTheBuffer = 1.0 / 8.0;

}  // namespace

pipeline::StreamSettings stream_settings_of(const config::DataConfig& data,
                                            std::size_t most_bytes,
                                            double free_bytes) {
  const base::CoreShares shares = base::share_cores(base::usable_cores());
  const std::int64_t wanted = data.pipeline_buffer_size.value_or(kUsualBuffer);
  const double room = kShareForTheBuffer * free_bytes / static_cast<double>(most_bytes);
  return {
      .num_workers = data.use_native_loading ? config::num_workers_of(data) : 0,
      .buffer = std::clamp(wanted, std::int64_t{1}, std::max(std::int64_t{1}, std::int64_t(room))),
      .cores = shares.loader_is_guest ? std::vector<int>{} : shares.loader,
      .is_guest = shares.loader_is_guest};
}

RunData::RunData(const config::Config& config,
                 const pipeline::FeatureSet& features,
                 const pipeline::ShapePlan& plan,
                 const pipeline::LoaderSettings& loading)
    : loader_(features, plan, loading),
      updates_per_epoch_(loader_.updates_in_epoch(0)),
      settings_(stream_settings_of(config.data,
                                   loader_.maker().most_bytes(),
                                   static_cast<double>(base::free_memory_bytes()))) {}

double RunData::buffer_bytes() const {
  // In the buffer, with each worker, and with the model.
  const std::int64_t most = settings_.num_workers == 0 ? 1 : settings_.buffer + 1;
  return static_cast<double>(most) * static_cast<double>(loader_.maker().most_bytes());
}

void RunData::start(const pipeline::LoaderPosition& position) {
  loader_.seek(position);
  stream_.emplace(loader_, settings_);
}

std::vector<std::string> RunData::take_news() {
  std::vector<std::string> lines;
  for (const std::string& lost : loader_.maker().lost().take_news()) {
    lines.push_back(fmt::format("[data] {}; another utterance takes its place from now on", lost));
  }
  return lines;
}

pipeline::StreamReport RunData::report() const {
  return stream_ ? stream_->report() : pipeline::StreamReport{};
}

}  // namespace xtts::train
