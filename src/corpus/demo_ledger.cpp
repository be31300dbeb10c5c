#include "corpus/demo_ledger.h"

#include <fstream>
#include <system_error>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "base/sha256.h"

namespace xtts::corpus {
namespace {

constexpr std::size_t kMaxLedgerBytes = std::size_t{256} << 20U;
constexpr std::size_t kMaxRecordingBytes = std::size_t{64} << 20U;

std::string line_of(const std::string& file, const LedgerEntry& entry) {
  const nlohmann::ordered_json line = {
      {"file", file}, {"made_from", entry.made_from}, {"sha256", entry.sha256}};
  return line.dump() + "\n";
}

bool is_empty_or_absent(const std::filesystem::path& dir) {
  std::error_code error;
  const std::filesystem::directory_iterator first(dir, error);
  return error == std::errc::no_such_file_or_directory ||
         (!error && first == std::filesystem::directory_iterator());
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
    : corpus_(corpus), path_(corpus / "made.jsonl") {
  const base::ReadResult file = base::read_regular_file(path_, kMaxLedgerBytes);
  if (file.fault == base::FileFault::kNone) {
    entries_ = parse_ledger(file.bytes);
    return;
  }
  require_usage(
      file.fault == base::FileFault::kMissing && is_empty_or_absent(corpus),
      "{} exists and is not a demo corpus (it has no readable made.jsonl); choose another "
      "folder with --out",
      corpus.string());
  base::write_file_atomically(path_, "");
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
