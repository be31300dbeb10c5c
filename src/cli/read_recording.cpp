#include "cli/read_recording.h"

#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/files.h"
#include "base/nearest.h"

namespace xtts::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxRecordingBytes = std::size_t{1} << 30U;

std::string advice_for(const base::ReadResult& read) {
  switch (read.fault) {
    case base::FileFault::kNotRegular:
      return "a pipe or a device, not a file; save the recording into a file first";
    case base::FileFault::kLinkLoop:
      return "a symbolic link that leads back to itself; name the recording itself";
    case base::FileFault::kUnreadable:
      return fmt::format("cannot be read ({}); see who may read it: ls -l", read.detail);
    case base::FileFault::kTooLarge:
      return fmt::format("too large ({}); cut it into shorter pieces", read.detail);
    default:
      return read.detail;
  }
}

std::string_view words_for(audio::AudioFault fault) {
  switch (fault) {
    case audio::AudioFault::kEmpty:
      return "the file is empty";
    case audio::AudioFault::kNotAudio:
      return "not a recording that can be read";
    case audio::AudioFault::kTruncated:
      return "the recording is cut off";
    case audio::AudioFault::kNoFrames:
      return "the recording has no sound in it";
    case audio::AudioFault::kNotFinite:
      return "the recording holds values that are no numbers";
    case audio::AudioFault::kTooLong:
      return "the recording is too long";
    case audio::AudioFault::kNone:
      break;
  }
  return "the recording is fine";
}

std::string bytes_of(const fs::path& file) {
  base::ReadResult read = base::read_regular_file(file, kMaxRecordingBytes);
  require_usage(read.fault != base::FileFault::kMissing,
                "{}: no such file{}",
                file.string(),
                base::did_you_mean(file.filename().string(), base::names_beside(file)));
  require_usage(
      read.fault != base::FileFault::kDirectory,
      "{} is a folder, expected one recording; for a whole corpus: myxtts corpus check {}",
      file.string(),
      file.string());
  require(read.fault == base::FileFault::kNone, "{}: {}", file.string(), advice_for(read));
  return std::move(read.bytes);
}

}  // namespace

audio::AudioClip read_recording(const fs::path& file, double max_seconds) {
  audio::DecodeResult decoded = audio::decode(bytes_of(file), max_seconds);
  require(decoded.ok(), "{}: {}: {}", file.string(), words_for(decoded.fault), decoded.detail);
  return std::move(decoded.sound);
}

}  // namespace xtts::cli
