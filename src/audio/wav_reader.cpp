// Layout, all numbers little-endian:
//
//   "RIFF" u32 size "WAVE"                       size: bytes after this field
//   chunks: 4 letters, u32 size, body, one byte of padding if size is odd
//     "fmt "  u16 tag (1 PCM, 3 float, 0xFFFE extensible), u16 channels, u32 rate,
//             u32 bytes per second, u16 bytes per frame, u16 bits;
//             extensible: u16 size, u16 valid bits, u32 speakers, 16-byte GUID whose first u16
//             is the tag
//     "data"  frames of interleaved samples; 8-bit samples are unsigned, wider ones signed

#include "audio/wav_reader.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "audio/decode_limits.h"

namespace myxtts::audio {
namespace {

constexpr std::size_t kRiffHeaderBytes = 12;
constexpr std::size_t kChunkHeaderBytes = 8;
constexpr std::uint32_t kUnknownSize = 0xFFFFFFFF;
constexpr std::uint16_t kTagPcm = 1;
constexpr std::uint16_t kTagFloat = 3;
constexpr std::uint16_t kTagExtensible = 0xFFFE;
// The last 14 bytes of the GUID of an extensible file that uses the basic tags.
constexpr std::string_view kBasicGuidTail(
    "\x00\x00\x00\x00\x10\x00\x80\x00\x00\xaa\x00\x38\x9b\x71", 14);

// Reads a little-endian number of `count` bytes; the caller has checked the bounds.
std::uint64_t number_at(std::string_view bytes, std::size_t at, std::size_t count) {
  std::uint64_t value = 0;
  for (std::size_t i = count; i-- > 0;) {
    value = value << 8U | static_cast<unsigned char>(bytes[at + i]);
  }
  return value;
}

struct Layout {
  bool is_float = false;
  std::size_t channels = 0;
  std::size_t rate = 0;
  std::size_t sample_bytes = 0;

