// A record of an event file is
//
//   u64 length | u32 masked_crc32c(length) | bytes | u32 masked_crc32c(bytes)     little-endian
//
// and its bytes are a protobuf message `Event`:
//
//   Event       1 double wall_time, 2 int64 step, 3 string file_version, 5 Summary, 7 SessionLog
//   Summary     1 repeated Value
//   Value       1 string tag, 2 float simple_value, 4 Image, 6 Audio
//   Image       1 int32 height, 2 int32 width, 3 int32 colorspace, 4 bytes encoded
//   Audio       1 float sample_rate, 2 int64 channels, 3 int64 frames, 4 bytes encoded,
//               5 string type
//   SessionLog  1 enum status (1: START)

#include "train/event_file.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <charconv>
#include <chrono>
#include <string>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include "base/crc32c.h"

namespace myxtts::train {
namespace {

constexpr std::string_view kNameStart = "events.out.tfevents.";
constexpr int kFileVersion = 3;
constexpr int kSummary = 5;
constexpr int kSessionLog = 7;
constexpr int kRgb = 3;

template <typename Unsigned>
std::string little_endian(Unsigned value) {
  std::string bytes;
  for (std::size_t i = 0; i < sizeof(Unsigned); ++i)
    bytes += static_cast<char>((value >> (8 * i)) & 0xFFU);
  return bytes;
}

// Encodes the fields of a protobuf message: a key (number and wire type), then the value.
class Message {
 public:
  Message& integer(int field, std::int64_t value) {
    varint(static_cast<std::uint64_t>(field) << 3U);
    varint(static_cast<std::uint64_t>(value));
    return *this;
  }
  Message& number(int field, double value) {
    varint((static_cast<std::uint64_t>(field) << 3U) | 1U);
    bytes_ += little_endian(std::bit_cast<std::uint64_t>(value));
    return *this;
  }
  Message& number(int field, float value) {
    varint((static_cast<std::uint64_t>(field) << 3U) | 5U);
    bytes_ += little_endian(std::bit_cast<std::uint32_t>(value));
    return *this;
  }
  Message& bytes(int field, std::string_view value) {
    varint((static_cast<std::uint64_t>(field) << 3U) | 2U);
    varint(value.size());
    bytes_ += value;
    return *this;
  }
  std::string_view encoded() const { return bytes_; }

 private:
  void varint(std::uint64_t value) {
    for (; value >= 0x80U; value >>= 7U)
      bytes_ += static_cast<char>((value & 0x7FU) | 0x80U);
    bytes_ += static_cast<char>(value);
  }

  std::string bytes_;
};

double unix_time() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

// Readers sort the files of a folder by name, so a file must sort after the existing ones even if
// it is created in the same second or after the clock was set back.
std::int64_t time_after_others(const std::filesystem::path& folder) {
  auto stamp = static_cast<std::int64_t>(unix_time());
  std::error_code unreadable;
  for (const auto& entry : std::filesystem::directory_iterator(folder, unreadable)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(kNameStart)) continue;
    std::int64_t other = 0;
    std::from_chars(name.data() + kNameStart.size(), name.data() + name.size(), other);
    stamp = std::max(stamp, other + 1);
  }
  return stamp;
}

std::filesystem::path path_in(const std::filesystem::path& folder) {
  static std::atomic<int> num_files = 0;
  std::error_code ignored;  // opening the file reports it
  std::filesystem::create_directories(folder, ignored);
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) host = {'h', 'o', 's', 't'};
  return folder / fmt::format("{}{:010}.{}.{}.{}",
                              kNameStart,
                              time_after_others(folder),
                              host.data(),
                              ::getpid(),
                              num_files++);
}

std::string record_of(std::string_view bytes) {
  const std::string length = little_endian<std::uint64_t>(bytes.size());
  std::string record = length + little_endian(base::masked_crc32c(length));
  record += bytes;
  record += little_endian(base::masked_crc32c(bytes));
  return record;
}

Message tagged(std::string_view tag) {
  return Message().bytes(1, tag);
}

Message summary_of(const Message& value) {
  return Message().bytes(1, value.encoded());
}

}  // namespace

EventFile::EventFile(const std::filesystem::path& folder, std::int64_t first_step)
    : file_(path_in(folder)) {
  write(0, kFileVersion, "brain.Event:2");
  if (first_step > 0) write(first_step, kSessionLog, Message().integer(1, 1).encoded());
  flush();
}

void EventFile::scalar(std::int64_t step, std::string_view tag, double value) {
  const Message summary = summary_of(tagged(tag).number(2, static_cast<float>(value)));
  write(step, kSummary, summary.encoded());
}

void EventFile::image(
    std::int64_t step, std::string_view tag, std::string_view png, int width, int height) {
  const Message picture =
      Message().integer(1, height).integer(2, width).integer(3, kRgb).bytes(4, png);
  write(step, kSummary, summary_of(tagged(tag).bytes(4, picture.encoded())).encoded());
}

void EventFile::audio(std::int64_t step,
                      std::string_view tag,
                      std::string_view wav,
                      int sample_rate,
                      std::int64_t num_samples) {
  const Message clip = Message()
                           .number(1, static_cast<float>(sample_rate))
                           .integer(2, 1)
                           .integer(3, num_samples)
                           .bytes(4, wav)
                           .bytes(5, "audio/wav");
  write(step, kSummary, summary_of(tagged(tag).bytes(6, clip.encoded())).encoded());
}

void EventFile::write(std::int64_t step, int field, std::string_view message) {
  const Message event = Message().number(1, unix_time()).integer(2, step).bytes(field, message);
  file_.append(record_of(event.encoded()));
}

}  // namespace myxtts::train
