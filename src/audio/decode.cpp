#include "audio/decode.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "audio/decode_limits.h"
#include "audio/mp3_reader.h"
#include "audio/sndfile_reader.h"
#include "audio/wav_reader.h"

namespace myxtts::audio {
namespace {

// Names an unsupported format by its first bytes, or quotes the bytes.
std::string format_start(std::string_view bytes) {
  if (bytes.size() >= 8 && bytes.substr(4, 4) == "ftyp") return "MP4 or M4A";
  if (bytes.starts_with("FORM")) return "AIFF";
  if (bytes.starts_with("RF64") || bytes.starts_with("riff")) return "RF64 or W64";
  if (bytes.starts_with("\x1A\x45\xDF\xA3")) return "Matroska or WebM";
  if (bytes.starts_with("#!AMR")) return "AMR";
  if (bytes.starts_with("\xFF\xF1") || bytes.starts_with("\xFF\xF9")) return "AAC";

  std::string text;
  for (const char c : bytes.substr(0, 16))
    text += c >= ' ' && c <= '~' ? c : '.';
  return fmt::format("bytes that begin with \"{}\"", text);
}

DecodeResult decode_other(std::string_view bytes, double max_seconds) {
  if (bytes.empty()) return {{}, AudioFault::kEmpty, "0 bytes; record or copy the file again"};
  if (looks_like_flac_or_ogg(bytes)) return decode_flac_or_ogg(bytes, max_seconds);
  return {
      {},
      AudioFault::kNotAudio,
      fmt::format(
          "found {}, expected WAV, FLAC, OGG, Opus or MP3{}", format_start(bytes), kConvertHint)};
}

// Checks for the faults that any format can have, after a reader reported none.
void check_samples(DecodeResult& result) {
  const std::vector<float>& samples = result.clip.samples;
  // A non-finite float has an exponent of all ones; adding one carries into the sign bit. This sum
  // and "or" vectorise, unlike std::isfinite.
  constexpr std::uint32_t kExponent = 0x7F800000U;
  constexpr std::uint32_t kExponentUnit = 0x00800000U;
  constexpr std::uint32_t kSign = 0x80000000U;
  std::uint32_t carried = 0;
  for (const float sample : samples)
    carried |= (std::bit_cast<std::uint32_t>(sample) & kExponent) + kExponentUnit;
  if ((carried & kSign) != 0) {
    const auto bad = std::ranges::find_if(samples, [](float s) { return !std::isfinite(s); });
    result.fault = AudioFault::kNotFinite;
    result.detail = fmt::format("sample {} of {} is {}; export the recording again",
                                bad - samples.begin(),
                                samples.size(),
                                *bad);
  } else if (samples.empty()) {
    result.fault = AudioFault::kNoFrames;
    result.detail =
        fmt::format("a {} header without samples; record or export it again", result.clip.format);
  }
}

}  // namespace

std::string_view name_of(AudioFault fault) {
  switch (fault) {
    case AudioFault::kNone:
      return "none";
    case AudioFault::kEmpty:
      return "empty";
    case AudioFault::kNotAudio:
      return "not_audio";
    case AudioFault::kTruncated:
      return "truncated";
    case AudioFault::kNoFrames:
      return "no_frames";
    case AudioFault::kNotFinite:
      return "not_finite";
    case AudioFault::kTooLong:
      return "too_long";
  }
  return "unknown";
}

std::size_t frames_in(double seconds, int sample_rate) {
  constexpr double kMaxFrames = 1e12;  // keeps any number of seconds within an integer
  return static_cast<std::size_t>(std::clamp(seconds * sample_rate, 0.0, kMaxFrames));
}

std::string too_long_detail(double seconds, double max_seconds) {
  return fmt::format(
      "{:.1f} s or more, longer than {:g} s; cut it into shorter pieces", seconds, max_seconds);
}

std::string truncated_detail(std::uint64_t present, std::uint64_t stated) {
  return fmt::format("{} of {} samples present; copy or export the file again", present, stated);
}

void decode(std::string_view bytes, double max_seconds, DecodeResult& result) {
  if (looks_like_wav(bytes)) {
    decode_wav(bytes, max_seconds, result);
  } else if (looks_like_mp3(bytes)) {
    decode_mp3(bytes, max_seconds, result);
  } else {
    result = decode_other(bytes, max_seconds);
  }
  if (result.fault == AudioFault::kNone) check_samples(result);
}

DecodeResult decode(std::string_view bytes, double max_seconds) {
  DecodeResult result;
  decode(bytes, max_seconds, result);
  return result;
}

}  // namespace myxtts::audio
