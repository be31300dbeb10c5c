#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pipeline/cache_records.h"

namespace xtts::pipeline {

// A mel in a segment.
struct StoredMel {
  std::uint64_t payload_at = 0;  // offset in the segment
  RecordHeader header;
};

// What a look at a segment found that was not there at the look before.
struct SegmentNews {
  std::vector<StoredMel> mels;
  std::vector<Memo> memos;
  std::uint64_t num_damaged = 0;  // stretches that are no record, and memos with a wrong checksum
};

// One file of the feature cache, mapped for reading. It is in use (cache_locks.h) while this lives.
//
// Headers are read and payloads verified by read(), not through the mapping: a file that was cut
// short or lies on a bad sector is an answer then, not a SIGBUS. Nobody ever truncates a segment.
// scan(), become_writer() and append() by one thread at a time; the rest by any, also meanwhile.
class CacheSegment {
 public:
  struct Opened;

  // `folder` is the descriptor of the cache's folder.
  static Opened open(int folder, const std::string& name, const base::Sha256& contract);

  // A segment with a name of its own, without records, that this process writes.
  static Opened create(int folder, const base::Sha256& contract);

  ~CacheSegment();
  CacheSegment(const CacheSegment&) = delete;
  CacheSegment& operator=(const CacheSegment&) = delete;

  // Reads on from where the last scan ended. A record that is not whole yet waits for the next.
  SegmentNews scan();

  // Makes this process the one that appends. False if there is another, or if the file ends in a
  // record that somebody was killed over: nothing may follow that.
  bool become_writer();

  // Writes a record behind the last one. 0, or the errno of what failed: then nothing more may be
  // appended. scan() finds it.
  int append(const RecordHeader& header, std::string_view payload);

  // Reads the payload and compares its checksum.
  bool is_intact(const StoredMel& mel) const;

  // Is the file still as long? A look at the mapping is good as long as it is.
  bool reaches(std::uint64_t offset) const;

  // Remembers in the file's time of modification that it was of use, once.
  void mark_used() const;

  const char* bytes_at(std::uint64_t offset) const { return mapping_ + offset; }
  const std::string& name() const { return name_; }
  std::uint64_t bytes() const { return position_; }  // up to where the last scan ended

 private:
  CacheSegment(int file, std::string name) : file_(file), name_(std::move(name)) {}

  bool map();
  void take(const RecordHeader& header, SegmentNews& news) const;
  std::uint64_t size_now() const;

  int file_;
  std::string name_;
  const char* mapping_ = nullptr;
  std::uint64_t position_ = kSegmentHeaderBytes;
  mutable std::atomic<bool> marked_ = false;
};

// The segment, or why there is none.
struct CacheSegment::Opened {
  enum class Fault {
    kNone,
    kNotOurs,  // other contract, no regular file, or about to be removed
    kEmpty,    // too short for a header: being made, or left by a process that was killed over it
    kBroken,   // no header of this version, or too large: of no use to anybody
    kFailed    // the system refused
  };
  std::unique_ptr<CacheSegment> segment;
  Fault fault = Fault::kNone;
  int error = 0;  // errno for kFailed
};

}  // namespace xtts::pipeline
