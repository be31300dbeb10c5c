// What `myxtts bench speak` measures: a text to sound, with the vocoder and with Griffin-Lim.
#pragma once

#include <string>
#include <vector>

#include "cli/bench_mel.h"

namespace xtts::cli {

struct BenchSpeakArgs {
  std::string checkpoint;  // RUN or one save
  std::string vocoder;     // as SpeakRequest::vocoder
  std::string text = "The boat sailed away in the morning and came home.";
  int threads = 1;
  std::string precision = "fp32";  // or bf16
  bool json = false;
};

// "x real time" is seconds of sound per second of work. speak_griffin_lim and, where there is a
// vocoder, speak_vocoder: from the text to the bytes of a WAV file, pronounced by espeak-ng
// anew; speak_text, the share of the text alone in ms; speak_mel and speak_vocoder_only: symbols to
// mel frames and mel frames to samples; speak_first_audio: ms from the call to the first 0.2 s of a
// stream; speak_load: s to read voice and vocoder. The fastest of several runs each, the first one
// not counted; speak_first_audio_slowest is the slowest of those runs, speak_first_audio_cold the
// first call of all, before anything else has been computed.
std::vector<BenchResult> bench_speak(const BenchSpeakArgs& args);

}  // namespace xtts::cli
