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

namespace xtts::corpus {

// Of a recording: 30 s of eight channels at 192 kHz in 32 bits, with room to spare.
inline constexpr std::size_t kMaxAudioBytes = std::size_t{256} << 20U;

// How long reading one may take that neither ends nor fails, before it is given up.
inline constexpr std::chrono::milliseconds kReadTimeout{3000};

// How long a recording may be, before trimming.
struct RecordingLimits {
  double min_seconds = 0.0;
  double max_seconds = 0.0;
};

RecordingLimits recording_limits_of(const config::DataConfig& config);

struct Recording {
  audio::AudioClip sound;          // empty if there is a problem
  std::optional<Problem> problem;  // why it cannot be used
};

// Reads and decodes the recording of an utterance below `root`. The check of a corpus and the
// loader of a training both use it, so that the one says what the other will do. Never throws for
// what lies on the disk. Thread-safe.
Recording load_recording(const Utterance& utterance,
                         const std::filesystem::path& root,
                         const RecordingLimits& limits);

// The same for a file that was read already, into memory that is used again: `decoded.sound` is the
// recording unless there is a problem.
std::optional<Problem> decode_recording(const Utterance& utterance,
                                        const std::filesystem::path& path,
                                        const base::ReadResult& file,
                                        const RecordingLimits& limits,
                                        audio::DecodeResult& decoded);

// Why a recording cannot be used whose read has not ended within the patience.
Problem stuck_problem(const Utterance& utterance, std::chrono::duration<double> patience);

// Why a recording of so many seconds, as decoded, cannot be used.
std::optional<Problem> length_problem(const Utterance& utterance,
                                      double seconds,
                                      const RecordingLimits& limits);

// Why the text cannot be used with a recording of so many mel frames, `speech_s` seconds after
// trimming: it cannot be spoken, or has more symbols than there are frames, so that no alignment
// exists.
std::optional<Problem> text_problem(const Utterance& utterance,
                                    const text::TextStages& stages,
                                    std::int64_t mel_length,
                                    double speech_s);

}  // namespace xtts::corpus
