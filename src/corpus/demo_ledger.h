#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace xtts::corpus {

// What is known about one recording that we made.
struct LedgerEntry {
  std::string made_from;  // SHA-256 of everything it was made from
  std::string sha256;     // of its bytes

  bool operator==(const LedgerEntry&) const = default;
};

// made.jsonl of a demo corpus: one JSON object per recording, {"file": "train/wavs/rms_00001.wav",
// "made_from": "...", "sha256": "..."}; of two lines about one file the later one counts.
//
// record() appends, so that a run killed at any moment loses at most its last line, and a torn line
// is skipped when reading. read_if_fits() and record() may be called from many threads at once.
class DemoLedger {
 public:
  // Reads the ledger of `corpus`, or starts one if the folder is empty or absent. Throws UsageError
  // if the folder holds something else: we never write into what we did not make. Removes the
  // half-written files that a killed run left, so only one ledger of a corpus may be alive.
  explicit DemoLedger(const std::filesystem::path& corpus);

  const std::map<std::string, LedgerEntry>& entries() const { return entries_; }

  // The bytes of `file` (relative to the corpus) if it was made from the same and is undamaged.
  std::optional<std::string> read_if_fits(const std::string& file,
                                          const std::string& made_from) const;

  // Appends to the ledger on disk; entries() stays what it was. To be called before the file itself
  // is written: its hash tells whether that happened, and no file exists that we do not know of.
  void record(const std::string& file, const LedgerEntry& entry);

  // Rewrites the ledger, in order, if that changes its bytes.
  void replace(const std::map<std::string, LedgerEntry>& wanted);

 private:
  std::filesystem::path corpus_;
  std::filesystem::path path_;
  std::mutex mutex_;                            // one line at a time
  std::map<std::string, LedgerEntry> entries_;  // by file
};

// Writes unless the file has these bytes already, so that a rerun touches nothing.
void write_if_changed(const std::filesystem::path& path, const std::string& bytes);

}  // namespace xtts::corpus
