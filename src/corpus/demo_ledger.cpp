#include "corpus/demo_ledger.h"

#include <algorithm>
#include <fstream>
#include <string_view>
#include <system_error>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "base/sha256.h"

namespace xtts::corpus {
namespace {

constexpr const char* kLedgerName = "made.jsonl";
constexpr std::size_t kMaxLedgerBytes = std::size_t{256} << 20U;
constexpr std::size_t kMaxRecordingBytes = std::size_t{64} << 20U;

std::string line_of(const std::string& file, const LedgerEntry& entry) {
  const nlohmann::ordered_json line = {
      {"file", file}, {"made_from", entry.made_from}, {"sha256", entry.sha256}};
  return line.dump() + "\n";
}

// What write_file_atomically leaves of `file` when it is killed: "file.tmp.AbCdEf".
bool is_left_of(std::string_view name, std::string_view file) {
  constexpr std::string_view kMark = ".tmp.";
  constexpr std::size_t kNumRandom = 6;
  return name.size() == file.size() + kMark.size() + kNumRandom && name.starts_with(file) &&
         name.substr(file.size()).starts_with(kMark);
}

// Whether nothing is in it, or only what is left of a run killed while it began.
bool is_free(const std::filesystem::path& dir) {
  std::error_code error;
  std::filesystem::directory_iterator entries(dir, error);
  if (error) return error == std::errc::no_such_file_or_directory;
  for (; !error && entries != std::filesystem::directory_iterator(); entries.increment(error)) {
    if (!is_left_of(entries->path().filename().string(), kLedgerName)) return false;
  }
  return !error;
}

// Whether `name` is left of a recording, a metadata file or a ledger that was being written.
bool is_leftover(const std::string& name) {
  const std::string file = name.substr(0, name.rfind(".tmp."));
  const bool ours = file == kLedgerName || file == "metadata.csv" || file.ends_with(".wav");
  return ours && is_left_of(name, file);
}

void remove_leftovers(const std::filesystem::path& corpus) {
  for (const std::string folder : {"", "train", "train/wavs", "val", "val/wavs"}) {
    if (!folder.empty() && !base::stays_inside(corpus, folder)) continue;
    std::vector<std::filesystem::path> leftovers;
    std::error_code error;
    std::filesystem::directory_iterator entries(corpus / folder, error);
    for (; !error && entries != std::filesystem::directory_iterator(); entries.increment(error)) {
      if (is_leftover(entries->path().filename().string())) leftovers.push_back(entries->path());
    }
    for (const std::filesystem::path& leftover : leftovers) {
      std::error_code ignored;
      std::filesystem::remove(leftover, ignored);
    }
  }
}

std::map<std::string, LedgerEntry> parse_ledger(const std::string& bytes) {
  std::map<std::string, LedgerEntry> entries;
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
      entries[file] = {text_at("made_from"), text_at("sha256")};
    }
  }
  return entries;
}

}  // namespace

DemoLedger::DemoLedger(const std::filesystem::path& corpus)
    : corpus_(corpus), path_(corpus / kLedgerName) {
  const base::ReadResult file = base::read_regular_file(path_, kMaxLedgerBytes);
  if (file.fault == base::FileFault::kNone) {
    entries_ = parse_ledger(file.bytes);
    remove_leftovers(corpus);
    return;
  }
  require_usage(
      file.fault == base::FileFault::kMissing && is_free(corpus),
      "{} exists and is not a demo corpus (it has no readable made.jsonl); choose another "
      "folder with --out",
      corpus.string());
  base::write_file_atomically(path_, "");
  remove_leftovers(corpus);
}

std::optional<std::string> DemoLedger::read_if_fits(const std::string& file,
                                                    const std::string& made_from) const {
  const auto found = entries_.find(file);
  if (found == entries_.end() || found->second.made_from != made_from) return std::nullopt;
  base::ReadResult recording = base::read_regular_file(corpus_ / file, kMaxRecordingBytes);
  const bool intact = recording.fault == base::FileFault::kNone &&
                      base::sha256_hex(recording.bytes) == found->second.sha256;
  if (!intact) return std::nullopt;
  return std::move(recording.bytes);
}

void DemoLedger::record(const std::string& file, const LedgerEntry& entry) {
  const std::scoped_lock lock(mutex_);
  std::ofstream ledger(path_, std::ios::binary | std::ios::app);
  ledger << '\n' << line_of(file, entry);  // a killed run may have left half a line
  ledger.flush();
  require(ledger.good(), "cannot append to {}; is the disk full?", path_.string());
}

void DemoLedger::replace(const std::map<std::string, LedgerEntry>& wanted) {
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

}  // namespace xtts::corpus
