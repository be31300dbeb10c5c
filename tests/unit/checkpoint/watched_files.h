#pragma once

#include <cerrno>
#include <filesystem>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "checkpoint/file_layer.h"

namespace xtts::checkpoint {

// One thing that was done to the disk.
struct Operation {
  enum class Kind {
    kCreate,
    kWrite,
    kSyncFile,
    kMakeFolder,
    kSyncFolder,
    kRename,
    kRemoveFile,
    kRemoveFolder
  };
  Kind kind;
  std::filesystem::path path;
  std::filesystem::path to = {};  // of a rename
  std::string bytes = {};         // of a write
};

// What ends a test's process in place of kill -9: nothing catches it as an error of ours.
class Killed : public std::exception {};

// The disk, watched: writes a log of all operations, and lets one fail or ends the world at it. A
// write that fails or is killed has written half of its bytes. Nothing is really synced: the page
// cache outlives a process, and power cuts are simulated from the log.
class WatchedFiles : public FileLayer {
 public:
  static constexpr std::size_t kNever = static_cast<std::size_t>(-1);

  std::vector<Operation> log;
  std::size_t fail_at = kNever;  // index into the log
  bool fail_for_ever = false;    // from there on
  int fail_with = ENOSPC;
  std::size_t kill_at = kNever;
  std::uint64_t room = std::uint64_t{1} << 40U;

  std::unique_ptr<OutputFile> create(const std::filesystem::path& file) override {
    note({Operation::Kind::kCreate, file});
    return std::make_unique<File>(*this, file, real_files().create(file));
  }
  void make_folder(const std::filesystem::path& folder) override {
    note({Operation::Kind::kMakeFolder, folder});
    real_files().make_folder(folder);
  }
  void sync_folder(const std::filesystem::path& folder) override {
    note({Operation::Kind::kSyncFolder, folder});
  }
  void rename(const std::filesystem::path& from, const std::filesystem::path& to) override {
    note({Operation::Kind::kRename, from, to});
    real_files().rename(from, to);
  }
  void remove_file(const std::filesystem::path& file) override {
    note({Operation::Kind::kRemoveFile, file});
    real_files().remove_file(file);
  }
  void remove_folder(const std::filesystem::path& folder) override {
    note({Operation::Kind::kRemoveFolder, folder});
    real_files().remove_folder(folder);
  }
  std::uint64_t free_bytes(const std::filesystem::path& /*folder*/) override { return room; }

 private:
  class File : public OutputFile {
   public:
    File(WatchedFiles& files, std::filesystem::path path, std::unique_ptr<OutputFile> real)
        : files_(files), path_(std::move(path)), real_(std::move(real)) {}

    void write(std::string_view bytes) override {
      try {
        files_.note({Operation::Kind::kWrite, path_, {}, std::string(bytes)});
      } catch (...) {
        if (files_.log.size() - 1 <= files_.kill_at)
          real_->write(bytes.substr(0, bytes.size() / 2));
        throw;
      }
      real_->write(bytes);
    }
    void sync() override { files_.note({Operation::Kind::kSyncFile, path_}); }

   private:
    WatchedFiles& files_;
    std::filesystem::path path_;
    std::unique_ptr<OutputFile> real_;
  };

  void note(Operation operation) {
    const std::size_t index = log.size();
    log.push_back(std::move(operation));
    if (index >= kill_at) throw Killed();
    if (index == fail_at || (fail_for_ever && index > fail_at)) {
      throw_file_error("touch", log.back().path, fail_with);
    }
  }
};

}  // namespace xtts::checkpoint
