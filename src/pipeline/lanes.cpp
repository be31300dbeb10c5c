#include "pipeline/lanes.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "base/threads.h"

namespace xtts::pipeline {
namespace {

constexpr std::size_t kSmallShare = 4;  // the lane that computes little has one core of so many

// "cpu:1", "cuda:0", "cpu" or "cuda"; the latter is the first GPU.
LaneDevice parse_device(std::string_view text) {
  const std::size_t colon = text.find(':');
  LaneDevice device{.is_cuda = text.substr(0, colon) == "cuda"};
  if (colon == std::string_view::npos) {
    if (device.is_cuda) device.index = 0;
    return device;
  }
  const std::string_view digits = text.substr(colon + 1);
  int index = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  invariant(error == std::errc{} && end == digits.data() + digits.size(),
            "a lane has passed the validation of the configuration");
  device.index = index;
  return device;
}

std::optional<LaneDevice> parse_lane(const std::optional<std::string>& lane) {
  if (!lane) return std::nullopt;
  return parse_device(*lane);
}

bool is_there(const LaneDevice& device, const MachineDevices& devices) {
  if (!device.is_cuda) return true;
  const int index = device.index.value_or(0);
  return index < devices.num_cuda &&
         std::ranges::find(devices.lost_cuda, index) == devices.lost_cuda.end();
}

std::string why_not_there(const LaneDevice& device, const MachineDevices& devices) {
  if (devices.num_cuda == 0) {
    return fmt::format("{} is not there: {}", device.name(), devices.why_no_cuda);
  }
  if (device.index.value_or(0) < devices.num_cuda) {
    return fmt::format("{} does not work", device.name());
  }
  return fmt::format(
      "{} is not there: this machine has {}",
      device.name(),
      devices.num_cuda == 1
          ? std::string("one GPU, cuda:0")
          : fmt::format("{} GPUs, cuda:0 to cuda:{}", devices.num_cuda, devices.num_cuda - 1));
}

// Empty if the machine has what two lanes need.
std::string why_no_two_lanes(const LaneDevice& data,
                             const LaneDevice& model,
                             std::span<const int> cores,
                             const MachineDevices& devices) {
  if (!is_there(data, devices)) return why_not_there(data, devices);
  if (!is_there(model, devices)) return why_not_there(model, devices);
  if (cores.size() < 2) {
    return "two lanes need two cores, and this process may use one";
  }
  return {};
}

// Where the first or the last `count` of the cores are one lane's, and the rest the other's.
struct TwoSets {
  std::vector<int> first;
  std::vector<int> rest;
};

TwoSets cut_cores(std::span<const int> cores, std::size_t count, bool from_the_end) {
  const auto boundary =
      cores.begin() + static_cast<std::ptrdiff_t>(from_the_end ? cores.size() - count : count);
  TwoSets sets{{cores.begin(), boundary}, {boundary, cores.end()}};
  if (from_the_end) std::swap(sets.first, sets.rest);
  return sets;
}

// Most cores go to the lane that computes on them: to the model on the CPU, to the loader where a
// GPU trains. Of two lanes on the CPU the lower N has the lower cores.
void share_between_lanes(LanePlan& plan, std::span<const int> cores) {
  const std::size_t small = std::max<std::size_t>(1, cores.size() / kSmallShare);
  const bool both_on_cpu = !plan.data.device.is_cuda && !plan.model.device.is_cuda;
  const bool data_is_last = both_on_cpu && plan.data.device.index > plan.model.device.index;
  if (plan.model.device.is_cuda) {
    TwoSets sets = cut_cores(cores, small, false);
    plan.model.cores = std::move(sets.first);
    plan.data.cores = std::move(sets.rest);
  } else {
    TwoSets sets = cut_cores(cores, small, data_is_last);
    plan.data.cores = std::move(sets.first);
    plan.model.cores = std::move(sets.rest);
  }
}

void choose_threads(LanePlan& plan, const config::Config& config) {
  const int cores = static_cast<int>(plan.model.cores.size());
  plan.num_workers = config.data.num_workers.value_or(static_cast<int>(plan.data.cores.size()));
  if (!config.data.use_native_loading) plan.num_workers = 0;
  plan.model_threads = config.training.threads.value_or(cores);
  if (plan.mode != PipelineMode::kMultiDevice || plan.model_threads <= cores) return;
  plan.notices.push_back(
      fmt::format("training.threads is {}, but the model's lane has {} core{}: {} thread{}",
                  plan.model_threads,
                  cores,
                  cores == 1 ? "" : "s",
                  cores,
                  cores == 1 ? "" : "s"));
  plan.model_threads = cores;
}

void choose_buffer(LanePlan& plan, const config::DataConfig& data) {
  plan.buffer_batches = data.pipeline_buffer_size;
  plan.prefetch_target = plan.model.device;
  if (!plan.model.device.is_cuda) return;
  if (data.prefetch_to_gpu && plan.num_workers > 0) {
    plan.staged_batches = data.prefetch_buffer_size;
  } else {
    plan.prefetch_target = {};
  }
}

LanePlan two_lanes(const config::Config& config,
                   const LaneDevice& data,
                   const LaneDevice& model,
                   std::span<const int> cores) {
  LanePlan plan{.mode = PipelineMode::kMultiDevice};
  plan.data.device = data;
  plan.model.device = model;
  share_between_lanes(plan, cores);
  choose_threads(plan, config);
  choose_buffer(plan, config.data);
  plan.start_delay_s = config.data.model_start_delay;
  return plan;
}

// The device that trains in buffered mode.
LaneDevice single_device(const config::Config& config, const MachineDevices& devices) {
  const std::optional<LaneDevice> model = parse_lane(config::model_lane_of(config.data));
  const std::optional<LaneDevice> data = parse_lane(config::data_lane_of(config.data));
  if (model && model->is_cuda && is_there(*model, devices)) return *model;
  if (model && data && data->is_cuda && model->is_cuda && is_there(*data, devices)) return *data;
  if (model && !model->is_cuda) return {};
  if (config.training.device == "auto") return {};  // the CPU, until a GPU has run it
  const LaneDevice device = parse_device(config.training.device);
  if (model && data && !is_there(device, devices)) return {};  // the lane's, by its other name
  return device;
}

LanePlan buffered(const config::Config& config,
                  std::span<const int> cores,
                  const MachineDevices& devices) {
  LanePlan plan;
  plan.model.device = single_device(config, devices);
  base::CoreShares shares = base::share_cores(cores);
  plan.model.cores = std::move(shares.model);
  plan.data.cores = std::move(shares.loader);
  plan.loader_is_idle_priority = shares.loader_is_idle_priority;
  choose_threads(plan, config);
  choose_buffer(plan, config.data);
  return plan;
}

void notice_a_lone_lane(LanePlan& plan,
                        const std::optional<LaneDevice>& data,
                        const std::optional<LaneDevice>& model,
                        const MachineDevices& devices) {
  if (data.has_value() == model.has_value()) return;
  const bool is_data = data.has_value();
  const LaneDevice& given = is_data ? *data : *model;
  plan.notices.push_back(
      fmt::format("only the {} lane is given ({}): two lanes need --{}-device as well; {} trains{}",
                  is_data ? "data" : "model's",
                  given.name(),
                  is_data ? "model" : "data",
                  plan.model.device.name(),
                  is_there(given, devices) ? "" : ", because " + why_not_there(given, devices)));
}

}  // namespace

std::string_view name_of(PipelineMode mode) {
  return mode == PipelineMode::kMultiDevice ? "multi_device" : "single_buffered";
}

std::string LaneDevice::name() const {
  const char* kind = is_cuda ? "cuda" : "cpu";
  return index ? fmt::format("{}:{}", kind, *index) : std::string(kind);
}

LanePlan choose_lanes(const config::Config& config,
                      std::span<const int> cores,
                      const MachineDevices& devices) {
  invariant(!cores.empty(), "a process has a core");
  const std::optional<LaneDevice> data = parse_lane(config::data_lane_of(config.data));
  const std::optional<LaneDevice> model = parse_lane(config::model_lane_of(config.data));
  if (data && model) {
    std::string reason = why_no_two_lanes(*data, *model, cores, devices);
    if (reason.empty()) return two_lanes(config, *data, *model, cores);
    return fall_back(config, cores, devices, std::move(reason));
  }
  LanePlan plan = buffered(config, cores, devices);
  notice_a_lone_lane(plan, data, model, devices);
  return plan;
}

LanePlan fall_back(const config::Config& config,
                   std::span<const int> cores,
                   const MachineDevices& devices,
                   std::string reason) {
  LanePlan plan = buffered(config, cores, devices);
  plan.fall_back_reason = std::move(reason);
  return plan;
}

}  // namespace xtts::pipeline
