// Note [Atomic checkpoints]: write() checks the free space, writes and syncs each file in a folder
// with a temporary name, syncs that folder, renames it once and syncs the parent. Before the rename
// no existing checkpoint has changed; after it all bytes are on the disk. A checkpoint is removed
// by first renaming it to a temporary name, so that readers never find a partly removed one.
#include "checkpoint/checkpoint_store.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "base/sha256.h"
#include "base/version.h"
#include "checkpoint/checkpoint_name.h"
#include "checkpoint/manifest.h"

namespace myxtts::checkpoint {
namespace {

namespace fs = std::filesystem;

constexpr int kMinKept = 2;
constexpr std::uint64_t kHeaderBytes = 1U << 20U;  // upper bound for headers, manifest and folder

bool path_exists(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

// Returns the sorted entries of a folder, none if it does not exist.
std::vector<fs::path> entries_of(const fs::path& folder) {
  std::vector<fs::path> entries;
  std::error_code absent;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, absent))
    entries.push_back(entry.path());
  std::ranges::sort(entries);
  return entries;
}

std::uint64_t bytes_of(const CheckpointContent& content) {
  std::uint64_t bytes = kHeaderBytes + content.config_json.size();
  for (const auto* tensors : {&content.model, &content.trainer}) {
    for (const TensorView& tensor : *tensors)
      bytes += tensor.bytes.size();
  }
  return bytes;
}

void make_folders(const fs::path& folder, FileLayer& files) {
  if (folder.empty() || path_exists(folder)) return;
  const fs::path parent = folder.parent_path();
  make_folders(parent, files);
  files.make_folder(folder);
  files.sync_folder(parent.empty() ? fs::path(".") : parent);
}

void write_synced(const fs::path& file, std::string_view bytes, FileLayer& files) {
  const std::unique_ptr<OutputFile> output = files.create(file);
  output->write(bytes);
  output->sync();
}

std::string load_error(const fs::path& folder) {
  try {
    load_checkpoint(folder);
    return "";
  } catch (const UserError& error) {
    return error.what();
  }
}

// Returns an unused name for a damaged checkpoint, which is kept beside the good one of its step.
fs::path broken_name(const fs::path& folder) {
  for (int number = 1;; ++number) {
    fs::path name = fmt::format("{}.broken.{}", folder.string(), number);
    if (!path_exists(name)) return name;
  }
}

}  // namespace

CheckpointStore::CheckpointStore(fs::path checkpoints, FileLayer& files)
    : checkpoints_(std::move(checkpoints)), files_(&files) {
  // "runs/a/checkpoints/" and "runs/a/checkpoints" have the same parent.
  if (!checkpoints_.has_filename()) checkpoints_ = checkpoints_.parent_path();
}

fs::path CheckpointStore::write(const CheckpointContent& content) {
  const fs::path folder = checkpoints_ / checkpoint_name(content.step);
  if (path_exists(folder)) {
    if (load_error(folder).empty()) {
      files_->sync_folder(checkpoints_);  // the writer may have died before its sync
      return folder;
    }
    files_->rename(folder, broken_name(folder));
  }
  require_space(bytes_of(content));
  make_folders(checkpoints_, *files_);

  const fs::path unfinished = checkpoints_ / unfinished_name(content.step);
  if (path_exists(unfinished)) remove_tree(unfinished);  // left by a process with the same pid
  try {
    write_folder(content, unfinished);
    files_->rename(unfinished, folder);
  } catch (...) {
    try {
      remove_tree(unfinished);
    } catch (const std::exception&) {  // keep the first error; the next start cleans up
    }
    throw;
  }
  files_->sync_folder(checkpoints_);
  return folder;
}

