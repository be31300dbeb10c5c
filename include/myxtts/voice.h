// Text-to-speech with a trained voice.
//
//   myxtts::Voice voice = myxtts::Voice::open("runs/voice");
//   const myxtts::Speech speech = voice.speak("Good morning.");
//   // speech.samples at voice.sample_rate() Hz
//
// Link with myxtts::myxtts (libmyxtts.so). Opening takes about half a second, the first call in a
// process 0.2 s more, because LibTorch is loaded.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <myxtts/error.h>

namespace myxtts {

struct VoiceOptions {
  // Vocoder: a run folder or checkpoint of `myxtts train-vocoder`, or "griffin-lim". Empty: the
  // vocoder in the voice's folder, else Griffin-Lim.
  std::string vocoder = {};
  // Threads of LibTorch in this process; 0: unchanged, by default one per core.
  int num_threads = 0;
  // Computes in bfloat16, which is faster on processors with bfloat16 instructions.
  bool bf16 = false;
};

struct SpeakOptions {
  double speed = 1.0;      // speaking rate, 0.5 to 2
  std::uint64_t seed = 1;  // of Griffin-Lim's phases and of a flow decoder's noise
  // Loudness of the result in LUFS (EBU R 128), -60 to -5; absent: not normalised. Streams are
  // never normalised.
  std::optional<double> loudness_lufs = -23.0;
};

// A spoken word, in seconds from the first sample. Words that are pronounced as one ("of the") are
// one entry.
struct Word {
  std::string text;  // as spoken: "$5" has the words "five" and "dollars"
  double start_s = 0.0;
  double end_s = 0.0;
};

struct Speech {
  std::vector<float> samples;         // mono, -1 to 1; empty for a stream
  std::vector<Word> words;            // in the order of the text
  std::vector<std::string> warnings;  // characters without a symbol and skipped sentences
};

// A voice that speaks texts.
//
// A Voice owns its model; nothing it returns refers to it. It may be moved, not copied. One thread
// at a time may use it; different voices may be used by different threads. The text front end
// starts espeak-ng as a child process, which ends with the Voice. Nothing is printed, and signals
// are not touched.
class Voice {
 public:
  // Opens a run folder, one checkpoint, or a folder of `myxtts export`. Throws UsageError if there
  // is none, UserError if it is damaged or espeak-ng is missing.
  static Voice open(const std::string& folder, const VoiceOptions& options = {});

  Voice(Voice&& other) noexcept;
  Voice& operator=(Voice&& other) noexcept;
  ~Voice();

  int sample_rate() const;  // Hz
  // Returns the speakers of the training corpus, sorted; one empty name if the corpus names none.
  const std::vector<std::string>& speakers() const;

  // Selects who speaks: a speaker of speakers(), at first the first one. Throws UsageError with the
  // nearest name if there is no such speaker.
  void set_speaker(const std::string& name);
  // Clones the voice of a recording of a few seconds (at most 300 s). Throws UsageError if the file
  // is missing, UserError if it is not audio, silent or too short.
  void set_reference(const std::string& audio_file);
  // Clones the voice of mono samples, which are not kept.
  void set_reference(std::span<const float> samples, int sample_rate);

  // Speaks a UTF-8 text of at most 4,096 characters, sentence by sentence. Deterministic for equal
  // voice, options and number of threads. Throws UsageError if the text has nothing to speak or an
  // option is out of range.
  Speech speak(const std::string& text, const SpeakOptions& options = {});

  // Like speak(), but passes the samples on in blocks as soon as they are computed: with a vocoder
  // the first after 0.2 s of audio. `on_samples` runs on the calling thread; the samples are valid
  // during the call. It returns false to stop. Exceptions that it throws are passed on.
  Speech stream(const std::string& text,
                const SpeakOptions& options,
                const std::function<bool(std::span<const float> samples)>& on_samples);

 private:
  struct Impl;
  explicit Voice(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace myxtts
