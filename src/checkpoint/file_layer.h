// Everything a save does to the disk, one call each. It is a seam so that tests can let any one of
// these fail, stop the world after it, or cut the power.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>

namespace xtts::checkpoint {

// A file that is being written.
class OutputFile {
 public:
  OutputFile() = default;
  virtual ~OutputFile() = default;  // closes
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  virtual void write(std::string_view bytes) = 0;
  virtual void sync() = 0;  // returns when the bytes are on the disk
};

// Each call does it or throws UserError with the path, the system's words and a remedy.
class FileLayer {
 public:
  FileLayer() = default;
  virtual ~FileLayer() = default;
  FileLayer(const FileLayer&) = delete;
  FileLayer& operator=(const FileLayer&) = delete;

  virtual std::unique_ptr<OutputFile> create(const std::filesystem::path& file) = 0;  // none there
  virtual void make_folder(const std::filesystem::path& folder) = 0;  // its parent is there
  virtual void sync_folder(const std::filesystem::path& folder) = 0;  // the names in it
  virtual void rename(const std::filesystem::path& from, const std::filesystem::path& to) = 0;
  virtual void remove_file(const std::filesystem::path& file) = 0;
  virtual void remove_folder(const std::filesystem::path& folder) = 0;        // it is empty
  virtual std::uint64_t free_bytes(const std::filesystem::path& folder) = 0;  // for this user
};

// The disk. Without state, so that all share it.
FileLayer& real_files();

// Throws UserError: "cannot VERB PATH: WORDS OF THE SYSTEM; remedy". `error` is an errno.
[[noreturn]] void throw_file_error(std::string_view verb,
                                   const std::filesystem::path& path,
                                   int error);

}  // namespace xtts::checkpoint
