#include "train/run_folder.h"

#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "base/error.h"
#include "base/files.h"
#include "checkpoint/checkpoint_metadata.h"
#include "checkpoint/checkpoint_name.h"
#include "checkpoint/checkpoint_store.h"

namespace myxtts::train {
namespace {

constexpr std::uint64_t kMaxRunConfigBytes = 64U << 20U;

// Returns true for the files of a training run; the lock and other files stay.
bool belongs_to_training(const std::string& name) {
  return name == "checkpoints" || name == "metrics.jsonl" || name == "samples" ||
         name == "config.yaml" || name == "summary.json" || name == "record.json" ||
         name == "profile.json" || name == "profile_trace.json" || name == "log.txt" ||
         name == "report.html" || name.starts_with("events.out.tfevents.");
}

std::filesystem::path unused_name(const std::filesystem::path& run) {
  for (int i = 1;; ++i) {
    std::filesystem::path folder = run / fmt::format("before_reset_{}", i);
    if (!std::filesystem::exists(folder)) return folder;
  }
}

}  // namespace

std::filesystem::path archive_run(const std::filesystem::path& run) {
  std::vector<std::filesystem::path> found;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(run, error), end; !error && entry != end;
       entry.increment(error)) {
    if (belongs_to_training(entry->path().filename().string())) found.push_back(entry->path());
  }
  if (found.empty()) return {};
  const std::filesystem::path folder = unused_name(run);
  std::filesystem::create_directories(folder, error);
  for (const std::filesystem::path& path : found) {
    if (!error) std::filesystem::rename(path, folder / path.filename(), error);
    require(!error, "cannot move {} to {}: {}", path.string(), folder.string(), error.message());
  }
  return folder;
}

bool has_checkpoints(const std::filesystem::path& run) {
  return !checkpoint::CheckpointStore(run / "checkpoints").list().empty();
}

void require_run_kind(const std::filesystem::path& run, Task task) {
  const std::vector<checkpoint::CheckpointEntry> checkpoints =
      checkpoint::CheckpointStore(checkpoint::checkpoints_of(run)).list();
  if (checkpoints.empty()) return;
  const std::filesystem::path file = checkpoints.back().folder / checkpoint::kConfigFile;
  const base::ReadResult read = base::read_regular_file(file, kMaxRunConfigBytes);
  if (read.fault != base::FileFault::kNone) return;
  checkpoint::CheckpointMetadata metadata;
  try {
    metadata = checkpoint::parse_checkpoint_metadata(read.bytes, file.string());
  } catch (const UserError&) {
    return;
  }
  const std::string& kind = metadata.kind;
  require_usage(!checkpoint::is_exported(metadata),
                "{} is an exported {}, which cannot be trained further; use another "
                "--checkpoint-dir",
                run.string(),
                kind);
  require_usage(
      kind == kind_of(task),
      "{} is the run of a {}; to resume it: myxtts {} --checkpoint-dir {}; to train a {}, use "
      "another --checkpoint-dir",
      run.string(),
      kind,
      kind == checkpoint::kVocoderKind ? "train-vocoder" : "train",
      run.string(),
      kind_of(task));
}

}  // namespace myxtts::train
