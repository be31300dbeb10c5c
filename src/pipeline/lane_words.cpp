#include "pipeline/lane_words.h"

#include <fmt/format.h>

namespace xtts::pipeline {
namespace {

constexpr const char* kModule = "[pipeline]";

std::string plural(std::int64_t count, std::string_view thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

std::string cores_of(const Lane& lane) {
  return fmt::format("{} {}", lane.cores.size() == 1 ? "core" : "cores", core_list(lane.cores));
}

// "Data Processing GPU: 0", "Data Processing Device: cpu:0".
std::string device_words(std::string_view role, const LaneDevice& device) {
  if (device.is_cuda) return fmt::format("{} GPU: {}", role, device.index.value_or(0));
  return fmt::format("{} Device: {}", role, device.name());
}

std::string loader_words(const LanePlan& plan) {
  if (plan.num_workers == 0) return "inline, between the steps";
  if (!plan.loader_is_idle_priority)
    return fmt::format("{}, {}", plural(plan.num_workers, "worker"), cores_of(plan.data));
  return fmt::format("{}, guests on the model's {}",
                     plural(plan.num_workers, "worker"),
                     plan.data.cores.size() == 1 ? "core" : "cores");
}

std::string buffer_words(const LanePlan& plan, const BufferFacts& buffer) {
  if (plan.num_workers == 0) return "none";
  std::string words = fmt::format("{}", buffer.batches);
  std::string limits;
  if (!plan.buffer_batches) {
    words = "auto, " + words + " to begin with";
    limits = fmt::format("at most {}", buffer.most_batches);
  }
  if (buffer.most_bytes > 0) {
    limits += fmt::format("{}{:.0f} MB",
                          limits.empty() ? "at most " : " and ",
                          static_cast<double>(buffer.most_bytes) / 1e6);
  }
  return limits.empty() ? words : fmt::format("{} ({})", words, limits);
}

std::string prefetch_words(const LanePlan& plan, const BufferFacts& buffer) {
  std::string words = fmt::format(
      "Prefetching to {} with buffer_size={}", plan.prefetch_target.name(), buffer.batches);
  if (plan.staged_batches > 0) {
    words += fmt::format(" (the next {} staged there)", plan.staged_batches);
  }
  return words;
}

}  // namespace

std::string core_list(std::span<const int> cores) {
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

std::string describe_lanes(const LanePlan& plan, const BufferFacts& buffer) {
  const bool is_multi = plan.mode == PipelineMode::kMultiDevice;
  std::string text;
  if (!plan.fall_back_reason.empty()) {
    text += fmt::format("{} Multi-GPU setup failed: {}\n", kModule, plan.fall_back_reason);
    text += fmt::format("{} Falling back to Single-GPU Buffered Mode\n", kModule);
  }
  text += fmt::format("{} Intelligent GPU Pipeline: {}\n",
                      kModule,
                      is_multi ? "Multi-GPU Mode" : "Single-GPU Buffered Mode");
  const auto line = [&text](const std::string& words) { text += "   - " + words + "\n"; };
  line(fmt::format(
      "{} ({})", device_words("Data Processing", plan.data.device), loader_words(plan)));
  line(fmt::format("{} ({}, {})",
                   device_words("Model Training", plan.model.device),
                   plural(plan.model_threads, "thread"),
                   cores_of(plan.model)));
  line(fmt::format("Buffer Size: {}", buffer_words(plan, buffer)));
  if (plan.num_workers == 0) {
    line("Smart Prefetching: Disabled");
  } else {
    line("Smart Prefetching: Enabled");
    line(prefetch_words(plan, buffer));
  }
  if (is_multi) {
    text += fmt::format(
        "{} Multi-GPU Mode: Model will be placed on {}\n", kModule, plan.model.device.name());
  }
  if (plan.num_workers > 0 && plan.buffer_batches.value_or(0) > buffer.batches) {
    text += fmt::format(
        "{} --buffer-size: {} asked for, {} fit into {:.0f} MB (a quarter of the free memory, at "
        "most 4 GiB)\n",
        kModule,
        *plan.buffer_batches,
        buffer.batches,
        static_cast<double>(buffer.room_bytes) / 1e6);
  }
  for (const std::string& notice : plan.notices)
    text += fmt::format("{} {}\n", kModule, notice);
  return text;
}

std::string warm_up_line(const LanePlan& plan) {
  if (plan.num_workers == 0) return {};
  if (plan.mode == PipelineMode::kSingleBuffered) {
    return fmt::format("{} Waiting for data pipeline to warm up...\n", kModule);
  }
  return fmt::format("{} Multi-GPU Mode: Waiting {:.1f}s for data pipeline to warm up...\n",
                     kModule,
                     plan.start_delay_s);
}

std::string starting_line(const LanePlan& plan, double waited_s, std::int64_t batches_ready) {
  if (plan.num_workers == 0) return fmt::format("{} Model training starting now\n", kModule);
  return fmt::format(
      "{} Model training starting now ({} ready after {:.1f} s)\n",
      kModule,
      batches_ready == 1 ? std::string("1 batch") : fmt::format("{} batches", batches_ready),
      waited_s);
}

std::string slower_lanes_line(const LanePlan& plan, double speed_ratio) {
  const bool on_cpu = !plan.data.device.is_cuda && !plan.model.device.is_cuda;
  if (plan.mode != PipelineMode::kMultiDevice || !on_cpu) return {};
  if (!(speed_ratio > 0.0 && speed_ratio < 1.0)) return {};
  return fmt::format(
      "{} the model has {} of {} cores: a step is {:.2f} x as fast as in buffered mode on all of "
      "them (measured); unless loading costs as much as a step, leave out --data-device and "
      "--model-device\n",
      kModule,
      plan.model.cores.size(),
      plan.model.cores.size() + plan.data.cores.size(),
      speed_ratio);
}

}  // namespace xtts::pipeline
