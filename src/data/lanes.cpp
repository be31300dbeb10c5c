#include "data/lanes.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "base/threads.h"

namespace myxtts::data {
namespace {

constexpr std::size_t kSmallShare = 4;  // the lane that computes less gets one core of this many

// Parses "cpu:1", "cuda:0", "cpu" or "cuda", which is the first GPU.
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

bool is_available(const LaneDevice& device, const MachineDevices& devices) {
  if (!device.is_cuda) return true;
  const int index = device.index.value_or(0);
  return index < devices.num_cuda &&
         std::ranges::find(devices.failed_cuda, index) == devices.failed_cuda.end();
}

std::string unavailable_reason(const LaneDevice& device, const MachineDevices& devices) {
  if (devices.num_cuda == 0) {
    return fmt::format("{} is not available: {}", device.name(), devices.no_cuda_reason);
  }
  if (device.index.value_or(0) < devices.num_cuda) {
    return fmt::format("{} failed to open", device.name());
  }
  return fmt::format(
      "{} is not available: this machine has {}",
      device.name(),
      devices.num_cuda == 1
          ? std::string("one GPU, cuda:0")
          : fmt::format("{} GPUs, cuda:0 to cuda:{}", devices.num_cuda, devices.num_cuda - 1));
}

// Returns why two lanes are not possible; empty if they are.
std::string no_two_lanes_reason(const LaneDevice& data,
                                const LaneDevice& model,
                                std::span<const int> cores,
                                const MachineDevices& devices) {
  if (!is_available(data, devices)) return unavailable_reason(data, devices);
  if (!is_available(model, devices)) return unavailable_reason(model, devices);
  if (cores.size() < 2) {
    return "two lanes need two cores, and this process may use one";
  }
  return {};
}

// The first or last cores for one lane, and the rest for the other.
struct CoreSplit {
  std::vector<int> first;
  std::vector<int> rest;
};

CoreSplit split_cores(std::span<const int> cores, std::size_t count, bool from_the_end) {
  const auto boundary =
      cores.begin() + static_cast<std::ptrdiff_t>(from_the_end ? cores.size() - count : count);
  CoreSplit sets{{cores.begin(), boundary}, {boundary, cores.end()}};
  if (from_the_end) std::swap(sets.first, sets.rest);
  return sets;
}

// Most cores go to the lane that computes on the CPU: the model, or the loader if a GPU trains. Of
// two CPU lanes the lower index gets the lower cores.
void assign_cores(LanePlan& plan, std::span<const int> cores) {
  const std::size_t small = std::max<std::size_t>(1, cores.size() / kSmallShare);
  const bool both_on_cpu = !plan.data.device.is_cuda && !plan.model.device.is_cuda;
  const bool data_is_last = both_on_cpu && plan.data.device.index > plan.model.device.index;
  if (plan.model.device.is_cuda) {
    CoreSplit sets = split_cores(cores, small, false);
    plan.model.cores = std::move(sets.first);
    plan.data.cores = std::move(sets.rest);
  } else {
    CoreSplit sets = split_cores(cores, small, data_is_last);
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
      fmt::format("training.threads is {}, but the model lane has {} core{}; using {} thread{}",
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
  assign_cores(plan, cores);
  choose_threads(plan, config);
  choose_buffer(plan, config.data);
  plan.start_delay_s = config.data.model_start_delay;
  return plan;
}

// The device that trains in buffered mode.
LaneDevice single_device(const config::Config& config, const MachineDevices& devices) {
  const std::optional<LaneDevice> model = parse_lane(config::model_lane_of(config.data));
  const std::optional<LaneDevice> data = parse_lane(config::data_lane_of(config.data));
  if (model && model->is_cuda && is_available(*model, devices)) return *model;
  if (model && data && data->is_cuda && model->is_cuda && is_available(*data, devices))
    return *data;
  if (model && !model->is_cuda) return {};
  if (config.training.device == "auto") return {};  // the CPU, until the CUDA path has run on a GPU
  const LaneDevice device = parse_device(config.training.device);
  if (model && data && !is_available(device, devices))
    return {};  // names the unavailable lane again
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

void add_single_lane_notice(LanePlan& plan,
                            const std::optional<LaneDevice>& data,
                            const std::optional<LaneDevice>& model,
                            const MachineDevices& devices) {
  if (data.has_value() == model.has_value()) return;
  const bool is_data = data.has_value();
  const LaneDevice& given = is_data ? *data : *model;
  plan.notices.push_back(fmt::format(
      "only the {} lane is given ({}): two lanes also need --{}-device; training on {}{}",
      is_data ? "data" : "model",
      given.name(),
      is_data ? "model" : "data",
      plan.model.device.name(),
      is_available(given, devices) ? "" : ", because " + unavailable_reason(given, devices)));
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
    std::string reason = no_two_lanes_reason(*data, *model, cores, devices);
    if (reason.empty()) return two_lanes(config, *data, *model, cores);
    return fall_back(config, cores, devices, std::move(reason));
  }
  LanePlan plan = buffered(config, cores, devices);
  add_single_lane_notice(plan, data, model, devices);
  return plan;
}

LanePlan fall_back(const config::Config& config,
                   std::span<const int> cores,
                   const MachineDevices& devices,
                   std::string reason) {
  LanePlan plan = buffered(config, cores, devices);
  plan.fallback_reason = std::move(reason);
  return plan;
}

}  // namespace myxtts::data
