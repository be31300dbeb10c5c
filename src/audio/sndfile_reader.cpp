#include "audio/sndfile_reader.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>

#include <fmt/format.h>
#include <sndfile.h>

#include "audio/decode_limits.h"
#include "audio/memory_file.h"

namespace myxtts::audio {
namespace {

constexpr std::size_t kSndfileBlockFrames = 4096;

MemoryFile& file_of(void* user) {
  return *static_cast<MemoryFile*>(user);
}

// File callbacks that libsndfile uses instead of system calls.
SF_VIRTUAL_IO memory_callbacks() {
  return {.get_filelen = [](void* user) -> sf_count_t { return file_of(user).size(); },
          .seek = [](sf_count_t offset, int whence, void* user) -> sf_count_t {
            return file_of(user).seek(offset, whence);
          },
          .read = [](void* target, sf_count_t count, void* user) -> sf_count_t {
            return file_of(user).read(target, count);
          },
          .write = [](const void*, sf_count_t, void*) -> sf_count_t { return 0; },
          .tell = [](void* user) -> sf_count_t { return file_of(user).position(); }};
}

struct CloseFile {
  void operator()(SNDFILE* file) const { sf_close(file); }
};
using OpenFile = std::unique_ptr<SNDFILE, CloseFile>;

// "flac pcm16", "ogg opus"; empty for unsupported formats.
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
    default:
      return "";
  }
}

std::string refusal_of(const SF_INFO& header, const std::string& format) {
  if (format.empty())
    return fmt::format("unsupported audio format {:#x}, expected FLAC, OGG Vorbis or OGG Opus",
                       header.format);
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
std::vector<float> read_mixed_sndfile(SNDFILE* file, std::size_t channels, std::size_t max_frames) {
  std::vector<float> samples;
  std::vector<float> block(kSndfileBlockFrames * channels);
  while (samples.size() <= max_frames) {
    const std::size_t wanted = std::min(kSndfileBlockFrames, max_frames + 1 - samples.size());
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

// Returns true if the last OGG page is complete and has the end-of-stream flag. Decoders stop
// silently at the end of the bytes, so this is the only sign of truncation.
bool is_complete_ogg(std::string_view bytes) {
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

// The result for a file with a valid start that libsndfile could not open.
DecodeResult unreadable(std::string_view bytes) {
  if (bytes.starts_with("OggS") && !is_complete_ogg(bytes)) {
    return {{},
            AudioFault::kTruncated,
            "the OGG stream ends in its header; copy or export the file again"};
  }
  return {{},
          AudioFault::kNotAudio,
          fmt::format("starts like {}, but cannot be decoded{}",
                      bytes.starts_with("fLaC") ? "FLAC" : "OGG",
                      kConvertHint)};
}

}  // namespace

bool looks_like_flac_or_ogg(std::string_view bytes) {
  return bytes.starts_with("fLaC") || bytes.starts_with("OggS");
}

DecodeResult decode_flac_or_ogg(std::string_view bytes, double max_seconds) {
  MemoryFile memory(bytes);
  SF_VIRTUAL_IO callbacks = memory_callbacks();
  SF_INFO header{};
  const OpenFile file(sf_open_virtual(&callbacks, SFM_READ, &header, &memory));
  if (!file) return unreadable(bytes);
  const std::string format = format_name(header.format);
  if (const std::string refusal = refusal_of(header, format); !refusal.empty()) {
    return {{}, AudioFault::kNotAudio, refusal + kConvertHint};
  }

  const std::size_t max_frames = frames_in(max_seconds, header.samplerate);
  DecodeResult result;
  result.clip = {
      header.samplerate,
      header.channels,
      format,
      read_mixed_sndfile(file.get(), static_cast<std::size_t>(header.channels), max_frames)};
  const std::size_t present = result.clip.samples.size();
  const bool length_known = header.frames > 0 && header.frames < SF_COUNT_MAX;
  if (present > max_frames) {
    result.fault = AudioFault::kTooLong;
    result.detail = too_long_detail(result.clip.seconds(), max_seconds);
  } else if (length_known && present < static_cast<std::uint64_t>(header.frames)) {
    result.fault = AudioFault::kTruncated;
    result.detail = truncated_detail(present, static_cast<std::uint64_t>(header.frames));
  } else if (format.starts_with("ogg") && !is_complete_ogg(bytes)) {
    result.fault = AudioFault::kTruncated;
    result.detail = fmt::format(
        "the OGG stream ends after {:.2f} s without an end mark; copy or export the file again",
        result.clip.seconds());
  }
  return result;
}

}  // namespace myxtts::audio
