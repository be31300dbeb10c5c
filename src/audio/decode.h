// Decodes WAV, FLAC, OGG and MP3 files from memory.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace myxtts::audio {

// A decoded recording, mixed down to one channel at its stored sample rate.
struct AudioClip {
  int sample_rate = 0;         // Hz
  int num_channels = 0;        // of the file; `samples` is their mean
  std::string format;          // "wav pcm16", "flac pcm16", "ogg opus", "mp3", ...
  std::vector<float> samples;  // 1.0 is full scale

  double seconds() const {
    return sample_rate > 0 ? static_cast<double>(samples.size()) / sample_rate : 0.0;
  }
};

// Reasons why bytes cannot be used as a recording; `corpus check` reports them by name.
enum class AudioFault { kNone, kEmpty, kNotAudio, kTruncated, kNoFrames, kNotFinite, kTooLong };

// "none", "empty", "not_audio", "truncated", "no_frames", "not_finite", "too_long".
std::string_view name_of(AudioFault fault);

struct DecodeResult {
  AudioClip clip;  // with a fault: the part decoded before it, possibly empty
  AudioFault fault = AudioFault::kNone;
  std::string detail;  // what was found and what to do; empty without a fault

  bool ok() const { return fault == AudioFault::kNone; }
};

// Decodes WAV, FLAC, OGG (Vorbis, Opus) or MP3 from memory.
//
// Reports invalid bytes as a fault and never throws for them. Sizes in headers are not trusted:
// memory grows with the decoded samples. An uncompressed file needs at most 4 x bytes.size() (one
// byte of 8-bit PCM becomes one float), a compressed one at most 3 x max_seconds of float samples
// (while a growing array is copied); the decoder itself needs 16 MiB. Thread-safe.
DecodeResult decode(std::string_view bytes, double max_seconds);
// Decodes into `result` and reuses its sample memory for WAV and MP3.
void decode(std::string_view bytes, double max_seconds, DecodeResult& result);

}  // namespace myxtts::audio
