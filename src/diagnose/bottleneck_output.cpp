// Text and JSON output of `diagnose bottleneck`.
#include <algorithm>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/format.h"
#include "diagnose/bottleneck.h"
#include "rules/cycle.h"
#include "rules/limit_line.h"
#include "rules/loading_need.h"
#include "rules/record_json.h"
#include "rules/time_split.h"

namespace myxtts::diagnose {
namespace {

double stage_wall_s(const rules::Stage& stage) {
  return stage.wall_s.value_or(stage.cpu_s.value_or(0.0));
}

std::string stages_text(const BottleneckReport& report) {
  std::string text = fmt::format(
      "STAGES ALONE (per utterance; {}, one thread; shares are of loading a row of a batch)\n",
      base::format_count(report.stages.num_measured, "utterance"));
  for (const rules::Stage& stage : report.stages.stages) {
    text +=
        fmt::format("  {:<10}{:>9.3f} ms  {:>5}{}\n",
                    stage.name,
                    1e3 * stage_wall_s(stage),
                    base::format_percent(rules::share_of_stage(report.record.loading, stage.name)),
                    stage.name == "text" ? "  once per run" : "");
  }
  if (report.model) {
    text += fmt::format("  {:<10}{:>9.3f} ms         the model, to its device\n",
                        "copy",
                        1e3 * report.model->copy_s);
    text += fmt::format("  {:<10}{:>9.3f} ms         the model, with mels in memory\n",
                        "step",
                        1e3 * report.model->step_s);
  }
  return text;
}

std::string format_variation(const std::vector<double>& times_s) {
  const rules::Variation variation = rules::variation_of(times_s);
  return fmt::format("median {}, max {}, std {} of the mean{}",
                     base::format_seconds(variation.median_s),
                     base::format_seconds(variation.max_s),
                     base::format_percent(variation.relative_std),
                     variation.period
                         ? fmt::format(" - cyclic pattern, every {} batches", *variation.period)
                         : "");
}

std::string loader_text(const BottleneckReport& report) {
  const LoaderTimes& loader = report.loader;
  return fmt::format(
      "\nLOADER ALONE ({} from the files, {})\n  batch times         {}\n"
      "  speed               {:.0f} x real time\n  CPU time            {} per batch\n",
      fmt::format("{} batches", loader.batch_s.size()),
      loader.num_workers == 0 ? "no worker" : base::format_count(loader.num_workers, "worker"),
      format_variation(loader.batch_s),
      loader.audio_s_per_s,
      base::format_seconds(loader.busy_s / static_cast<double>(loader.batch_s.size())));
}

std::vector<double> step_and_wait_times(const BottleneckReport& report) {
  std::vector<double> times_s;
  for (const rules::Step& step : report.record.steps)
    times_s.push_back(step.step_s + step.wait_s.value_or(0.0));
  return times_s;
}

std::string training_text(const BottleneckReport& report) {
  if (report.record.steps.empty()) return "";
  const rules::TimeSplit split = rules::split_of(report.record.steps);
  std::int64_t smallest = report.record.steps.front().buffer_depth.value_or(0);
  std::int64_t largest = smallest;
  for (const rules::Step& step : report.record.steps) {
    smallest = std::min(smallest, step.buffer_depth.value_or(0));
    largest = std::max(largest, step.buffer_depth.value_or(0));
  }
  return fmt::format(
      "\nTRAINING ({} after the first)\n  batch times         {}\n  the model           computed "
      "{}, waited for "
      "data {}, host {}\n  buffer              {} to {} batches ready after a step, {} at the "
      "end\n",
      base::format_count(std::ssize(report.record.steps), "step"),
      format_variation(step_and_wait_times(report)),
      base::format_percent(split.share_of(split.compute_s)),
      base::format_percent(split.share_of(split.wait_s)),
      base::format_percent(split.share_of(split.host_s)),
      smallest,
      largest,
      report.record.steps.back().buffer_depth.value_or(0));
}

std::string machine_text(const BottleneckReport& report) {
  const rules::Machine& machine = report.record.machine;
  std::string text = fmt::format(
      "\nMACHINE\n  cores               {} of {}\n  memory              {} of {} free\n",
      machine.usable_cores.value_or(0),
      machine.cores.value_or(0),
      base::format_bytes(static_cast<double>(machine.free_memory_bytes.value_or(0))),
      base::format_bytes(static_cast<double>(machine.total_memory_bytes.value_or(0))));
  if (machine.disk_bytes_per_s) {
    text += fmt::format("  disk                {} per second, first byte after {}\n",
                        base::format_bytes(*machine.disk_bytes_per_s),
                        base::format_seconds(machine.open_s.value_or(0.0)));
  }
  if (machine.load_by_others) {
    text += fmt::format("  other programs      kept {:.1f} cores busy\n", *machine.load_by_others);
  }
  return text;
}

nlohmann::ordered_json variation_json(const std::vector<double>& times_s) {
  const rules::Variation variation = rules::variation_of(times_s);
  nlohmann::ordered_json json = {{"mean_s", variation.mean_s},
                                 {"relative_std", variation.relative_std},
                                 {"median_s", variation.median_s},
                                 {"longest_s", variation.longest_s},
                                 {"max_s", variation.max_s},
                                 {"period", nullptr}};
  if (variation.period) json["period"] = *variation.period;
  return json;
}

}  // namespace

std::string to_text(const BottleneckReport& report) {
  std::string text = report.corpus + "\n\n" + stages_text(report) + loader_text(report) +
                     training_text(report) + machine_text(report) + "\nFINDINGS\n";
  for (const rules::Finding& finding : report.findings)
    text += format_finding(finding) + "\n";
  if (report.findings.empty()) text += "  none\n";
  return text + "\n" + rules::limit_line(report.record) + "\n";
}

nlohmann::ordered_json to_json(const BottleneckReport& report) {
  nlohmann::ordered_json stages = nlohmann::ordered_json::array();
  for (const rules::Stage& stage : report.stages.stages) {
    stages.push_back({{"name", stage.name},
                      {"cpu_s", stage.cpu_s.value_or(0.0)},
                      {"wall_s", stage_wall_s(stage)}});
  }
  if (report.model) {
    const ModelAlone& model = *report.model;
    stages.push_back({{"name", "copy"}, {"cpu_s", nullptr}, {"wall_s", model.copy_s}});
    stages.push_back({{"name", "step"}, {"cpu_s", nullptr}, {"wall_s", model.step_s}});
  }
  const LoaderTimes& loader = report.loader;
  return {{"healthy", rules::is_healthy(report.findings)},
          {"findings", rules::to_json(report.findings)},
          {"limit", rules::limit_name(report.record)},
          {"limited_by", rules::limit_line(report.record)},
          {"stages", std::move(stages)},
          {"loader",
           {{"workers", loader.num_workers},
            {"batches", loader.batch_s.size()},
            {"variation", variation_json(loader.batch_s)},
            {"busy_s", loader.busy_s},
            {"audio_s_per_s", loader.audio_s_per_s}}},
          {"training",
           {{"steps", report.record.steps.size()},
            {"variation", variation_json(step_and_wait_times(report))}}},
          {"record", rules::to_json(report.record)}};
}

}  // namespace myxtts::diagnose
