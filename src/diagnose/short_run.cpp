#include "diagnose/short_run.h"

#include <limits>
#include <sstream>
#include <string>

#include <nlohmann/json.hpp>

#include "base/files.h"

namespace xtts::diagnose {
namespace {

constexpr std::size_t kMostMetricsBytes = 64 << 20;
constexpr int kNever = 1'000'000'000;  // steps

}  // namespace

train::TrainRequest short_run(const config::Resolved& resolved,
                              const std::filesystem::path& folder,
                              int num_steps) {
  train::TrainRequest request{.resolved = resolved};
  config::TrainingConfig& training = request.resolved.config.training;
  training.checkpoint_dir = folder.string();
  training.metrics_file.reset();
  training.tensorboard_log_dir.reset();
  training.max_steps = num_steps;
  training.max_minutes.reset();
  training.early_stopping_patience = 0;
  training.val_step = kNever;
  training.save_step = kNever;
  training.log_step = 1;
  training.spectrogram_log_interval = 0;
  training.enable_text2audio_eval = false;
  return request;
}

std::vector<RunStep> read_run_steps(const std::filesystem::path& metrics) {
  std::istringstream lines(base::read_file_or_throw(metrics, kMostMetricsBytes));
  std::vector<RunStep> steps;
  std::int64_t retraces_before = 0;  // a line has those of the whole run
  for (std::string line; std::getline(lines, line);) {
    const nlohmann::json one = nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!one.is_object() || !one.contains("step_s")) continue;
    const auto number = [&one](const char* key) {
      const auto found = one.find(key);
      return found != one.end() && found->is_number() ? found->get<double>()
                                                      : std::numeric_limits<double>::quiet_NaN();
    };
    const auto retraces = one.value("retraces", std::int64_t{0});
    steps.push_back({.measured = {.step_s = number("step_s"),
                                  .wait_s = number("wait_s"),
                                  .host_s = number("host_s"),
                                  .buffer_depth = one.value("buffer_depth", std::int64_t{0}),
                                  .epoch = one.value("epoch", std::int64_t{0}),
                                  .signature = one.value("signature", std::string()),
                                  .retraces = retraces - retraces_before},
                     .loss = number("loss")});
    retraces_before = retraces;
  }
  return steps;
}

}  // namespace xtts::diagnose