void CheckpointStore::write_folder(const CheckpointContent& content, const fs::path& folder) {
  files_->make_folder(folder);
  Manifest manifest{content.step, std::string(base::version()), {}};
  const auto add = [&](const char* name, std::string_view bytes) -> FileRecord& {
    write_synced(folder / name, bytes, *files_);
    manifest.files.push_back({name, bytes.size(), base::sha256_hex(bytes), {}});
    return manifest.files.back();
  };
  const auto add_tensors = [&](const char* name, std::span<const TensorView> tensors) {
    FileRecord& record = add(name, safetensors_bytes(tensors, {{"format", "pt"}}));
    for (const TensorView& tensor : tensors)
      record.tensors.emplace(tensor.name, checksum(tensor));
  };
  add_tensors(kModelFile, content.model);
  add_tensors(kTrainerFile, content.trainer);
  add(kConfigFile, content.config_json);
  write_synced(folder / kManifestFile, manifest_text(manifest), *files_);
  files_->sync_folder(folder);
}

void CheckpointStore::prune(int keep, std::span<const std::int64_t> pinned) {
  std::vector<CheckpointEntry> entries = list();
  std::ranges::reverse(entries);
  int complete = 0;
  std::vector<fs::path> to_remove;
  for (const CheckpointEntry& entry : entries) {
    const bool kept = complete < std::max(keep, kMinKept) ||
                      std::ranges::find(pinned, entry.step) != pinned.end();
    if (!kept) {
      to_remove.push_back(checkpoints_ / unfinished_name(entry.step));
      if (path_exists(to_remove.back())) remove_tree(to_remove.back());
      files_->rename(entry.folder, to_remove.back());
    } else if (looks_complete(entry.folder)) {
      ++complete;
    }
  }
  if (to_remove.empty()) return;
  files_->sync_folder(checkpoints_);
  for (const fs::path& folder : to_remove)
    remove_tree(folder);
}

void CheckpointStore::remove_unfinished() {
  for (const fs::path& entry : entries_of(checkpoints_)) {
    if (is_unfinished_checkpoint(entry)) remove_tree(entry);
  }
}

// A user may have put subfolders into a checkpoint folder.
void CheckpointStore::remove_tree(const fs::path& folder) {
  if (!path_exists(folder)) return;
  for (const fs::path& entry : entries_of(folder)) {
    std::error_code ignored;
    const bool inner = fs::is_directory(fs::symlink_status(entry, ignored));
    inner ? remove_tree(entry) : files_->remove_file(entry);
  }
  files_->remove_folder(folder);
}

std::vector<CheckpointEntry> CheckpointStore::list() const {
  std::vector<CheckpointEntry> entries;
  for (const fs::path& entry : entries_of(checkpoints_)) {
    if (const std::optional<std::int64_t> step = step_of(entry)) entries.push_back({*step, entry});
  }
  std::ranges::sort(entries, {}, &CheckpointEntry::step);
  return entries;
}

NewestGood CheckpointStore::newest_good() const {
  NewestGood result;
  std::vector<CheckpointEntry> entries = list();
  std::ranges::reverse(entries);
  for (const CheckpointEntry& entry : entries) {
    try {
      result.checkpoint = load_checkpoint(entry.folder);
      break;
    } catch (const UserError& error) {
      result.damaged.push_back({entry.folder, error.what()});
    }
  }
  return result;
}

void CheckpointStore::require_space(std::uint64_t bytes) const {
  fs::path existing = fs::absolute(checkpoints_);
  while (!path_exists(existing) && existing.has_relative_path())
    existing = existing.parent_path();
  const std::uint64_t needed = bytes + bytes / 10;
  const std::uint64_t free_bytes = files_->free_bytes(existing);
  constexpr double kMiB = 1024.0 * 1024.0;
  require(free_bytes >= needed,
          "{:.0f} MiB are free for {}, a checkpoint needs {:.0f}; free some space or choose "
          "another run folder",
          static_cast<double>(free_bytes) / kMiB,
          checkpoints_.string(),
          static_cast<double>(needed) / kMiB);
}

}  // namespace myxtts::checkpoint
