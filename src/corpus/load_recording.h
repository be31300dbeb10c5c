// Loads the recording of an utterance and reports why it cannot be used.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>

#include "audio/decode.h"
#include "base/files.h"
#include "config/data_config.h"
#include "corpus/utterance.h"
#include "text/front_end.h"

namespace myxtts::corpus {

// Maximum file size. 30 s of 8 channels at 192 kHz with 32 bits take 184 MB.
inline constexpr std::size_t kMaxAudioBytes = std::size_t{256} << 20U;

// Default timeout for reading one recording.
inline constexpr std::chrono::milliseconds kReadTimeout{3000};

// Limits on the duration of a recording before trimming.
struct RecordingLimits {
  double min_seconds = 0.0;
  double max_seconds = 0.0;
};

RecordingLimits recording_limits_of(const config::DataConfig& config);

struct Recording {
  audio::AudioClip clip;           // empty if there is a problem
  std::optional<Problem> problem;  // why it cannot be used
};

// Reads and decodes the recording of an utterance below `root`. Corpus checks and training both use
// it, so a check predicts what training skips. Never throws because of file content. Thread-safe.
Recording load_recording(const Utterance& utterance,
                         const std::filesystem::path& root,
                         const RecordingLimits& limits);

// Decodes a file that has been read, reusing the memory of `decoded`. Without a problem,
// `decoded.clip` is the recording.
std::optional<Problem> decode_recording(const Utterance& utterance,
                                        const std::filesystem::path& path,
                                        const base::ReadResult& file,
                                        const RecordingLimits& limits,
                                        audio::DecodeResult& decoded);

// Returns the problem of a recording whose read exceeded the timeout.
Problem timeout_problem(const Utterance& utterance, std::chrono::duration<double> timeout);

// Returns the problem of a recording that is too short or too long, else nullopt.
std::optional<Problem> length_problem(const Utterance& utterance,
                                      double seconds,
                                      const RecordingLimits& limits);

// Returns the problem of a text without symbols, or with more symbols than the recording has mel
// frames (no alignment exists), else nullopt. `speech_s` is the duration after trimming.
std::optional<Problem> text_problem(const Utterance& utterance,
                                    const text::TextStages& stages,
                                    std::int64_t mel_length,
                                    double speech_s);

}  // namespace myxtts::corpus
