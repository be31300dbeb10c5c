// The file system operations of writing a checkpoint, behind an interface that tests replace to
// inject I/O errors, killed processes and power cuts.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>

namespace myxtts::checkpoint {

// A file open for writing.
class OutputFile {
 public:
  OutputFile() = default;
  virtual ~OutputFile() = default;  // closes
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  virtual void write(std::string_view bytes) = 0;
  virtual void sync() = 0;  // blocks until the bytes are on the disk
};

// Each call throws UserError if it fails, with path, system error and suggestion.
class FileLayer {
 public:
  FileLayer() = default;
  virtual ~FileLayer() = default;
  FileLayer(const FileLayer&) = delete;
  FileLayer& operator=(const FileLayer&) = delete;

  virtual std::unique_ptr<OutputFile> create(
      const std::filesystem::path& file) = 0;                         // must not exist
  virtual void make_folder(const std::filesystem::path& folder) = 0;  // its parent exists
  virtual void sync_folder(const std::filesystem::path& folder) = 0;  // its entries
  virtual void rename(const std::filesystem::path& from, const std::filesystem::path& to) = 0;
  virtual void remove_file(const std::filesystem::path& file) = 0;
  virtual void remove_folder(const std::filesystem::path& folder) = 0;  // must be empty
  virtual std::uint64_t free_bytes(
      const std::filesystem::path& folder) = 0;  // available to this user
};

// Returns the real file system. Stateless; threads may share it.
FileLayer& real_files();

// Throws UserError: "cannot VERB PATH: SYSTEM ERROR; SUGGESTION". `error` is an errno.
[[noreturn]] void throw_file_error(std::string_view verb,
                                   const std::filesystem::path& path,
                                   int error);

}  // namespace myxtts::checkpoint
