#include "cli/diagnose_runs.h"

#include <string>
#include <utility>

#include "base/temporary_folder.h"
#include "base/terminal.h"
#include "train/run_config.h"

namespace myxtts::cli {

std::vector<const char*> shape_flag_keys() {
  return {"data.dataset_path",
          "model.model_size",
          "data.batch_size",
          "data.pad_to_fixed_length",
          "data.shape_buckets",
          "data.max_text_length",
          "data.max_mel_frames",
          "training.gradient_accumulation_steps",
          "training.device",
          "training.precision",
          "training.threads",
          "training.memory_budget",
          "data.num_workers",
          "data.language",
          "data.use_phonemes"};
}

std::vector<const char*> loading_flag_keys() {
  std::vector<const char*> keys = shape_flag_keys();
  for (const char* key : {"training.epochs",
                          "training.max_steps",
                          "data.pipeline_buffer_size",
                          "data.data_gpu",
                          "data.model_gpu",
                          "data.data_device",
                          "data.model_device",
                          "data.feature_cache",
                          "data.cache_dir",
                          "data.cache_limit"}) {
    keys.push_back(key);
  }
  return keys;
}

config::Resolved resolve_for_runs(const ConfigArgs& args) {
  config::Layers layers{.run_file = {}, .file = {}, .sets = args.sets, .flags = args.flags};
  if (!args.file.empty()) layers.file = args.file;
  config::Resolved resolved = config::resolve(layers);
  train::make_paths_absolute(resolved.config);
  return resolved;
}

void log_warnings(const config::Resolved& resolved) {
  for (const std::string& warning : resolved.warnings)
    base::log("[config] warning: {}\n", warning);
}

diagnose::ShortRun run_short_training(const api::TorchCommands& torch,
                                      const config::Resolved& resolved,
                                      const ShortRunSettings& settings) {
  const base::TemporaryFolder folder("myxtts-diagnose");
  train::TrainRequest request = diagnose::short_run(resolved, folder.path(), settings.num_steps);
  request.is_quiet = settings.is_quiet;
  request.max_utterances = settings.max_utterances;
  request.trace_file = diagnose::trace_file_in(folder.path()).string();
  const train::TrainSummary summary = torch.train(request);
  diagnose::ShortRun run = diagnose::read_short_run(folder.path());
  run.summary = summary;
  return run;
}

diagnose::ShortRun run_short_training_in_memory(const api::TorchCommands& torch,
                                                config::Resolved resolved,
                                                const ShortRunSettings& settings) {
  const base::TemporaryFolder cache("myxtts-diagnose");
  resolved.config.data.feature_cache = "auto";  // mels that do not fit into memory go there
  resolved.config.data.cache_dir = cache.path().string();
  return run_short_training(torch, resolved, settings);
}

}  // namespace myxtts::cli
