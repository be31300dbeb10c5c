#include "corpus/load_recording.h"

#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/files.h"
#include "corpus/reasons.h"

namespace myxtts::corpus {
namespace {

// Longest part of a name in a message, in bytes.
constexpr std::size_t kMaxNameBytes = 400;

std::string_view reason_of(audio::AudioFault fault) {
  return fault == audio::AudioFault::kNotFinite ? "nan_samples" : audio::name_of(fault);
}

std::string_view reason_of(base::FileFault fault, const std::filesystem::path& path) {
  std::error_code ignored;
  const bool fifo =
      fault == base::FileFault::kNotRegular &&
      std::filesystem::status(path, ignored).type() == std::filesystem::file_type::fifo;
  return fifo ? "fifo" : base::name_of(fault);
}

Problem problem_of(const Utterance& utterance, std::string_view reason, std::string detail) {
  return make_problem(
      printable(utterance.id, kMaxNameBytes), reason, std::move(detail), utterance.line);
}

Problem recording_problem(const Utterance& utterance,
                          std::string_view reason,
                          const std::string& detail) {
  const std::string name = printable(utterance.audio.string(), kMaxNameBytes);
  return problem_of(utterance, reason, fmt::format("{}: {}", name, detail));
}

}  // namespace

RecordingLimits recording_limits_of(const config::DataConfig& config) {
  return {.min_seconds = config.min_audio_length, .max_seconds = config.max_audio_length};
}

Recording load_recording(const Utterance& utterance,
                         const std::filesystem::path& root,
                         const RecordingLimits& limits) {
  const std::filesystem::path path = root / utterance.audio;
  audio::DecodeResult decoded;
  std::optional<Problem> problem = decode_recording(
      utterance, path, base::read_regular_file(path, kMaxAudioBytes), limits, decoded);
  if (problem) return {.clip = {}, .problem = std::move(problem)};
  return {.clip = std::move(decoded.clip), .problem = std::nullopt};
}

std::optional<Problem> decode_recording(const Utterance& utterance,
                                        const std::filesystem::path& path,
                                        const base::ReadResult& file,
                                        const RecordingLimits& limits,
                                        audio::DecodeResult& decoded) {
  if (file.fault != base::FileFault::kNone) {
    return recording_problem(utterance, reason_of(file.fault, path), file.detail);
  }
  audio::decode(file.bytes, limits.max_seconds, decoded);
  if (!decoded.ok()) return recording_problem(utterance, reason_of(decoded.fault), decoded.detail);
  return length_problem(utterance, decoded.clip.seconds(), limits);
}

Problem timeout_problem(const Utterance& utterance, std::chrono::duration<double> timeout) {
  return recording_problem(
      utterance, "stuck", fmt::format("reading it did not end within {:.1f} s", timeout.count()));
}

std::optional<Problem> length_problem(const Utterance& utterance,
                                      double seconds,
                                      const RecordingLimits& limits) {
  if (seconds < limits.min_seconds) {
    return recording_problem(
        utterance,
        "too_short",
        fmt::format("{:.3f} s, expected at least {} s", seconds, limits.min_seconds));
  }
  if (seconds > limits.max_seconds) {
    return recording_problem(
        utterance,
        "too_long",
        fmt::format("{:.1f} s, expected at most {} s", seconds, limits.max_seconds));
  }
  return std::nullopt;
}

std::optional<Problem> text_problem(const Utterance& utterance,
                                    const text::TextStages& stages,
                                    std::int64_t mel_length,
                                    double speech_s) {
  if (!stages.fault.empty()) return problem_of(utterance, "unspeakable_text", stages.fault);
  if (std::ssize(stages.ids) > mel_length) {
    return problem_of(utterance,
                      "more_symbols_than_frames",
                      fmt::format("{} symbols in {} frames ({:.2f} s after trimming)",
                                  stages.ids.size(),
                                  mel_length,
                                  speech_s));
  }
  return std::nullopt;
}

}  // namespace myxtts::corpus
