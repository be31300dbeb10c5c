#include "data/cache_segment.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/crc32c.h"
#include "data/cache_folder.h"
#include "data/cache_locks.h"

namespace myxtts::data {
namespace {

using Opened = CacheSegment::Opened;

Opened no_segment(Opened::Fault fault, int error = 0) {
  return {.segment = nullptr, .fault = fault, .error = error};
}

// Reads `size` bytes at `offset`. Returns false if the file is shorter or cannot be read.
bool read_exactly(int file, char* bytes, std::size_t size, std::uint64_t offset) {
  while (size > 0) {
    const ssize_t count = ::pread(file, bytes, size, static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes += count;
    offset += static_cast<std::uint64_t>(count);
    size -= static_cast<std::size_t>(count);
  }
  return true;
}

// Writes all pieces with one system call if possible, so that readers see them together. Returns 0
// or an errno.
int write_pieces(int file, std::array<iovec, 3> pieces, std::uint64_t offset) {
  auto* piece = pieces.data();
  auto* const end = piece + pieces.size();
  while (piece != end) {
    const ssize_t written =
        ::pwritev(file, piece, static_cast<int>(end - piece), static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    offset += static_cast<std::uint64_t>(written);
    auto left = static_cast<std::size_t>(written);
    for (; piece != end && left >= piece->iov_len; ++piece)
      left -= piece->iov_len;
    if (piece == end) break;
    if (written == 0) return EIO;
    piece->iov_base = static_cast<char*>(piece->iov_base) + left;
    piece->iov_len -= left;
  }
  return 0;
}

iovec piece_of(std::string_view bytes) {
  return {.iov_base = const_cast<char*>(bytes.data()), .iov_len = bytes.size()};
}

bool is_linked_file(int file) {
  struct stat status {};
  return ::fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_nlink > 0;
}

}  // namespace

Opened CacheSegment::open(int folder, const std::string& name, const base::Sha256& mel_key) {
  using enum Opened::Fault;
  const int file = open_member(folder, name);
  if (file < 0) return no_segment(errno == 0 ? kNotOurs : kFailed, errno);
  std::unique_ptr<CacheSegment> segment(new CacheSegment(file, name));
  // A remover holds an exclusive lock until the name is removed.
  if (lock_use(file) == LockResult::kTaken || !is_linked_file(file)) return no_segment(kNotOurs);

  SegmentHeaderBytes bytes{};
  if (!read_exactly(file, bytes.data(), bytes.size(), 0)) return no_segment(kEmpty);
  const std::optional<base::Sha256> found = decode_segment_header({bytes.data(), bytes.size()});
  if (!found || segment->size_now() > kMaxSegmentBytes) return no_segment(kBroken);
  if (*found != mel_key) return no_segment(kNotOurs);
  if (!segment->map()) return no_segment(kFailed, errno);
  return {.segment = std::move(segment), .fault = kNone, .error = 0};
}

Opened CacheSegment::create(int folder, const base::Sha256& mel_key) {
  using enum Opened::Fault;
  const SegmentHeaderBytes header = encode_segment_header(mel_key);
  while (true) {
    const std::string name = new_segment_name();
    const int file =
        ::openat(folder, name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0 && errno == EEXIST) continue;
    if (file < 0) return no_segment(kFailed, errno);
    std::unique_ptr<CacheSegment> segment(new CacheSegment(file, name));
    // Another process may have removed the empty file before it was locked.
    if (lock_use(file) == LockResult::kTaken || !is_linked_file(file)) continue;
    lock_writing(file);

    const int error =
        write_pieces(file, {piece_of({header.data(), header.size()}), iovec{}, iovec{}}, 0);
    if (error == 0 && segment->map()) {
      return {.segment = std::move(segment), .fault = kNone, .error = 0};
    }
    const int cause = error == 0 ? errno : error;
    ::unlinkat(folder, name.c_str(), 0);
    return no_segment(kFailed, cause);
  }
}

CacheSegment::~CacheSegment() {
  if (mapping_ != nullptr) ::munmap(const_cast<char*>(mapping_), kMaxSegmentBytes);
  ::close(file_);
}

ScanResult CacheSegment::scan() {
  ScanResult found;
  bool in_damage = false;
  const std::uint64_t size = std::min(size_now(), kMaxSegmentBytes);
  while (position_ + kRecordHeaderBytes <= size) {
    RecordHeaderBytes bytes{};
    const bool read = read_exactly(file_, bytes.data(), bytes.size(), position_);
    const auto header =
        read ? decode_record_header({bytes.data(), bytes.size()}) : std::optional<RecordHeader>();
    if (!header) {  // the next record begins at a later multiple of the alignment
      if (!std::exchange(in_damage, true)) ++found.num_damaged;
      position_ += kRecordAlignment;
      continue;
    }
    if (position_ + record_bytes(header->payload_bytes) > size) break;
    in_damage = false;
    add_record(*header, found);
    position_ += record_bytes(header->payload_bytes);
  }
  return found;
}

void CacheSegment::add_record(const RecordHeader& header, ScanResult& found) const {
  const std::uint64_t payload_at = position_ + kRecordHeaderBytes;
  if (header.kind == RecordKind::kMel) {
    found.mels.push_back({.payload_at = payload_at, .header = header});
  } else if (header.kind == RecordKind::kMemo) {
    std::string payload(header.payload_bytes, '\0');
    const bool read = read_exactly(file_, payload.data(), payload.size(), payload_at);
    std::optional<Memo> memo = read ? decode_memo(header, payload) : std::nullopt;
    if (!memo) ++found.num_damaged;
    if (memo) found.memos.push_back(std::move(*memo));
  }
}

bool CacheSegment::become_writer() {
  if (lock_writing(file_) != LockResult::kHeld) return false;
  if (position_ == size_now()) return true;
  unlock_writing(file_);
  return false;
}

int CacheSegment::append(const RecordHeader& header, std::string_view payload) {
  static constexpr std::array<char, kRecordAlignment> kZeros{};
  const RecordHeaderBytes bytes = encode(header);
  const std::uint64_t padding = record_bytes(payload.size()) - kRecordHeaderBytes - payload.size();
  return write_pieces(file_,
                      {piece_of({bytes.data(), bytes.size()}),
                       piece_of(payload),
                       piece_of({kZeros.data(), padding})},
                      position_);
}

bool CacheSegment::is_intact(const StoredMel& mel) const {
  std::array<char, 1 << 15> block;  // NOLINT: filled before it is read
  std::uint32_t crc = 0;
  for (std::uint64_t done = 0; done < mel.header.payload_bytes;) {
    const std::size_t size = std::min<std::uint64_t>(block.size(), mel.header.payload_bytes - done);
    if (!read_exactly(file_, block.data(), size, mel.payload_at + done)) return false;
    crc = base::crc32c({block.data(), size}, crc);
    done += size;
  }
  return crc == mel.header.payload_crc;
}

bool CacheSegment::reaches(std::uint64_t offset) const {
  return size_now() >= offset;
}

void CacheSegment::mark_used() const {
  if (!marked_.exchange(true, std::memory_order_relaxed)) ::futimens(file_, nullptr);
}

bool CacheSegment::map() {
  void* const mapping = ::mmap(nullptr, kMaxSegmentBytes, PROT_READ, MAP_SHARED, file_, 0);
  if (mapping == MAP_FAILED) return false;
  mapping_ = static_cast<const char*>(mapping);
  return true;
}

std::uint64_t CacheSegment::size_now() const {
  struct stat status {};
  return ::fstat(file_, &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
}

}  // namespace myxtts::data
