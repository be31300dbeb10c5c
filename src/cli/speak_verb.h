// What `myxtts speak` asks of libmyxtts_torch.so, and what it answers.
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

namespace xtts::cli {

// One text and the file that its sound is written to.
struct SpeakTask {
  std::string text;
  std::size_t line = 0;       // of the text file, 1 for the first; 0: it came from nowhere
  std::filesystem::path out;  // none if the sound goes elsewhere
};

// A sentence that was left out of a text, and why.
struct UnspokenSentence {
  std::string text;
  std::string fault;
};

struct SpokenFile {
  std::string path;
  double audio_s = 0.0;
  double wall_s = 0.0;  // from the text to the written file
  audio::AudioStats facts = {};
  // Absent: too little sound to tell, or no band to tell by.
  std::optional<bool> like_recordings = {};
  std::vector<std::string> dropped = {};  // characters that nothing speaks
  std::vector<UnspokenSentence> left_out = {};
};

// A text that could not be spoken, and why.
struct UnspokenText {
  std::size_t line = 0;  // as in SpeakTask
  std::string fault;
  std::vector<std::string> dropped = {};
};

struct SpeakRequest {
  std::string checkpoint;    // RUN or one save
  std::string reference;     // a recording; empty: none
  std::string speaker;       // of the training; empty: the first
  std::string vocoder = {};  // its RUN or save, or "griffin-lim"; empty: that of the run, if any
  double speed = 1.0;
  std::optional<double> loudness_lufs = -23.0;  // absent: as the model says it
  std::optional<double> sharpness = {};         // absent: what its decoder needs
  std::uint64_t seed = 1;
  bool in_bf16 = false;
  int num_threads = 1;
  std::vector<SpeakTask> tasks;
  std::function<void(const SpokenFile&)> on_file;  // told of each file when it is written
  // Given: no files, but the sound in parts as soon as they are made, at the rate of the voice.
  std::function<void(std::span<const float> samples, int sample_rate)> on_sound = {};
};

struct SpeakAnswer {
  std::vector<SpokenFile> files;       // in the order of the tasks
  std::vector<UnspokenText> unspoken;  // the others
  std::string save;                    // the folder of the save that spoke
  std::string speaker;                 // "" for a reference, or a speaker without a name
  std::string vocoder = {};            // the folder of its save, or "griffin-lim"

  // Seconds of work per second of sound; 0 without sound.
  double real_time_factor() const;
};

// Loads the voice once and speaks every task, into files or as a stream; a text that cannot be
// spoken does not keep the others from it. Says on standard error which characters nothing speaks,
// which sentences are left out and which sounds are not like recordings. Throws UsageError for a
// save, vocoder, reference or speaker that is not there, UserError for one that cannot be used or a
// file that cannot be written. Lives in libmyxtts_torch.so.
SpeakAnswer speak(const SpeakRequest& request);

}  // namespace xtts::cli
