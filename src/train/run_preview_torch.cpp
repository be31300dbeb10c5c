#include "train/run_preview_torch.h"

#include <limits>

#include <ATen/Parallel.h>

#include "text/front_end.h"
#include "train/corpora.h"
#include "train/gta_mels_torch.h"
#include "train/memory_need_torch.h"
#include "train/run_lanes_torch.h"
#include "train/run_step_torch.h"

namespace myxtts::train {

RunDescription measure_run(const config::Config& config,
                           const Corpora& corpora,
                           const data::ShapePlan& plan,
                           const data::LoaderSettings& loading,
                           RunParts& parts,
                           DataLoader& data,
                           double pending_bytes) {
  MemoryNeed memory =
      measure_memory(parts, config.training, plan, batch_properties_of(config, loading));
  memory.pending_bytes = pending_bytes;
  data.limit_buffer_bytes(bytes_left(memory, config.training));
  memory.buffer_bytes = data.buffer_bytes();
  return {.config = config,
          .corpora = corpora,
          .plan = plan,
          .steps_per_epoch = data.steps_per_epoch(),
          .num_parameters = parts.parameters().num_elements(),
          .reference_frames = loading.reference_frames,
          .threads = at::get_num_threads(),
          .memory = memory};
}

RunPreview preview_run(const config::Config& requested, const data::LanePlan& lanes, Task task) {
  const config::Config config = with_model_device(requested, lanes);
  const text::FrontEnd front_end(text::text_settings_of(config));
  const Corpora corpora = load_corpora(config,
                                       config::num_workers_of(config.data),
                                       /*extractor=*/nullptr,
                                       std::numeric_limits<std::size_t>::max(),
                                       task);
  const data::LoaderSettings loading = loader_settings_for(config, task);
  const data::ShapePlan plan = plan_of(config, corpora);
  RunParts parts(config, static_cast<std::int64_t>(front_end.symbols().size()), task);
  DataLoader data(lanes, corpora.training, plan, loading);
  const RunDescription run =
      measure_run(config, corpora, plan, loading, parts, data, gta_mel_bytes(corpora, config));
  require_memory(run.memory, parts, config, corpora, plan, batch_properties_of(config, loading));
  return {.text = format_run(run),
          .num_parameters = run.num_parameters,
          .steps_per_epoch = run.steps_per_epoch,
          .multiply_adds = max_multiply_adds(run),
          .memory = run.memory,
          .shapes = planned_shapes(run),
          .padding = data::padding_of(plan, corpora.training.lengths())};
}

}  // namespace myxtts::train
