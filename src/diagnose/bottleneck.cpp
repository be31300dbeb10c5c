#include "diagnose/bottleneck.h"

#include <algorithm>
#include <utility>

#include <unistd.h>

#include "base/cpu_features.h"
#include "base/memory.h"
#include "base/threads.h"
#include "corpus/locate.h"
#include "corpus/reader.h"
#include "pipeline/run_plan.h"
#include "pipeline/update_maker.h"
#include "verdict/judge.h"

namespace xtts::diagnose {
namespace {

constexpr std::size_t kMostSampled = 64;  // utterances whose stages are measured
// For what has no cause among the findings: this tool itself is no remedy here.
constexpr const char* kLookCloser = "myxtts train --trace trace.json";

double planned_epochs_of(const config::Config& config, std::int64_t num_utterances) {
  if (!config.training.max_steps) return config.training.epochs;
  const double seen = static_cast<double>(*config.training.max_steps) * config.data.batch_size;
  return seen / static_cast<double>(std::max<std::int64_t>(1, num_utterances));
}

verdict::Machine machine_now(verdict::Machine machine) {
  machine.cores = sysconf(_SC_NPROCESSORS_ONLN);
  machine.usable_cores = base::num_usable_cores();
  machine.total_memory_bytes = std::int64_t{sysconf(_SC_PHYS_PAGES)} * sysconf(_SC_PAGESIZE);
  machine.free_memory_bytes = base::free_memory_bytes();
  machine.cpu_features = base::cpu_features();
  return machine;
}

std::vector<std::int64_t> widened(const std::vector<int>& cores) {
  return {cores.begin(), cores.end()};
}

}  // namespace

verdict::Settings settings_for_record(const config::Config& config,
                                      const pipeline::LanePlan& lanes,
                                      std::int64_t num_utterances) {
  const config::DataConfig& data = config.data;
  verdict::Settings settings{
      .shape_mode = std::string(name_of(pipeline::shape_settings_of(config).mode)),
      .pad_to_fixed_length = data.pad_to_fixed_length,
      .batch_size = data.batch_size,
      .grad_accum = config.training.gradient_accumulation_steps,
      .num_workers = lanes.num_workers,
      .buffer = lanes.buffer_batches,
      .cache = data.feature_cache,
      .threads = config::threads_of(config.training),
      .device = lanes.model.device.name(),
      .mode = std::string(name_of(lanes.mode)),
      .model_cores = widened(lanes.model.cores),
      .data_cores = widened(lanes.data.cores),
      .loader_is_guest = lanes.loader_is_guest,
      .trim_silence = data.trim_silence,
      .planned_epochs = planned_epochs_of(config, num_utterances)};
  if (config::precision_of(config) != "auto") settings.precision = config::precision_of(config);
  settings.planned_steps = static_cast<std::int64_t>(
      *settings.planned_epochs * static_cast<double>(num_utterances) / data.batch_size);
  return settings;
}

std::vector<verdict::Stage> stages_per_row(const std::vector<verdict::Stage>& stages,
                                           const config::Config& config,
                                           double planned_epochs) {
  const bool has_clip =
      config.data.feature_cache == "off" && pipeline::reference_frames_of(config) > 0;
  std::vector<verdict::Stage> rows = stages;
  for (verdict::Stage& stage : rows) {
    double times = has_clip ? 2.0 : 1.0;
    if (stage.name == "pad") times = 1.0;
    if (stage.name == "text") times = 1.0 / std::max(1.0, planned_epochs);
    if (stage.cpu_s) stage.cpu_s = times * *stage.cpu_s;
    if (stage.wall_s) stage.wall_s = times * *stage.wall_s;
  }
  return rows;
}

BottleneckReport measure_bottleneck(const config::Config& config, int num_batches) {
  const std::filesystem::path folder = corpus::locate_corpus(config.data.dataset_path, config.data);
  const corpus::Corpus corpus = corpus::read_corpus(folder, config.data);
  const std::int64_t num_utterances = std::ssize(corpus.utterances);
  BottleneckReport report{.corpus = corpus::describe(corpus)};
  report.stages = measure_stages(corpus, config, kMostSampled);
  report.loader = measure_loader(corpus, config, num_batches);

  verdict::Record& record = report.record;
  record.settings = settings_for_record(
      config, pipeline::choose_lanes(config, base::usable_cores(), {}), num_utterances);
  record.machine = machine_now(report.stages.machine);
  record.corpus = report.stages.corpus;
  record.corpus.utterances = num_utterances;
  record.loading.stages =
      stages_per_row(report.stages.stages, config, *record.settings.planned_epochs);
  record.loading.preparation_s =
      report.loader.reading_s * static_cast<double>(num_utterances) /
      static_cast<double>(std::max<std::int64_t>(1, report.loader.num_utterances));
  return report;
}

void judge_bottleneck(BottleneckReport& report, std::vector<RunStep> steps) {
  report.steps = std::move(steps);
  report.record.steps.clear();
  for (std::size_t i = report.steps.size() > 1 ? 1 : 0; i < report.steps.size(); ++i)
    report.record.steps.push_back(report.steps[i].measured);
  report.record.memory = {.resident_bytes = base::resident_bytes(),
                          .peak_bytes = base::peak_resident_bytes()};
  report.findings = verdict::judge(report.record);
  for (verdict::Finding& finding : report.findings) {
    if (finding.remedy == "myxtts diagnose bottleneck") finding.remedy = kLookCloser;
  }
}

}  // namespace xtts::diagnose
