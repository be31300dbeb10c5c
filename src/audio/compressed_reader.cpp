// libsndfile reads from memory through callbacks. It sees only bytes that begin like one of the
// formats we want, so that the many others it knows cannot be reached by a hostile file.

#include "audio/compressed_reader.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <numeric>
#include <span>

#include <fmt/format.h>
#include <sndfile.h>

#include "audio/decode_limits.h"

namespace xtts::audio {
namespace {

constexpr std::size_t kBlockFrames = 4096;
constexpr std::size_t kMostFrames = std::size_t{1} << 40U;  // whatever max_seconds says

// The file that libsndfile believes to read.
struct MemoryFile {
  std::string_view bytes;
  sf_count_t position = 0;
};

MemoryFile& file_of(void* user) {
  return *static_cast<MemoryFile*>(user);
}

sf_count_t file_length(void* user) {
  return static_cast<sf_count_t>(file_of(user).bytes.size());
}

sf_count_t seek_file(sf_count_t offset, int whence, void* user) {
  MemoryFile& file = file_of(user);
  const sf_count_t length = file_length(user);
  const sf_count_t origin = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? file.position : length;
  // Offsets come from the file's own fields: compare before adding.
  if (offset < -origin || offset > length - origin) return -1;
  file.position = origin + offset;
  return file.position;
}

sf_count_t read_file(void* target, sf_count_t count, void* user) {
  MemoryFile& file = file_of(user);
  const sf_count_t left = file_length(user) - file.position;
  const sf_count_t taken = std::clamp<sf_count_t>(count, 0, left);
  if (taken > 0) {
    std::memcpy(target, file.bytes.data() + file.position, static_cast<std::size_t>(taken));
  }
  file.position += taken;
  return taken;
}

sf_count_t write_file(const void* /*source*/, sf_count_t /*count*/, void* /*user*/) {
  return 0;
}

sf_count_t tell_file(void* user) {
  return file_of(user).position;
}

struct CloseFile {
  void operator()(SNDFILE* file) const { sf_close(file); }
};
using OpenFile = std::unique_ptr<SNDFILE, CloseFile>;

// "flac pcm16", "ogg opus", "mp3"; empty for what we do not read.
std::string format_name(int format) {
  const int kind = format & SF_FORMAT_SUBMASK;
  switch (format & SF_FORMAT_TYPEMASK) {
    case SF_FORMAT_FLAC:
      if (kind == SF_FORMAT_PCM_S8) return "flac pcm8";
      if (kind == SF_FORMAT_PCM_16) return "flac pcm16";
      return kind == SF_FORMAT_PCM_24 ? "flac pcm24" : "";
    case SF_FORMAT_OGG:
      if (kind == SF_FORMAT_VORBIS) return "ogg vorbis";
      return kind == SF_FORMAT_OPUS ? "ogg opus" : "";
    case SF_FORMAT_MPEG:
      return kind == SF_FORMAT_MPEG_LAYER_III ? "mp3" : "mpeg audio";
    default:
      return "";
  }
}

std::string refusal_of(const SF_INFO& header, const std::string& format) {
  if (format.empty()) return fmt::format("audio of kind {:#x}", header.format);
  if (header.channels < 1 || header.channels > kMaxChannels) {
    return fmt::format("{} channels, expected 1 to {}", header.channels, kMaxChannels);
  }
  if (header.samplerate < kMinSampleRate || header.samplerate > kMaxSampleRate) {
    return fmt::format(
        "{} Hz, expected {} to {}", header.samplerate, kMinSampleRate, kMaxSampleRate);
  }
  return "";
}

// Reads until the end, an error, or one frame more than `max_frames`.
std::vector<float> read_mixed(SNDFILE* file, std::size_t channels, std::size_t max_frames) {
  std::vector<float> samples;
  std::vector<float> block(kBlockFrames * channels);
  while (samples.size() <= max_frames) {
    const std::size_t wanted = std::min(kBlockFrames, max_frames + 1 - samples.size());
    const sf_count_t got = sf_readf_float(file, block.data(), static_cast<sf_count_t>(wanted));
    if (got <= 0) break;
    for (std::size_t i = 0; i < static_cast<std::size_t>(got); ++i) {
      const auto frame = std::span(block).subspan(i * channels, channels);
      const double sum = std::accumulate(frame.begin(), frame.end(), 0.0);
      samples.push_back(static_cast<float>(sum / static_cast<double>(channels)));
    }
  }
  return samples;
}

// The last page of a whole OGG file is complete and carries the end-of-stream flag. Decoders stop
// quietly where the bytes do, so this is the only sign of a file that was cut.
bool ogg_is_whole(std::string_view bytes) {
  constexpr std::size_t kPageHeaderBytes = 27;
  constexpr unsigned kEndOfStream = 4;
  const std::size_t at = bytes.rfind("OggS");
  if (at == std::string_view::npos || bytes.size() - at < kPageHeaderBytes) return false;

  const std::string_view page = bytes.substr(at);
  const std::size_t num_segments = static_cast<unsigned char>(page[26]);
  if (page.size() < kPageHeaderBytes + num_segments) return false;
  const std::string_view segments = page.substr(kPageHeaderBytes, num_segments);
  const std::size_t body_bytes = std::accumulate(
      segments.begin(), segments.end(), std::size_t{0}, [](std::size_t sum, char c) {
        return sum + static_cast<unsigned char>(c);
      });
  return page.size() >= kPageHeaderBytes + num_segments + body_bytes &&
         (static_cast<unsigned char>(page[5]) & kEndOfStream) != 0;
}

bool starts_mpeg_frame(std::string_view bytes) {
  if (bytes.size() < 4) return false;
  const auto first = static_cast<unsigned char>(bytes[0]);
  const auto second = static_cast<unsigned char>(bytes[1]);
  const bool sync = first == 0xFF && (second & 0xE0U) == 0xE0;
  const bool known_version = (second & 0x18U) != 0x08;
  const bool known_layer = (second & 0x06U) != 0;  // 0 would be AAC
  return sync && known_version && known_layer;
}

std::string_view compressed_kind(std::string_view bytes) {
  if (bytes.starts_with("fLaC")) return "FLAC";
  return bytes.starts_with("OggS") ? "OGG" : "MP3";
}

}  // namespace

bool looks_compressed(std::string_view bytes) {
  return bytes.starts_with("fLaC") || bytes.starts_with("OggS") || bytes.starts_with("ID3") ||
         starts_mpeg_frame(bytes);
}

DecodeResult decode_compressed(std::string_view bytes, double max_seconds) {
  MemoryFile memory{bytes, 0};
  SF_VIRTUAL_IO callbacks{file_length, seek_file, read_file, write_file, tell_file};
  SF_INFO header{};
  const OpenFile file(sf_open_virtual(&callbacks, SFM_READ, &header, &memory));
  if (!file) {
    return {{},
            AudioFault::kNotAudio,
            fmt::format("begins like {}, but cannot be decoded: damaged or cut short{}",
                        compressed_kind(bytes),
                        kConvertHint)};
  }
  const std::string format = format_name(header.format);
  if (const std::string refusal = refusal_of(header, format); !refusal.empty()) {
    return {{}, AudioFault::kNotAudio, refusal + kConvertHint};
  }

  const auto max_frames = static_cast<std::size_t>(
      std::clamp(max_seconds * header.samplerate, 0.0, static_cast<double>(kMostFrames)));
  DecodeResult result;
  result.sound = {header.samplerate,
                  header.channels,
                  format,
                  read_mixed(file.get(), static_cast<std::size_t>(header.channels), max_frames)};
  const std::size_t held = result.sound.samples.size();
  const bool promise_known = header.frames > 0 && header.frames < SF_COUNT_MAX;
  if (held > max_frames) {
    result.fault = AudioFault::kTooLong;
    result.detail = too_long_detail(result.sound.seconds(), max_seconds);
  } else if (promise_known && held < static_cast<std::uint64_t>(header.frames)) {
    result.fault = AudioFault::kTruncated;
    result.detail = truncated_detail(held, static_cast<std::uint64_t>(header.frames));
  } else if (format.starts_with("ogg") && !ogg_is_whole(bytes)) {
    result.fault = AudioFault::kTruncated;
    result.detail = fmt::format("the OGG stream breaks off after {:.2f} s; copy or make it again",
                                result.sound.seconds());
  }
  return result;
}

}  // namespace xtts::audio
