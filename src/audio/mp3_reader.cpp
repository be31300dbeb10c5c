#include "audio/mp3_reader.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>

#include <fmt/format.h>
#include <mpg123.h>

#include "audio/decode_limits.h"
#include "audio/memory_file.h"

namespace myxtts::audio {
namespace {

constexpr std::size_t kMp3BlockFrames = 4096;
constexpr std::size_t kMaxMp3Channels = 2;

struct CloseDecoder {
  void operator()(mpg123_handle* decoder) const { mpg123_delete(decoder); }
};
using Decoder = std::unique_ptr<mpg123_handle, CloseDecoder>;

ssize_t read_memory(void* file, void* target, std::size_t count) {
  return static_cast<MemoryFile*>(file)->read(target, static_cast<std::int64_t>(count));
}

off_t seek_memory(void* file, off_t offset, int whence) {
  return static_cast<MemoryFile*>(file)->seek(offset, whence);
}

// Creates a decoder to 32-bit floats at the file's own rate that prints no messages; null on
// failure.
Decoder new_decoder() {
  Decoder decoder(mpg123_new(nullptr, nullptr));
  if (!decoder) return nullptr;
  constexpr long kFlags = MPG123_QUIET | MPG123_FORCE_FLOAT | MPG123_SKIP_ID3V2;
  const bool ok =
      mpg123_param(decoder.get(), MPG123_ADD_FLAGS, kFlags, 0.0) == MPG123_OK &&
      mpg123_param(decoder.get(), MPG123_REMOVE_FLAGS, MPG123_AUTO_RESAMPLE, 0.0) == MPG123_OK &&
      mpg123_replace_reader_handle(decoder.get(), read_memory, seek_memory, nullptr) == MPG123_OK;
  return ok ? std::move(decoder) : nullptr;
}

// The decoder of this thread, reused between files.
thread_local Decoder kept_decoder;

// Opens one file in the thread's decoder. Deletes the decoder afterwards unless keep() was called,
// because a faulty file may leave state in it.
class OpenMp3 {
 public:
  explicit OpenMp3(MemoryFile& file) {
    if (!kept_decoder) kept_decoder = new_decoder();
    is_open_ = kept_decoder && mpg123_open_handle(kept_decoder.get(), &file) == MPG123_OK;
  }
  ~OpenMp3() {
    if (is_open_) mpg123_close(kept_decoder.get());
    if (!is_kept_) kept_decoder.reset();
  }
  OpenMp3(const OpenMp3&) = delete;
  OpenMp3& operator=(const OpenMp3&) = delete;

  void keep() { is_kept_ = true; }
  mpg123_handle* get() const { return is_open_ ? kept_decoder.get() : nullptr; }

 private:
  bool is_open_ = false;
  bool is_kept_ = false;
};

// Size of a leading ID3v2 tag: ten bytes plus a size in four groups of seven bits.
std::size_t tag_bytes(std::string_view bytes) {
  if (!bytes.starts_with("ID3") || bytes.size() < 10) return 0;
  std::size_t size = 0;
  for (const char group : bytes.substr(6, 4))
    size = size << 7U | (static_cast<unsigned>(group) & 0x7FU);
  return std::min(bytes.size(), size + 10);
}

// Encoders store the length of the recording in a first MP3 frame marked "Xing" or "Info". Without
// it the decoder only estimates the length from the file size.
bool states_its_length(std::string_view bytes) {
  constexpr std::size_t kMaxMarkOffset = 256;
  const std::string_view first_frame = bytes.substr(tag_bytes(bytes), kMaxMarkOffset);
  return first_frame.find("Xing") != std::string_view::npos ||
         first_frame.find("Info") != std::string_view::npos;
}

// Reads until the end, an error, a change of format, or one frame more than `max_frames`.
void read_as_mono(mpg123_handle* decoder,
                  std::size_t channels,
                  std::size_t max_frames,
                  std::vector<float>& samples) {
  samples.clear();
  std::array<float, kMp3BlockFrames * kMaxMp3Channels> block;
  int state = MPG123_OK;
  while (state == MPG123_OK && samples.size() <= max_frames) {
    const std::size_t wanted = std::min(kMp3BlockFrames, max_frames + 1 - samples.size());
    std::size_t got_bytes = 0;
    state = mpg123_read(decoder, block.data(), wanted * channels * sizeof(float), &got_bytes);
    for (std::size_t i = 0; i < got_bytes / sizeof(float) / channels; ++i) {
      const auto frame = std::span(block).subspan(i * channels, channels);
      const double sum = std::accumulate(frame.begin(), frame.end(), 0.0);
      samples.push_back(static_cast<float>(sum / static_cast<double>(channels)));
    }
  }
}

}  // namespace

bool looks_like_mp3(std::string_view bytes) {
  if (bytes.starts_with("ID3")) return true;
  if (bytes.size() < 4) return false;
  const auto first = static_cast<unsigned char>(bytes[0]);
  const auto second = static_cast<unsigned char>(bytes[1]);
  const bool sync = first == 0xFF && (second & 0xE0U) == 0xE0;
  const bool known_version = (second & 0x18U) != 0x08;
  const bool known_layer = (second & 0x06U) != 0;  // 0 would be AAC
  return sync && known_version && known_layer;
}

void decode_mp3(std::string_view bytes, double max_seconds, DecodeResult& result) {
  result.fault = AudioFault::kNone;
  result.detail.clear();
  MemoryFile file(bytes);
  OpenMp3 open(file);
  long rate = 0;
  int channels = 0;
  int encoding = 0;
  if (open.get() == nullptr ||
      mpg123_getformat(open.get(), &rate, &channels, &encoding) != MPG123_OK ||
      encoding != MPG123_ENC_FLOAT_32 || channels < 1 ||
      channels > static_cast<int>(kMaxMp3Channels) || rate < kMinSampleRate) {
    result = {{},
              AudioFault::kNotAudio,
              std::string("starts like MP3, but contains no audio") + kConvertHint};
    return;
  }
  const auto stated =
      states_its_length(bytes) ? static_cast<std::int64_t>(mpg123_length(open.get())) : 0;

  const std::size_t max_frames = frames_in(max_seconds, static_cast<int>(rate));
  AudioClip& clip = result.clip;
  clip.sample_rate = static_cast<int>(rate);
  clip.num_channels = channels;
  clip.format = "mp3";
  read_as_mono(open.get(), static_cast<std::size_t>(channels), max_frames, clip.samples);
  const std::size_t present = clip.samples.size();
  if (present > max_frames) {
    result.fault = AudioFault::kTooLong;
    result.detail = too_long_detail(clip.seconds(), max_seconds);
  } else if (stated > 0 && present < static_cast<std::uint64_t>(stated)) {
    result.fault = AudioFault::kTruncated;
    result.detail = truncated_detail(present, static_cast<std::uint64_t>(stated));
  } else {
    open.keep();
  }
}

DecodeResult decode_mp3(std::string_view bytes, double max_seconds) {
  DecodeResult result;
  decode_mp3(bytes, max_seconds, result);
  return result;
}

}  // namespace myxtts::audio
