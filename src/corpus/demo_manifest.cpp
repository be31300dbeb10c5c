#include "corpus/demo_manifest.h"

#include <algorithm>
#include <fstream>
#include <string_view>
#include <system_error>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "base/sha256.h"

namespace myxtts::corpus {
namespace {

constexpr const char* kManifestName = "manifest.jsonl";
constexpr std::size_t kMaxManifestBytes = std::size_t{256} << 20U;
constexpr std::size_t kMaxRecordingBytes = std::size_t{64} << 20U;

std::string line_of(const std::string& file, const DemoManifestEntry& entry) {
  const nlohmann::ordered_json line = {
      {"file", file}, {"source_sha256", entry.source_sha256}, {"sha256", entry.sha256}};
  return line.dump() + "\n";
}

// Whether `name` is the temporary file of write_file_atomically() for `file`: "file.tmp.AbCdEf".
bool is_temporary_of(std::string_view name, std::string_view file) {
  constexpr std::string_view kInfix = ".tmp.";
  constexpr std::size_t kNumRandomCharacters = 6;
  return name.size() == file.size() + kInfix.size() + kNumRandomCharacters &&
         name.starts_with(file) && name.substr(file.size()).starts_with(kInfix);
}

// Whether the folder is absent, empty, or only has the temporary manifest of a killed run.
bool is_unused(const std::filesystem::path& dir) {
  std::error_code error;
  std::filesystem::directory_iterator entries(dir, error);
  if (error) return error == std::errc::no_such_file_or_directory;
  for (; !error && entries != std::filesystem::directory_iterator(); entries.increment(error)) {
    if (!is_temporary_of(entries->path().filename().string(), kManifestName)) return false;
  }
  return !error;
}

// Whether `name` is the temporary file of a recording, a metadata file or the manifest.
bool is_temporary(const std::string& name) {
  const std::string file = name.substr(0, name.rfind(".tmp."));
  const bool known = file == kManifestName || file == "metadata.csv" || file.ends_with(".wav");
  return known && is_temporary_of(name, file);
}

void remove_temporaries(const std::filesystem::path& corpus) {
  for (const std::string folder : {"", "train", "train/wavs", "val", "val/wavs"}) {
    if (!folder.empty() && !base::stays_inside(corpus, folder)) continue;
    std::vector<std::filesystem::path> temporaries;
    std::error_code error;
    std::filesystem::directory_iterator entries(corpus / folder, error);
    for (; !error && entries != std::filesystem::directory_iterator(); entries.increment(error)) {
      if (is_temporary(entries->path().filename().string())) temporaries.push_back(entries->path());
    }
    for (const std::filesystem::path& temporary : temporaries) {
      std::error_code ignored;
      std::filesystem::remove(temporary, ignored);
    }
  }
}

std::map<std::string, DemoManifestEntry> parse_entries(const std::string& bytes) {
  std::map<std::string, DemoManifestEntry> entries;
  for (std::size_t begin = 0; begin < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', begin), bytes.size());
    const nlohmann::json line =
        nlohmann::json::parse(bytes.begin() + static_cast<std::ptrdiff_t>(begin),
                              bytes.begin() + static_cast<std::ptrdiff_t>(end),
                              nullptr,
                              false);
    begin = end + 1;
    const auto text_at = [&](const char* key) {
      return line.is_object() && line.contains(key) && line[key].is_string()
                 ? line[key].get<std::string>()
                 : std::string();
    };
    if (const std::string file = text_at("file"); !file.empty()) {
      entries[file] = {text_at("source_sha256"), text_at("sha256")};
    }
  }
  return entries;
}

}  // namespace

DemoManifest::DemoManifest(const std::filesystem::path& corpus)
    : corpus_(corpus), path_(corpus / kManifestName) {
  const base::ReadResult file = base::read_regular_file(path_, kMaxManifestBytes);
  if (file.fault == base::FileFault::kNone) {
    entries_ = parse_entries(file.bytes);
    remove_temporaries(corpus);
    return;
  }
  require_usage(
      file.fault == base::FileFault::kMissing && is_unused(corpus),
      "{} exists and is not a demo corpus (it has no readable manifest.jsonl); choose another "
      "folder with --out",
      corpus.string());
  base::write_file_atomically(path_, "");
  remove_temporaries(corpus);
}

std::optional<std::string> DemoManifest::read_if_valid(const std::string& file,
                                                       const std::string& source_sha256) const {
  const auto found = entries_.find(file);
  if (found == entries_.end() || found->second.source_sha256 != source_sha256) return std::nullopt;
  base::ReadResult recording = base::read_regular_file(corpus_ / file, kMaxRecordingBytes);
  const bool intact = recording.fault == base::FileFault::kNone &&
                      base::sha256_hex(recording.bytes) == found->second.sha256;
  if (!intact) return std::nullopt;
  return std::move(recording.bytes);
}

void DemoManifest::record(const std::string& file, const DemoManifestEntry& entry) {
  const std::scoped_lock lock(mutex_);
  std::ofstream output(path_, std::ios::binary | std::ios::app);
  output << '\n' << line_of(file, entry);  // a killed run may have left a partial line
  output.flush();
  require(output.good(), "cannot append to {}; is the disk full?", path_.string());
}

void DemoManifest::replace(const std::map<std::string, DemoManifestEntry>& wanted) {
  std::string bytes;
  for (const auto& [file, entry] : wanted)
    bytes += line_of(file, entry);
  write_if_changed(path_, bytes);
  entries_ = wanted;
}

void write_if_changed(const std::filesystem::path& path, const std::string& bytes) {
  const base::ReadResult present = base::read_regular_file(path, bytes.size());
  if (present.fault == base::FileFault::kNone && present.bytes == bytes) return;
  base::write_file_atomically(path, bytes);
}

}  // namespace myxtts::corpus
