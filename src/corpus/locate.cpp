#include "corpus/locate.h"

#include <system_error>
#include <vector>

#include <unistd.h>

#include "base/error.h"
#include "base/nearest.h"
#include "corpus/reasons.h"

namespace myxtts::corpus {
namespace {

constexpr const char* kOriginalDefault = "../dataset/dataset_train";

}  // namespace

std::filesystem::path locate_corpus(const std::string& train_data,
                                    const config::DataConfig& config) {
  std::filesystem::path dir = !train_data.empty() ? train_data : config.dataset_path;
  std::error_code ignored;
  if (dir.empty() && std::filesystem::is_directory(kOriginalDefault, ignored)) {
    dir = kOriginalDefault;
  }
  require_usage(!dir.empty(),
                "no corpus: --train-data and data.dataset_path are not set and {} does not exist; "
                "create a demo corpus with: myxtts corpus demo --out demo_corpus",
                kOriginalDefault);
  require_folder(dir);
  return dir;
}

void require_folder(const std::filesystem::path& dir) {
  std::error_code error;
  const bool is_folder = std::filesystem::is_directory(dir, error);
  const bool denied =
      is_folder ? ::access(dir.c_str(), R_OK | X_OK) != 0 : error == std::errc::permission_denied;
  require(!denied,
          "cannot read the folder {}: permission denied; grant access, for example with chmod u+rx",
          printable(dir.string(), 400));
  if (is_folder) return;
  require_usage(!std::filesystem::exists(dir, error) || error,
                "{} is not a folder; pass the folder that holds the metadata file",
                printable(dir.string(), 400));

  // "corpus/" equals "corpus"; a name without a parent is relative to the working folder.
  std::filesystem::path wanted = dir.lexically_normal();
  if (!wanted.has_filename()) wanted = wanted.parent_path();
  const std::filesystem::path parent = wanted.has_parent_path() ? wanted.parent_path() : ".";
  std::vector<std::string> siblings;
  auto entries = std::filesystem::directory_iterator(parent, error);
  for (; !error && entries != std::filesystem::directory_iterator(); entries.increment(error)) {
    std::error_code ignored;
    if (entries->is_directory(ignored)) siblings.push_back(entries->path().filename().string());
  }
  throw UsageError(fmt::format("folder {} does not exist; expected a corpus folder{}",
                               printable(dir.string(), 400),
                               base::did_you_mean(wanted.filename().string(), siblings)));
}

}  // namespace myxtts::corpus
