#include "data/lane_messages.h"

#include <fmt/format.h>

namespace myxtts::data {
namespace {

constexpr const char* kModule = "[pipeline]";

std::string plural(std::int64_t count, std::string_view thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

std::string cores_of(const Lane& lane) {
  return fmt::format("{} {}", lane.cores.size() == 1 ? "core" : "cores", format_cores(lane.cores));
}

// "Data Processing GPU: 0", "Data Processing Device: cpu:0".
std::string format_device(std::string_view role, const LaneDevice& device) {
  if (device.is_cuda) return fmt::format("{} GPU: {}", role, device.index.value_or(0));
  return fmt::format("{} Device: {}", role, device.name());
}

std::string format_loader(const LanePlan& plan) {
  if (plan.num_workers == 0) return "inline, between the steps";
  if (!plan.loader_is_idle_priority)
    return fmt::format("{}, {}", plural(plan.num_workers, "worker"), cores_of(plan.data));
  return fmt::format("{} at idle priority on the model's {}",
                     plural(plan.num_workers, "worker"),
                     plan.data.cores.size() == 1 ? "core" : "cores");
}

std::string format_buffer(const LanePlan& plan, const BufferSummary& buffer) {
  if (plan.num_workers == 0) return "none";
  std::string text = fmt::format("{}", buffer.batches);
  std::string limits;
  if (!plan.buffer_batches) {
    text = "auto, initially " + text;
    limits = fmt::format("at most {}", buffer.max_batches);
  }
  if (buffer.max_bytes > 0) {
    limits += fmt::format("{}{:.0f} MB",
                          limits.empty() ? "at most " : " and ",
                          static_cast<double>(buffer.max_bytes) / 1e6);
  }
  return limits.empty() ? text : fmt::format("{} ({})", text, limits);
}

std::string format_prefetch(const LanePlan& plan, const BufferSummary& buffer) {
  std::string text = fmt::format(
      "Prefetching to {} with buffer_size={}", plan.prefetch_target.name(), buffer.batches);
  if (plan.staged_batches > 0) {
    text += fmt::format(" (the next {} staged there)", plan.staged_batches);
  }
  return text;
}

}  // namespace

std::string format_cores(std::span<const int> cores) {
  std::string list;
  for (std::size_t i = 0; i < cores.size();) {
    std::size_t end = i + 1;
    while (end < cores.size() && cores[end] == cores[end - 1] + 1)
      ++end;
    if (!list.empty()) list += ',';
    list += fmt::format("{}", cores[i]);
    if (end - i > 1) list += fmt::format("-{}", cores[end - 1]);
    i = end;
  }
  return list;
}

std::string format_lanes(const LanePlan& plan, const BufferSummary& buffer) {
  const bool is_multi = plan.mode == PipelineMode::kMultiDevice;
  std::string text;
  if (!plan.fallback_reason.empty()) {
    text += fmt::format("{} Multi-GPU setup failed: {}\n", kModule, plan.fallback_reason);
    text += fmt::format("{} Falling back to Single-GPU Buffered Mode\n", kModule);
  }
  text += fmt::format("{} Intelligent GPU Pipeline: {}\n",
                      kModule,
                      is_multi ? "Multi-GPU Mode" : "Single-GPU Buffered Mode");
  const auto line = [&text](const std::string& item) { text += "   - " + item + "\n"; };
  line(fmt::format(
      "{} ({})", format_device("Data Processing", plan.data.device), format_loader(plan)));
  line(fmt::format("{} ({}, {})",
                   format_device("Model Training", plan.model.device),
                   plural(plan.model_threads, "thread"),
                   cores_of(plan.model)));
  line(fmt::format("Buffer Size: {}", format_buffer(plan, buffer)));
  if (plan.num_workers == 0) {
    line("Smart Prefetching: Disabled");
  } else {
    line("Smart Prefetching: Enabled");
    line(format_prefetch(plan, buffer));
  }
  if (is_multi) {
    text += fmt::format(
        "{} Multi-GPU Mode: Model will be placed on {}\n", kModule, plan.model.device.name());
  }
  if (plan.num_workers > 0 && plan.buffer_batches.value_or(0) > buffer.batches) {
    text += fmt::format(
        "{} --buffer-size: {} batches requested, {} fit into {:.0f} MB (a quarter of the free "
        "memory, "
        "at most 4 GiB)\n",
        kModule,
        *plan.buffer_batches,
        buffer.batches,
        static_cast<double>(buffer.room_bytes) / 1e6);
  }
  for (const std::string& notice : plan.notices)
    text += fmt::format("{} {}\n", kModule, notice);
  return text;
}

std::string format_warm_up(const LanePlan& plan) {
  if (plan.num_workers == 0) return {};
  if (plan.mode == PipelineMode::kSingleBuffered) {
    return fmt::format("{} Waiting for data pipeline to warm up...\n", kModule);
  }
  return fmt::format("{} Multi-GPU Mode: Waiting {:.1f}s for data pipeline to warm up...\n",
                     kModule,
                     plan.start_delay_s);
}

std::string format_training_start(const LanePlan& plan,
                                  double waited_s,
                                  std::int64_t batches_ready) {
  if (plan.num_workers == 0) return fmt::format("{} Model training starting now\n", kModule);
  return fmt::format(
      "{} Model training starting now ({} ready after {:.1f} s)\n",
      kModule,
      batches_ready == 1 ? std::string("1 batch") : fmt::format("{} batches", batches_ready),
      waited_s);
}

std::string format_slow_lanes(const LanePlan& plan, double speed_ratio) {
  const bool on_cpu = !plan.data.device.is_cuda && !plan.model.device.is_cuda;
  if (plan.mode != PipelineMode::kMultiDevice || !on_cpu) return {};
  if (!(speed_ratio > 0.0 && speed_ratio < 1.0)) return {};
  return fmt::format(
      "{} the model lane has {} of {} cores: a step is {:.2f} x as fast as in buffered mode on all "
      "cores (measured); unless loading takes as long as a step, omit --data-device and "
      "--model-device\n",
      kModule,
      plan.model.cores.size(),
      plan.model.cores.size() + plan.data.cores.size(),
      speed_ratio);
}

}  // namespace myxtts::data
