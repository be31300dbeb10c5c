// Note [The order of a save]: room is looked for; the files are written into a folder with another
// name, each synced; the folder is synced; one rename gives it its name; the parent is synced. Up
// to the rename nothing that is read has changed, after it everything is on the disk already. A
// folder that is removed first loses its name the same way, so that no half-removed save is ever
// seen.
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

namespace xtts::checkpoint {
namespace {

namespace fs = std::filesystem;

constexpr int kLeastKept = 2;
constexpr std::uint64_t kHeaderRoom = 1U << 20U;  // headers, manifest, the folder itself

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

// Names in a folder, sorted; none if the folder is not there.
std::vector<fs::path> entries_of(const fs::path& folder) {
  std::vector<fs::path> entries;
  std::error_code absent;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, absent))
    entries.push_back(entry.path());
  std::ranges::sort(entries);
  return entries;
}

std::uint64_t bytes_of(const CheckpointContent& content) {
  std::uint64_t bytes = kHeaderRoom + content.config_json.size();
  for (const auto* tensors : {&content.model, &content.trainer}) {
    for (const TensorView& tensor : *tensors)
      bytes += tensor.bytes.size();
  }
  return bytes;
}

void make_folders(const fs::path& folder, FileLayer& files) {
  if (folder.empty() || is_there(folder)) return;
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

std::string reason_if_broken(const fs::path& folder) {
  try {
    load_checkpoint(folder);
    return "";
  } catch (const UserError& error) {
    return error.what();
  }
}

// Out of the way of a good save of the same step, but never deleted.
fs::path broken_name(const fs::path& folder) {
  for (int number = 1;; ++number) {
    fs::path name = fmt::format("{}.broken.{}", folder.string(), number);
    if (!is_there(name)) return name;
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
  if (is_there(folder)) {
    if (reason_if_broken(folder).empty()) {
      files_->sync_folder(checkpoints_);  // who renamed it may have died before this
      return folder;
    }
    files_->rename(folder, broken_name(folder));
  }
  require_space(bytes_of(content));
  make_folders(checkpoints_, *files_);

  const fs::path unfinished = checkpoints_ / unfinished_name(content.step);
  if (is_there(unfinished)) remove_tree(unfinished);  // of a process that had our number
  try {
    write_folder(content, unfinished);
    files_->rename(unfinished, folder);
  } catch (...) {
    try {
      remove_tree(unfinished);
    } catch (const std::exception&) {  // the first error is to be told; the next start cleans up
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
  std::vector<CheckpointEntry> saves = list();
  std::ranges::reverse(saves);
  int complete = 0;
  std::vector<fs::path> unnamed;
  for (const CheckpointEntry& save : saves) {
    const bool kept = complete < std::max(keep, kLeastKept) ||
                      std::ranges::find(pinned, save.step) != pinned.end();
    if (!kept) {
      unnamed.push_back(checkpoints_ / unfinished_name(save.step));
      if (is_there(unnamed.back())) remove_tree(unnamed.back());
      files_->rename(save.folder, unnamed.back());
    } else if (looks_complete(save.folder)) {
      ++complete;
    }
  }
  if (unnamed.empty()) return;
  files_->sync_folder(checkpoints_);
  for (const fs::path& folder : unnamed)
    remove_tree(folder);
}

void CheckpointStore::remove_unfinished() {
  for (const fs::path& entry : entries_of(checkpoints_)) {
    if (is_unfinished_checkpoint(entry)) remove_tree(entry);
  }
}

// Our folders hold files only, but somebody may have put more into one.
void CheckpointStore::remove_tree(const fs::path& folder) {
  if (!is_there(folder)) return;
  for (const fs::path& entry : entries_of(folder)) {
    std::error_code ignored;
    const bool inner = fs::is_directory(fs::symlink_status(entry, ignored));
    inner ? remove_tree(entry) : files_->remove_file(entry);
  }
  files_->remove_folder(folder);
}

std::vector<CheckpointEntry> CheckpointStore::list() const {
  std::vector<CheckpointEntry> saves;
  for (const fs::path& entry : entries_of(checkpoints_)) {
    if (const std::optional<std::int64_t> step = step_of(entry)) saves.push_back({*step, entry});
  }
  std::ranges::sort(saves, {}, &CheckpointEntry::step);
  return saves;
}

NewestGood CheckpointStore::newest_good() const {
  NewestGood result;
  std::vector<CheckpointEntry> saves = list();
  std::ranges::reverse(saves);
  for (const CheckpointEntry& entry : saves) {
    try {
      result.save = load_checkpoint(entry.folder);
      break;
    } catch (const UserError& error) {
      result.broken.push_back({entry.folder, error.what()});
    }
  }
  return result;
}

void CheckpointStore::require_space(std::uint64_t bytes) const {
  fs::path place = fs::absolute(checkpoints_);
  while (!is_there(place) && place.has_relative_path())
    place = place.parent_path();
  const std::uint64_t needed = bytes + bytes / 10;
  const std::uint64_t room = files_->free_bytes(place);
  constexpr double kMiB = 1024.0 * 1024.0;
  require(room >= needed,
          "{:.0f} MiB are free for {}, a save needs {:.0f}; free some space or choose another "
          "run folder",
          static_cast<double>(room) / kMiB,
          checkpoints_.string(),
          static_cast<double>(needed) / kMiB);
}

}  // namespace xtts::checkpoint
