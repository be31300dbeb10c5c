#include "checkpoint/file_layer.h"

#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/error.h"

namespace myxtts::checkpoint {
namespace {

namespace fs = std::filesystem;

class RealFile : public OutputFile {
 public:
  explicit RealFile(fs::path path)
      : path_(std::move(path)),
        descriptor_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)) {
    if (descriptor_ < 0) throw_file_error("write", path_, errno);
  }
  ~RealFile() override { ::close(descriptor_); }
  RealFile(const RealFile&) = delete;
  RealFile& operator=(const RealFile&) = delete;

  void write(std::string_view bytes) override {
    while (!bytes.empty()) {
      const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) throw_file_error("write", path_, errno);
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
  }

  void sync() override {
    if (::fsync(descriptor_) != 0) throw_file_error("sync", path_, errno);
  }

 private:
  fs::path path_;
  int descriptor_;
};

class RealFiles : public FileLayer {
 public:
  std::unique_ptr<OutputFile> create(const fs::path& file) override {
    return std::make_unique<RealFile>(file);
  }

  void make_folder(const fs::path& folder) override {
    if (::mkdir(folder.c_str(), 0777) != 0) throw_file_error("create the folder", folder, errno);
  }

  void sync_folder(const fs::path& folder) override {
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) throw_file_error("open", folder, errno);
    const int error = ::fsync(descriptor) == 0 ? 0 : errno;
    ::close(descriptor);
    if (error != 0) throw_file_error("sync", folder, error);
  }

  void rename(const fs::path& from, const fs::path& to) override {
    if (::rename(from.c_str(), to.c_str()) != 0) throw_file_error("rename to", to, errno);
  }

  void remove_file(const fs::path& file) override {
    if (::unlink(file.c_str()) != 0) throw_file_error("remove", file, errno);
  }

  void remove_folder(const fs::path& folder) override {
    if (::rmdir(folder.c_str()) != 0) throw_file_error("remove", folder, errno);
  }

  std::uint64_t free_bytes(const fs::path& folder) override {
    struct statvfs status {};
    if (::statvfs(folder.c_str(), &status) != 0)
      throw_file_error("get the free space of", folder, errno);
    return std::uint64_t{status.f_bavail} * status.f_frsize;
  }
};

}  // namespace

FileLayer& real_files() {
  static RealFiles files;
  return files;
}

void throw_file_error(std::string_view verb, const fs::path& path, int error) {
  const bool full = error == ENOSPC || error == EDQUOT;
  throw UserError(fmt::format("cannot {} {}: {}; {}",
                              verb,
                              path.string(),
                              std::error_code(error, std::generic_category()).message(),
                              full ? "free some space and run the same command again"
                                   : "check the disk and the permissions of the folder"));
}

}  // namespace myxtts::checkpoint
