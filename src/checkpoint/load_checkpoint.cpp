// Loads and verifies checkpoints: files against the manifest, tensors against their checksums.
#include <algorithm>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/crc32c.h"
#include "base/error.h"
#include "base/files.h"
#include "base/nearest.h"
#include "base/sha256.h"
#include "checkpoint/checkpoint_name.h"
#include "checkpoint/checkpoint_store.h"
#include "checkpoint/json_walk.h"
#include "checkpoint/manifest.h"

namespace myxtts::checkpoint {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMaxConfigBytes = std::uint64_t{64} << 20U;

Manifest read_manifest(const fs::path& folder) {
  const fs::path file = folder / kManifestFile;
  Manifest manifest =
      parse_manifest(base::read_file_or_throw(file, kMaxManifestBytes), file.string());
  const std::optional<std::int64_t> named = step_of(folder);
  require(!named || *named == manifest.step,
          "{}: the checkpoint is of step {}, its folder is named for another; rename it to {}",
          file.string(),
          manifest.step,
          checkpoint_name(manifest.step));
  return manifest;
}

const FileRecord& record_of(const Manifest& manifest, const char* name, const fs::path& folder) {
  const FileRecord* record = manifest.find(name);
  require(record != nullptr, "{}: the manifest does not list {}", folder.string(), name);
  return *record;
}

std::string read_verified(const FileRecord& record, const fs::path& folder) {
  const fs::path file = folder / record.name;
  base::ReadResult read = base::read_regular_file(file, record.bytes);
  require(read.fault == base::FileFault::kNone,
          "cannot read {}: {}; expected {} bytes",
          file.string(),
          read.detail,
          record.bytes);
  require(read.bytes.size() == record.bytes,
          "{}: {} bytes, expected {}: truncated",
          file.string(),
          read.bytes.size(),
          record.bytes);
  require(base::sha256_hex(read.bytes) == record.sha256,
          "{}: SHA-256 differs from the manifest: the file changed after it was written",
          file.string());
  return std::move(read.bytes);
}

TensorFile read_tensors(const FileRecord& record, const fs::path& folder) {
  const std::string source = (folder / record.name).string();
  TensorFile file = parse_safetensors(read_verified(record, folder), source);
  require(file.tensors.size() == record.tensors.size(),
          "{}: {} tensors, expected {} as in the manifest",
          source,
          file.tensors.size(),
          record.tensors.size());
  for (const TensorView& tensor : file.tensors) {
    const auto found = record.tensors.find(tensor.name);
    const bool same = found != record.tensors.end() && found->second == checksum(tensor);
    require(
        same, "{}: tensor {}: CRC32C differs from the manifest", source, quoted_start(tensor.name));
  }
  return file;
}

std::vector<std::string> sibling_names(const fs::path& path) {
  std::vector<std::string> names;
  std::error_code ignored;
  const fs::path parent = path.has_parent_path() ? path.parent_path() : fs::path(".");
  for (const fs::directory_entry& entry : fs::directory_iterator(parent, ignored)) {
    if (entry.is_directory(ignored)) names.push_back(entry.path().filename().string());
  }
  return names;
}

}  // namespace

std::uint32_t checksum(const TensorView& tensor) {
  return base::crc32c({reinterpret_cast<const char*>(tensor.bytes.data()), tensor.bytes.size()});
}

LoadedCheckpoint load_checkpoint(const fs::path& folder) {
  const Manifest manifest = read_manifest(folder);
  LoadedCheckpoint checkpoint;
  checkpoint.step = manifest.step;
  checkpoint.folder = folder;
  checkpoint.model = read_tensors(record_of(manifest, kModelFile, folder), folder);
  checkpoint.trainer = read_tensors(record_of(manifest, kTrainerFile, folder), folder);
  const FileRecord& config = record_of(manifest, kConfigFile, folder);
  require(config.bytes <= kMaxConfigBytes,
          "{}: {} bytes, at most {} are read",
          (folder / kConfigFile).string(),
          config.bytes,
          kMaxConfigBytes);
  checkpoint.config_json = read_verified(config, folder);
  return checkpoint;
}

bool looks_complete(const fs::path& folder) {
  try {
    const Manifest manifest = read_manifest(folder);
    return std::ranges::all_of(manifest.files, [&](const FileRecord& file) {
      std::error_code error;
      const std::uintmax_t bytes = fs::file_size(folder / file.name, error);
      return !error && bytes == file.bytes;
    });
  } catch (const UserError&) {
    return false;
  }
}

bool is_checkpoint(const fs::path& folder) {
  std::error_code ignored;
  return step_of(folder).has_value() || fs::exists(folder / kManifestFile, ignored);
}

fs::path checkpoints_of(const fs::path& run) {
  std::error_code ignored;
  const fs::path inner = run / "checkpoints";
  return fs::is_directory(inner, ignored) ? inner : run;
}

void require_run_or_checkpoint(const fs::path& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  require_usage(fs::exists(status),
                "{} does not exist{}; expected a run folder or one of its checkpoints",
                path.string(),
                base::did_you_mean(path.filename().string(), sibling_names(path)));
  require_usage(fs::is_directory(status),
                "{} is not a folder; expected a run folder or one of its checkpoints",
                path.string());
}

LoadedCheckpoint find_checkpoint(const fs::path& run_or_checkpoint) {
  require_run_or_checkpoint(run_or_checkpoint);
  if (is_checkpoint(run_or_checkpoint)) return load_checkpoint(run_or_checkpoint);

  NewestGood newest = CheckpointStore(checkpoints_of(run_or_checkpoint)).newest_good();
  if (newest.checkpoint) return std::move(*newest.checkpoint);
  require(!newest.damaged.empty(),
          "no checkpoint in {}; train first, or choose another run folder",
          run_or_checkpoint.string());
  throw UserError(fmt::format("all {} checkpoints in {} are damaged; the newest: {}",
                              newest.damaged.size(),
                              run_or_checkpoint.string(),
                              newest.damaged.front().reason));
}

}  // namespace myxtts::checkpoint
