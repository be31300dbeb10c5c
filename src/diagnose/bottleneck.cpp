#include "diagnose/bottleneck.h"

#include <algorithm>
#include <utility>

#include "base/cpu_features.h"
#include "base/memory.h"
#include "base/threads.h"
#include "corpus/locate.h"
#include "corpus/reader.h"
#include "data/lanes.h"
#include "rules/apply_rules.h"
#include "rules/step_shapes.h"
#include "rules/time_split.h"
#include "train/record_settings.h"

namespace myxtts::diagnose {
namespace {

constexpr std::size_t kMaxSampled = 64;  // utterances, for stage times
// Replaces the suggestion to run `diagnose bottleneck`, which is this command.
constexpr const char* kProfileCommand =
    "myxtts train --profile 50 --max-steps 60 --checkpoint-dir runs/profile";

// Copies the disk measurements of this tool; a training run has none.
void copy_disk_times(const rules::Machine& measured, rules::Machine& machine) {
  machine.disk_bytes_per_s = measured.disk_bytes_per_s;
  machine.open_s = measured.open_s;
}

void copy_sample_stats(const rules::CorpusStats& sample, rules::CorpusStats& corpus) {
  corpus.silence_share = sample.silence_share;
  corpus.longest_silence_s = sample.longest_silence_s;
  corpus.resampled_share = sample.resampled_share;
  corpus.resampled_from_hz = sample.resampled_from_hz;
  corpus.encoded_share = sample.encoded_share;
  corpus.encoded_mean_s = sample.encoded_mean_s;
  corpus.mean_file_bytes = sample.mean_file_bytes;
}

rules::Machine with_machine_stats(rules::Machine machine) {
  machine.cores = base::num_cores();
  machine.usable_cores = base::num_usable_cores();
  machine.total_memory_bytes = base::total_memory_bytes();
  machine.free_memory_bytes = base::free_memory_bytes();
  machine.cpu_features = base::cpu_features();
  return machine;
}

}  // namespace

std::vector<rules::Stage> stages_per_row(const std::vector<rules::Stage>& stages,
                                         const config::Config& config,
                                         double planned_epochs) {
  const bool is_kept = config.data.feature_cache != "off";
  const double once = 1.0 / std::max(1.0, planned_epochs);
  std::vector<rules::Stage> rows = stages;
  for (rules::Stage& stage : rows) {
    double times = 2.0;  // the recording and its reference clip
    if (stage.name == "text" || is_kept) times = once;
    if (stage.name == "pad") times = 1.0;
    if (stage.cpu_s) stage.cpu_s = times * *stage.cpu_s;
    if (stage.wall_s) stage.wall_s = times * *stage.wall_s;
  }
  return rows;
}

BottleneckReport measure_bottleneck(const config::Config& config, int num_batches) {
  const std::filesystem::path folder = corpus::locate_corpus(config.data.dataset_path, config.data);
  const corpus::Corpus corpus = corpus::read_corpus(folder, config.data);
  const std::int64_t num_utterances = std::ssize(corpus.utterances);
  BottleneckReport report{.corpus = corpus::format_corpus(corpus)};
  report.stages = measure_stages(corpus, config, kMaxSampled);
  report.loader = measure_loader(corpus, config, num_batches);

  rules::Record& record = report.record;
  record.settings = train::record_settings(
      config, data::choose_lanes(config, base::usable_cores(), {}), num_utterances);
  record.machine = with_machine_stats(report.stages.machine);
  record.corpus = report.stages.corpus;
  record.corpus.utterances = num_utterances;
  record.loading.stages =
      stages_per_row(report.stages.stages, config, record.settings.planned_epochs.value_or(1.0));
  record.loading.preparation_s =
      report.loader.reading_s * static_cast<double>(num_utterances) /
      static_cast<double>(std::max<std::int64_t>(1, report.loader.num_utterances));
  return report;
}

ModelAlone model_alone(const rules::Record& run) {
  const double rows = rules::rows_per_batch(run).value_or(1.0);
  const rules::TimeSplit split = rules::split_of(run.steps);
  const double copy_s = split.steps > 0 ? split.copy_s / static_cast<double>(split.steps) : 0.0;
  return {.copy_s = copy_s / rows, .step_s = rules::median_step_s(run.steps).value_or(0.0) / rows};
}

void add_run(BottleneckReport& report, ShortRun run) {
  rules::Record& record = run.record;
  const rules::Record& before = report.record;
  if (record.steps.size() > 1) record.steps.erase(record.steps.begin());
  record.settings.planned_epochs = before.settings.planned_epochs;
  record.settings.planned_steps = before.settings.planned_steps;
  record.loading.stages = before.loading.stages;
  copy_disk_times(before.machine, record.machine);
  copy_sample_stats(before.corpus, record.corpus);
  report.record = std::move(record);
  report.lanes = std::move(run.lanes);
}

void bottleneck_findings(BottleneckReport& report) {
  report.findings = rules::apply_rules(report.record);
  for (rules::Finding& finding : report.findings) {
    if (finding.suggestion == "myxtts diagnose bottleneck") finding.suggestion = kProfileCommand;
  }
}

}  // namespace myxtts::diagnose
