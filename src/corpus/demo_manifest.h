// Reads and writes the manifest of a demo corpus: the hashes of its recordings.
#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace myxtts::corpus {

// The hashes of a recording of a demo corpus.
struct DemoManifestEntry {
  std::string source_sha256;  // of text, voice and language ("source_sha256" in the file)
  std::string sha256;         // of the recording's bytes

  bool operator==(const DemoManifestEntry&) const = default;
};

// The manifest of a demo corpus (manifest.jsonl): one JSON object per recording,
// {"file": "train/wavs/rms_00001.wav", "source_sha256": "...", "sha256": "..."}. If a file has two
// lines, the later one counts.
//
// record() appends, so that a killed run loses at most its last line; partial lines are skipped
// when reading. read_if_valid() and record() are thread-safe.
class DemoManifest {
 public:
  // Reads the manifest of `corpus`, or creates one if the folder is empty or absent. Throws
  // UsageError if the folder is not a demo corpus. Removes the temporary files of killed runs, so
  // only one manifest of a corpus may exist at a time.
  explicit DemoManifest(const std::filesystem::path& corpus);

  const std::map<std::string, DemoManifestEntry>& entries() const { return entries_; }

  // Returns the bytes of `file` (relative to the corpus) if its source is the same and its hash is
  // right, else nullopt.
  std::optional<std::string> read_if_valid(const std::string& file,
                                           const std::string& source_sha256) const;

  // Appends to the manifest on disk; entries() does not change. Call it before the recording is
  // written: the hash shows whether that happened, and every recording is in the manifest.
  void record(const std::string& file, const DemoManifestEntry& entry);

  // Rewrites the manifest in order if that changes its bytes.
  void replace(const std::map<std::string, DemoManifestEntry>& wanted);

 private:
  std::filesystem::path corpus_;
  std::filesystem::path path_;
  std::mutex mutex_;                                  // serialises record()
  std::map<std::string, DemoManifestEntry> entries_;  // by file
};

// Writes the file unless it already has these bytes.
void write_if_changed(const std::filesystem::path& path, const std::string& bytes);

}  // namespace myxtts::corpus
