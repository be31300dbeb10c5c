#include "audio/read_recording.h"

#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/files.h"
#include "base/nearest.h"

namespace myxtts::audio {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxRecordingBytes = std::size_t{1} << 30U;

std::string read_fault_message(const base::ReadResult& read) {
  switch (read.fault) {
    case base::FileFault::kNotRegular:
      return "a pipe or a device, expected a regular file; save the recording to a file first";
    case base::FileFault::kLinkLoop:
      return "a symbolic link loop; name the recording itself";
    case base::FileFault::kUnreadable:
      return fmt::format("cannot be read ({}); check its permissions: ls -l", read.detail);
    case base::FileFault::kTooLarge:
      return fmt::format("too large ({}); split it into shorter files", read.detail);
    default:
      return read.detail;
  }
}

std::string_view audio_fault_message(audio::AudioFault fault) {
  switch (fault) {
    case audio::AudioFault::kEmpty:
      return "the file is empty";
    case audio::AudioFault::kNotAudio:
      return "not a readable audio file";
    case audio::AudioFault::kTruncated:
      return "the recording is truncated";
    case audio::AudioFault::kNoFrames:
      return "the recording has no samples";
    case audio::AudioFault::kNotFinite:
      return "the recording has samples that are not finite";
    case audio::AudioFault::kTooLong:
      return "the recording is too long";
    case audio::AudioFault::kNone:
      break;
  }
  return "no fault";
}

std::string read_bytes(const fs::path& file) {
  base::ReadResult read = base::read_regular_file(file, kMaxRecordingBytes);
  require_usage(read.fault != base::FileFault::kMissing,
                "{}: no such file{}",
                file.string(),
                base::did_you_mean(file.filename().string(), base::sibling_names(file)));
  require_usage(
      read.fault != base::FileFault::kDirectory,
      "{} is a folder, expected one recording; for a whole corpus: myxtts corpus check {}",
      file.string(),
      file.string());
  require(read.fault == base::FileFault::kNone, "{}: {}", file.string(), read_fault_message(read));
  return std::move(read.bytes);
}

}  // namespace

audio::AudioClip read_recording(const fs::path& file, double max_seconds) {
  audio::DecodeResult decoded = audio::decode(read_bytes(file), max_seconds);
  require(decoded.ok(),
          "{}: {}: {}",
          file.string(),
          audio_fault_message(decoded.fault),
          decoded.detail);
  return std::move(decoded.clip);
}

}  // namespace myxtts::audio
