// Implements `myxtts bench speak`: the speed of end-to-end synthesis.
#pragma once

#include <string>
#include <vector>

#include "bench/bench_mel.h"

namespace myxtts::bench {

struct BenchSpeakArgs {
  std::string checkpoint;  // run folder or checkpoint
  std::string vocoder;     // as synthesis::SpeakRequest::vocoder
  std::string text = "The boat sailed away in the morning and came home.";
  int threads = 1;
  std::string precision = "fp32";  // or bf16
  bool json = false;
};

// Measures synthesis. "x real time" is seconds of audio per wall second:
//   speak_griffin_lim, speak_vocoder   text to the bytes of a WAV file, without cached phonemes
//   speak_text                         text front end alone, ms
//   speak_mel                          symbols to mel frames
//   speak_vocoder_only                 mel frames to samples
//   speak_first_audio                  ms from the call to the first 0.2 s of a stream
//   speak_load                         s to load voice and vocoder
// Each value is the fastest of several runs after a warm-up. speak_first_audio_slowest is the
// slowest of those runs. speak_first_audio_cold is the first call of the process.
std::vector<BenchResult> bench_speak(const BenchSpeakArgs& args);

}  // namespace myxtts::bench
