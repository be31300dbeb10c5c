#include "config/training_checks.h"

#include <algorithm>
#include <optional>
#include <regex>
#include <string>

#include "base/memory.h"

namespace myxtts::config {
namespace {

// Returns "12 or 18" for 16 in steps of 6.
std::string nearest_multiples(int value, int step) {
  const int below = value / step * step;
  if (below == 0) return fmt::format("{}", step);
  return fmt::format("{} or {}", below, below + step);
}

bool is_multiple(int value, int step) {
  return step < 1 || value < 1 || value % step == 0;
}

void check_batches(const Config& config, ConfigErrors& findings) {
  const int batch_size = config.data.batch_size;
  const int micro_batches = config.training.gradient_accumulation_steps;
  findings.expect(is_multiple(batch_size, micro_batches),
                  "data.batch_size ({}) is not divisible by training.gradient_accumulation_steps "
                  "({}); the nearest batch sizes are {}",
                  batch_size,
                  micro_batches,
                  nearest_multiples(batch_size, std::max(micro_batches, 1)));
  findings.expect(config.data.min_audio_length < config.data.max_audio_length,
                  "data.min_audio_length ({} s) is not below data.max_audio_length ({} s)",
                  config.data.min_audio_length,
                  config.data.max_audio_length);
  if (!config.data.pad_to_fixed_length || !config.data.shape_buckets) return;
  findings.expect(*config.data.pad_to_fixed_length,
                  "data.shape_buckets ({}) has no effect with data.pad_to_fixed_length: false "
                  "(dynamic shapes); set one of them to auto",
                  *config.data.shape_buckets);
  findings.expect(
      !*config.data.pad_to_fixed_length || *config.data.shape_buckets == 1,
      "data.pad_to_fixed_length: true means one shape, but data.shape_buckets is {}; set "
      "one of them to auto",
      *config.data.shape_buckets);
}

void check_model_sizes(const ModelConfig& model, ConfigErrors& findings) {
  findings.expect(is_multiple(model.text_encoder_dim, model.text_encoder_heads),
                  "model.text_encoder_dim ({}) is not divisible by model.text_encoder_heads ({}); "
                  "the nearest widths are {}",
                  model.text_encoder_dim,
                  model.text_encoder_heads,
                  nearest_multiples(model.text_encoder_dim, std::max(model.text_encoder_heads, 1)));
  const int head_width = model.text_encoder_dim / std::max(model.text_encoder_heads, 1);
  findings.expect(
      !is_multiple(model.text_encoder_dim, model.text_encoder_heads) || is_multiple(head_width, 2),
      "model.text_encoder_dim ({}) / model.text_encoder_heads ({}) gives a head width of {}; "
      "expected an even width",
      model.text_encoder_dim,
      model.text_encoder_heads,
      head_width);
  constexpr int kMinCropFrames = 64;
  findings.expect(model.decoder_crop_frames <= 0 || model.decoder_crop_frames >= kMinCropFrames,
                  "model.decoder_crop_frames is {}; expected 0 (whole utterances) or at least {}",
                  model.decoder_crop_frames,
                  kMinCropFrames);
}

void check_schedule(const TrainingConfig& training, ConfigErrors& findings) {
  findings.expect(min_learning_rate_of(training) <= training.learning_rate,
                  "training.min_learning_rate ({}) is above training.learning_rate ({}); lower it "
                  "or remove it",
                  min_learning_rate_of(training),
                  training.learning_rate);
  findings.expect(!training.schedule_steps || training.warmup_steps < *training.schedule_steps,
                  "training.warmup_steps ({}) is not below training.schedule_steps ({})",
                  training.warmup_steps,
                  training.schedule_steps.value_or(0));
  const int stop_patience = training.early_stopping_patience;
  const int halve_patience = training.lr_plateau_patience;
  findings.expect(stop_patience <= 0 || halve_patience <= 0 || halve_patience < stop_patience,
                  "training.early_stopping_patience ({}) stops training before "
                  "training.lr_plateau_patience ({}) takes effect; lower the second, or set one of "
                  "them to 0",
                  stop_patience,
                  halve_patience);
}

void check_run_folder(const TrainingConfig& training, ConfigErrors& findings) {
  findings.expect(!training.checkpoint_dir.empty(),
                  "training.checkpoint_dir is empty; expected the name of a run folder");
  findings.expect(training.metrics_file != "",
                  "training.metrics_file is empty; expected a file, or null for the run folder");
  findings.expect(training.tensorboard_log_dir != "",
                  "training.tensorboard_log_dir is empty; expected a folder, or null for the run "
                  "folder");
  findings.expect(training.evaluate_text != "",
                  "training.evaluate_text is empty; expected a file, or null");
  findings.expect(training.evaluate_judge != "",
                  "training.evaluate_judge is empty; expected a command, or null");
}

void expect_device(const char* key,
                   const std::optional<std::string>& device,
                   const char* pattern,
                   const char* expected,
                   ConfigErrors& findings) {
  const bool ok =
      !device || (device->size() < 16 && std::regex_match(*device, std::regex(pattern)));
  findings.expect(ok, "{} is '{}'; expected {}", key, device.value_or(""), expected);
}

constexpr const char* kLane = "(cpu|cuda):[0-9]{1,3}";

// Returns "cuda:1" for "cuda:01", "cuda:0" for "cuda", and "cpu" unchanged. Empty for an invalid
// device, which check_machine() reports.
std::string canonical_device(const std::string& device) {
  if (device == "cpu") return device;
  if (device == "cuda") return "cuda:0";
  if (device.size() >= 16 || !std::regex_match(device, std::regex(kLane))) return {};
  const std::size_t colon = device.find(':');
  return fmt::format("{}:{}", device.substr(0, colon), std::stoi(device.substr(colon + 1)));
}

// Checks the two lanes. A single lane is valid: it means buffered mode with a notice.
void check_lanes(const Config& config, ConfigErrors& findings) {
  const DataConfig& data = config.data;
  const std::string data_lane = canonical_device(data_lane_of(data).value_or(""));
  const std::string model_lane = canonical_device(model_lane_of(data).value_or(""));
  const std::string training_device = canonical_device(config.training.device);
  const bool same_kind =
      training_device == "cpu" ? model_lane.starts_with("cpu") : training_device == model_lane;
  findings.expect(model_lane.empty() || training_device.empty() || same_kind,
                  "training.device is {}, but the model lane is {}; set training.device to auto",
                  config.training.device,
                  model_lane);
  if (data_lane.empty() || model_lane.empty()) return;
  findings.expect(data_lane != model_lane,
                  "the data lane and the model lane are both {}; expected two different devices "
                  "such as cpu:0 and cpu:1, or neither for Single-GPU Buffered Mode",
                  data_lane);
  findings.expect(data.num_workers.value_or(1) > 0,
                  "data.num_workers is 0 (inline loading), but two lanes need a worker; expected 1 "
                  "to 256, auto, "
                  "or no lanes");
  findings.expect(
      data.use_native_loading,
      "data.use_native_loading is false (loading between the steps), but two lanes load "
      "during the steps; set it to true or remove the lanes");
}

void check_sizes(const Config& config, ConfigErrors& findings) {
  findings.expect(base::parse_bytes(config.data.cache_limit).has_value(),
                  "data.cache_limit is '{}'; expected a size such as 800MB or 20GB",
                  config.data.cache_limit);
  const std::string& budget = config.training.memory_budget;
  findings.expect(budget == "auto" || base::parse_bytes(budget).has_value(),
                  "training.memory_budget is '{}'; expected auto, or a size such as 800MB or 6GB",
                  budget);
}

void check_machine(const Config& config, ConfigErrors& findings) {
  constexpr const char* kLanes = "a lane such as cpu:0 or cuda:1";
  const DataConfig& data = config.data;
  expect_device("training.device",
                config.training.device,
                "auto|cpu|cuda|cuda:[0-9]{1,3}",
                "auto, cpu or cuda:N",
                findings);
  expect_device("data.data_device", data.data_device, kLane, kLanes, findings);
  expect_device("data.model_device", data.model_device, kLane, kLanes, findings);
  findings.expect(!data.data_gpu || !data.data_device,
                  "data.data_gpu and data.data_device both set the data lane; remove one");
  findings.expect(!data.model_gpu || !data.model_device,
                  "data.model_gpu and data.model_device both set the model lane; remove one");
  check_lanes(config, findings);
  const std::string& precision = config.training.precision;
  if (!data.mixed_precision || precision == "auto") return;
  findings.expect(*data.mixed_precision == (precision != "fp32"),
                  "data.mixed_precision is {}, but training.precision is {}; set one of them to "
                  "auto",
                  *data.mixed_precision,
                  precision);
}

}  // namespace

void check_training(const Config& config, ConfigErrors& findings) {
  check_model_sizes(config.model, findings);
  check_batches(config, findings);
  check_sizes(config, findings);
  check_schedule(config.training, findings);
  check_machine(config, findings);
  check_run_folder(config.training, findings);
}

}  // namespace myxtts::config
