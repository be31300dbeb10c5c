// Segment files of the feature cache.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/cache_records.h"

namespace myxtts::data {

// Location and header of a mel in a segment.
struct StoredMel {
  std::uint64_t payload_at = 0;  // offset in the segment
  RecordHeader header;
};

// Records that a scan found and the scan before did not.
struct ScanResult {
  std::vector<StoredMel> mels;
  std::vector<Memo> memos;
  std::uint64_t num_damaged = 0;  // unreadable regions, and memos with a wrong checksum
};

// One file of the feature cache, mapped for reading and locked (cache_locks.h) for its lifetime.
//
// Headers and payloads are verified with pread(), not through the mapping: a truncated file or a
// bad sector is then an error, not a SIGBUS. The cache never truncates a segment. scan(),
// become_writer() and append() are for one thread at a time; all other functions are thread-safe.
class CacheSegment {
 public:
  struct Opened;

  // Opens an existing segment. `folder` is the descriptor of the cache folder.
  static Opened open(int folder, const std::string& name, const base::Sha256& mel_key);

  // Creates an empty segment with a new name; this process is its writer.
  static Opened create(int folder, const base::Sha256& mel_key);

  ~CacheSegment();
  CacheSegment(const CacheSegment&) = delete;
  CacheSegment& operator=(const CacheSegment&) = delete;

  // Reads the records behind the last scan. An incomplete record is left for the next scan.
  ScanResult scan();

  // Makes this process the writer. Returns false if there is another one, or if the file ends in an
  // incomplete record of a killed process: no record may follow that.
  bool become_writer();

  // Appends a record, which the next scan() finds. Returns 0 or an errno; after an error nothing
  // may be appended.
  int append(const RecordHeader& header, std::string_view payload);

  // Reads the payload and returns whether its checksum is right.
  bool is_intact(const StoredMel& mel) const;

  // Returns whether the file is still at least this long, so that the mapping is valid up to there.
  bool reaches(std::uint64_t offset) const;

  // Sets the modification time of the file to now, once per process.
  void mark_used() const;

  const char* bytes_at(std::uint64_t offset) const { return mapping_ + offset; }
  const std::string& name() const { return name_; }
  std::uint64_t bytes() const { return position_; }  // up to the end of the last scan

 private:
  CacheSegment(int file, std::string name) : file_(file), name_(std::move(name)) {}

  bool map();
  void add_record(const RecordHeader& header, ScanResult& found) const;
  std::uint64_t size_now() const;

  int file_;
  std::string name_;
  const char* mapping_ = nullptr;
  std::uint64_t position_ = kSegmentHeaderBytes;
  mutable std::atomic<bool> marked_ = false;
};

// Result of opening a segment.
struct CacheSegment::Opened {
  enum class Fault {
    kNone,
    kNotOurs,  // another mel key, no regular file, or about to be removed
    kEmpty,    // too short for a header: being created, or left by a killed process
    kBroken,   // no header of this version, or too large
    kFailed    // a system call failed
  };
  std::unique_ptr<CacheSegment> segment;
  Fault fault = Fault::kNone;
  int error = 0;  // errno for kFailed
};

}  // namespace myxtts::data
