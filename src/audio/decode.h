#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace xtts::audio {

// A decoded recording, mixed down to one channel, at the rate it was stored with.
struct AudioClip {
  int sample_rate = 0;         // Hz
  int num_channels = 0;        // of the file; `samples` is their mean
  std::string format;          // "wav pcm16", "flac pcm16", "ogg opus", "mp3", ...
  std::vector<float> samples;  // 1.0 is full scale

  double seconds() const {
    return sample_rate > 0 ? static_cast<double>(samples.size()) / sample_rate : 0.0;
  }
};

// Why bytes are no usable recording. Each is a reason of its own in `corpus check`.
enum class AudioFault { kNone, kEmpty, kNotAudio, kTruncated, kNoFrames, kNotFinite, kTooLong };

// "none", "empty", "not_audio", "truncated", "no_frames", "not_finite", "too_long".
std::string_view name_of(AudioFault fault);

struct DecodeResult {
  AudioClip sound;  // of a faulty file: what could be decoded before the fault, perhaps nothing
  AudioFault fault = AudioFault::kNone;
  std::string detail;  // what was found and what to do about it; empty when fault is kNone

  bool ok() const { return fault == AudioFault::kNone; }
};

// Decodes WAV, FLAC, OGG (Vorbis, Opus) or MP3 from memory.
//
// Never throws for what the bytes hold: the fault says it. Believes no header: memory grows with
// what was decoded, never with what was promised. An uncompressed file needs at most 4 x
// bytes.size() (one byte of 8-bit PCM becomes one float); a compressed one at most 3 x max_seconds
// of float samples, while a growing array is copied; and either 16 MiB for the decoder itself.
// Thread-safe.
DecodeResult decode(std::string_view bytes, double max_seconds);
// The same; samples of WAV and MP3 go into memory that the result has already.
void decode(std::string_view bytes, double max_seconds, DecodeResult& result);

}  // namespace xtts::audio
