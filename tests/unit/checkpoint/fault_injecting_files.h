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

namespace myxtts::checkpoint {

// A file system operation.
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
  std::filesystem::path to = {};  // for kRename
  std::string bytes = {};         // for kWrite
};

// Thrown in place of kill -9. No code under test catches it as a UserError.
class Killed : public std::exception {};

// A FileLayer that logs all operations and injects an error or a kill at one of them. A write that
// fails or is killed writes half of its bytes. Nothing is synced: the page cache survives a killed
// process, and power cuts are simulated from the log.
class FaultInjectingFiles : public FileLayer {
 public:
  static constexpr std::size_t kNever = static_cast<std::size_t>(-1);

  std::vector<Operation> log;
  std::size_t fail_at = kNever;    // index into the log
  bool fail_persistently = false;  // all later operations fail, too
  int fail_with = ENOSPC;
  std::size_t kill_at = kNever;
  std::uint64_t free_space = std::uint64_t{1} << 40U;

  std::unique_ptr<OutputFile> create(const std::filesystem::path& file) override {
    record({Operation::Kind::kCreate, file});
    return std::make_unique<File>(*this, file, real_files().create(file));
  }
  void make_folder(const std::filesystem::path& folder) override {
    record({Operation::Kind::kMakeFolder, folder});
    real_files().make_folder(folder);
  }
  void sync_folder(const std::filesystem::path& folder) override {
    record({Operation::Kind::kSyncFolder, folder});
  }
  void rename(const std::filesystem::path& from, const std::filesystem::path& to) override {
    record({Operation::Kind::kRename, from, to});
    real_files().rename(from, to);
  }
  void remove_file(const std::filesystem::path& file) override {
    record({Operation::Kind::kRemoveFile, file});
    real_files().remove_file(file);
  }
  void remove_folder(const std::filesystem::path& folder) override {
    record({Operation::Kind::kRemoveFolder, folder});
    real_files().remove_folder(folder);
  }
  std::uint64_t free_bytes(const std::filesystem::path& /*folder*/) override { return free_space; }

 private:
  class File : public OutputFile {
   public:
    File(FaultInjectingFiles& files, std::filesystem::path path, std::unique_ptr<OutputFile> real)
        : files_(files), path_(std::move(path)), real_(std::move(real)) {}

    void write(std::string_view bytes) override {
      try {
        files_.record({Operation::Kind::kWrite, path_, {}, std::string(bytes)});
      } catch (...) {
        if (files_.log.size() - 1 <= files_.kill_at)
          real_->write(bytes.substr(0, bytes.size() / 2));
        throw;
      }
      real_->write(bytes);
    }
    void sync() override { files_.record({Operation::Kind::kSyncFile, path_}); }

   private:
    FaultInjectingFiles& files_;
    std::filesystem::path path_;
    std::unique_ptr<OutputFile> real_;
  };

  void record(Operation operation) {
    const std::size_t index = log.size();
    log.push_back(std::move(operation));
    if (index >= kill_at) throw Killed();
    if (index == fail_at || (fail_persistently && index > fail_at)) {
      throw_file_error("touch", log.back().path, fail_with);
    }
  }
};

}  // namespace myxtts::checkpoint
