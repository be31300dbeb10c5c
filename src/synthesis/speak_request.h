// Request and result of speech synthesis.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "audio/audio_stats.h"

namespace myxtts::synthesis {

// One text and its output file.
struct SpeakTask {
  std::string text;
  std::size_t line = 0;       // of the text file, from 1; 0: not from a file
  std::filesystem::path out;  // empty when streaming
};

// A sentence that was skipped, and why.
struct UnspokenSentence {
  std::string text;
  std::string fault;
};

struct SpokenFile {
  std::string path;
  double audio_s = 0.0;
  double wall_s = 0.0;  // from the text to the written file
  audio::AudioStats stats = {};
  // Whether the audio statistics are those of recorded speech; absent: not measurable.
  std::optional<bool> like_recordings = {};
  std::vector<std::string> dropped = {};  // characters without a symbol
  std::vector<UnspokenSentence> skipped = {};
};

// A text that could not be synthesised, and why.
struct UnspokenText {
  std::size_t line = 0;  // as in SpeakTask
  std::string fault;
  std::vector<std::string> dropped = {};
};

struct SpeakRequest {
  std::string checkpoint;    // run folder or checkpoint
  std::string reference;     // reference recording; empty: none
  std::string speaker;       // of the training corpus; empty: the first
  std::string vocoder = {};  // run folder, checkpoint or "griffin-lim"; empty: the run's, if any
  double speed = 1.0;
  std::optional<double> loudness_lufs = -23.0;  // absent: not normalised
  std::optional<double> postfilter = {};        // strength; absent: default of the decoder
  std::uint64_t seed = 1;
  bool in_bf16 = false;
  int num_threads = 1;
  std::vector<SpeakTask> tasks;
  std::function<void(const SpokenFile&)> on_file;  // called after each written file
  // If set, receives the samples as a stream at the sample rate of the voice; no files are written.
  std::function<void(std::span<const float> samples, int sample_rate)> on_samples = {};
};

struct SpeakResult {
  std::vector<SpokenFile> files;       // in the order of the tasks
  std::vector<UnspokenText> unspoken;  // tasks without a file
  std::string checkpoint;              // folder of the voice's checkpoint
  std::string speaker;                 // "" for a reference or an unnamed speaker
  std::string vocoder = {};            // folder of its checkpoint, or "griffin-lim"

  // Returns wall seconds per second of audio; 0 without audio.
  double real_time_factor() const;
};

// Returns true for "bf16", false for "fp32". Throws UsageError for other values of --precision.
bool is_bf16(const std::string& precision);

// Loads the voice once and synthesises every task to files or as a stream. A text that cannot be
// synthesised does not stop the others. Logs characters without a symbol, skipped sentences and
// audio unlike recorded speech. Throws UsageError for a missing checkpoint, vocoder, reference or
// speaker, UserError for an unusable one or a file that cannot be written. Needs LibTorch.
SpeakResult speak(const SpeakRequest& request);

}  // namespace myxtts::synthesis