  std::size_t frame_bytes() const { return channels * sample_bytes; }
  std::string name() const {
    return fmt::format("wav {}{}", is_float ? "float" : "pcm", sample_bytes * 8);
  }
};

// The two chunks that the reader needs. `data_bytes` is the stated size, `data` the bytes present.
struct Chunks {
  std::optional<std::string_view> format;
  std::optional<std::string_view> data;
  std::uint64_t data_bytes = 0;
};

Chunks find_chunks(std::string_view bytes) {
  const std::uint64_t riff_bytes = number_at(bytes, 4, 4);
  // A file written to a pipe: its sizes were never filled in.
  const bool streamed = riff_bytes == 0 || riff_bytes == kUnknownSize;

  Chunks chunks;
  std::size_t at = kRiffHeaderBytes;
  while (bytes.size() - at >= kChunkHeaderBytes) {
    const std::string_view id = bytes.substr(at, 4);
    const std::uint64_t stated = number_at(bytes, at + 4, 4);
    const std::string_view rest = bytes.substr(at + kChunkHeaderBytes);
    const std::string_view body = rest.substr(0, stated);

    if (id == "fmt " && !chunks.format && body.size() == stated) chunks.format = body;
    if (id == "data") {
      const bool to_the_end = stated == kUnknownSize || (stated == 0 && streamed);
      chunks.data = to_the_end ? rest : body;
      chunks.data_bytes = to_the_end ? rest.size() : stated;
      break;
    }
    const std::uint64_t padded = stated + stated % 2;
    if (padded > rest.size()) break;
    at += kChunkHeaderBytes + padded;
  }
  return chunks;
}

// The parsed fmt chunk. If it is not supported, `refusal` says why.
struct FormatChunk {
  Layout layout;
  std::string refusal;
};

FormatChunk parse_format(std::string_view body) {
  if (body.size() < 16) {
    return {{}, fmt::format("fmt chunk of {} bytes, expected at least 16", body.size())};
  }
  std::uint64_t tag = number_at(body, 0, 2);
  const std::uint64_t channels = number_at(body, 2, 2);
  const std::uint64_t rate = number_at(body, 4, 4);
  const std::uint64_t frame_bytes = number_at(body, 12, 2);
  const std::uint64_t bits = number_at(body, 14, 2);
  if (tag == kTagExtensible && body.size() >= 40 && body.substr(26, 14) == kBasicGuidTail) {
    tag = number_at(body, 24, 2);
  }

  const bool pcm = tag == kTagPcm && (bits == 8 || bits == 16 || bits == 24 || bits == 32);
  const bool floats = tag == kTagFloat && (bits == 32 || bits == 64);
  if (!pcm && !floats) {
    return {{},
            fmt::format(
                "WAV format {:#06x} with {} bits per sample, expected PCM or float", tag, bits)};
  }
  if (channels < 1 || channels > kMaxChannels) {
    return {{}, fmt::format("{} channels, expected 1 to {}", channels, kMaxChannels)};
  }
  if (rate < kMinSampleRate || rate > kMaxSampleRate) {
    return {{}, fmt::format("{} Hz, expected {} to {}", rate, kMinSampleRate, kMaxSampleRate)};
  }
  if (frame_bytes != channels * bits / 8) {
    return {
        {},
        fmt::format("{} bytes per frame, but {} channels of {} bits", frame_bytes, channels, bits)};
  }
  return {{floats, channels, rate, bits / 8}, ""};
}

float sample_at(std::string_view bytes, std::size_t at, const Layout& layout) {
  const std::uint64_t raw = number_at(bytes, at, layout.sample_bytes);
  if (layout.is_float) {
    if (layout.sample_bytes == 4) return std::bit_cast<float>(static_cast<std::uint32_t>(raw));
    return static_cast<float>(std::bit_cast<double>(raw));
  }
  if (layout.sample_bytes == 1) return (static_cast<float>(raw) - 128.0F) / 128.0F;
  // Shifted to the top of 32 bits, the sample's top bit becomes the sign.
  const std::size_t unused_bits = 32 - 8 * layout.sample_bytes;
  const auto value = static_cast<std::int32_t>(static_cast<std::uint32_t>(raw << unused_bits));
  return static_cast<float>(static_cast<double>(value) / 2147483648.0);
}

// True for mono 16-bit PCM, the format of nearly all speech corpora.
bool is_mono_pcm16(const Layout& layout) {
  return std::endian::native == std::endian::little && !layout.is_float && layout.channels == 1 &&
         layout.sample_bytes == 2;
}

// Fast path for mono 16-bit PCM; bit-identical to mixed_samples().
void mono_pcm16_samples(std::string_view bytes, std::vector<float>& samples) {
  samples.resize(bytes.size() / sizeof(std::int16_t));
  for (std::size_t i = 0; i < samples.size(); ++i) {
    std::int16_t value = 0;
    std::memcpy(&value, bytes.data() + i * sizeof value, sizeof value);
    samples[i] = static_cast<float>(value) / 32768.0F;
  }
}

// Decodes any supported layout and mixes the channels to their mean.
void mixed_samples(std::string_view bytes, const Layout& layout, std::vector<float>& samples) {
  samples.clear();
  samples.reserve(bytes.size() / layout.frame_bytes());
  for (std::size_t at = 0; at + layout.frame_bytes() <= bytes.size(); at += layout.frame_bytes()) {
    if (layout.channels == 1) {
      samples.push_back(sample_at(bytes, at, layout));
      continue;
    }
    double sum = 0.0;
    for (std::size_t c = 0; c < layout.channels; ++c) {
      sum += sample_at(bytes, at + c * layout.sample_bytes, layout);
    }
    samples.push_back(static_cast<float>(sum / static_cast<double>(layout.channels)));
  }
}

void refuse(DecodeResult& result, AudioFault fault, std::string detail) {
  result = {{}, fault, std::move(detail)};
}

}  // namespace

bool looks_like_wav(std::string_view bytes) {
  return bytes.size() >= kRiffHeaderBytes && bytes.starts_with("RIFF") &&
         bytes.substr(8, 4) == "WAVE";
}

void decode_wav(std::string_view bytes, double max_seconds, DecodeResult& result) {
  const Chunks chunks = find_chunks(bytes);
  if (!chunks.format) {
    return refuse(
        result, AudioFault::kTruncated, "the WAV file ends before its fmt chunk; copy it again");
  }
  const FormatChunk format = parse_format(*chunks.format);
  if (!format.refusal.empty()) {
    return refuse(result, AudioFault::kNotAudio, format.refusal + kConvertHint);
  }
  if (!chunks.data) {
    return refuse(
        result, AudioFault::kTruncated, "the WAV file ends before its data chunk; copy it again");
  }

  const Layout& layout = format.layout;
  const std::uint64_t stated = chunks.data_bytes / layout.frame_bytes();
  const std::size_t present = chunks.data->size() / layout.frame_bytes();
  const auto rate = static_cast<double>(layout.rate);

  result.fault = AudioFault::kNone;
  result.detail.clear();
  result.clip.sample_rate = static_cast<int>(layout.rate);
  result.clip.num_channels = static_cast<int>(layout.channels);
  result.clip.format = layout.name();
  if (static_cast<double>(present) / rate > max_seconds) {
    result.clip.samples.clear();
    result.fault = AudioFault::kTooLong;
    result.detail = too_long_detail(static_cast<double>(present) / rate, max_seconds);
    return;
  }
  if (is_mono_pcm16(layout)) {
    mono_pcm16_samples(*chunks.data, result.clip.samples);
  } else {
    mixed_samples(*chunks.data, layout, result.clip.samples);
  }
  if (present < stated) {
    result.fault = AudioFault::kTruncated;
    result.detail = truncated_detail(present, stated);
  }
}

}  // namespace myxtts::audio
