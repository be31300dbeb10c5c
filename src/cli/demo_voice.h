// The second half of `myxtts demo`: a voice and its vocoder trained on its corpus, and heard.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "corpus/measure.h"
#include "corpus/reader.h"
#include "corpus/report.h"
#include "train/request.h"
#include "train/spoken_section.h"
#include "train/summary.h"

namespace xtts::cli {

struct TensorVerbs;

// Where the parts of a demo are.
struct DemoPlaces {
  explicit DemoPlaces(const std::filesystem::path& out)
      : corpus(out / "corpus"),
        run(out / "voice"),
        vocoder(run / "vocoder"),
        sentences(out / "sentences.txt"),
        recorded(out / "recorded"),
        spoken(out / "spoken"),
        spoken_griffin_lim(out / "spoken_griffin_lim"),
        page(out / "report.html") {}

  std::filesystem::path corpus;
  std::filesystem::path run;
  std::filesystem::path vocoder;             // where the run has it for its own
  std::filesystem::path sentences;           // the unseen ones, one per line
  std::filesystem::path recorded;            // 0001.wav and so on
  std::filesystem::path spoken;              // likewise
  std::filesystem::path spoken_griffin_lim;  // likewise, without the vocoder
  std::filesystem::path page;
};

struct UnseenSentence {
  train::SpokenSentence sentence;
  std::string speaker;
};

// What was trained and heard; the sentences are empty where none were held back.
struct TrainedVoice {
  std::vector<UnseenSentence> unseen;
  config::Config config;
  train::TrainSummary summary;
  train::TrainSummary vocoder_summary;
};

// The minutes of a demo are shared: the words take the voice longer than the sound takes the
// vocoder.
constexpr double kVoiceShare = 2.0 / 3.0;

// At most five utterances that were held back, from a short one to a longer one. Writes
// places.sentences and places.recorded. Throws UserError if a file cannot be read or written.
std::vector<UnseenSentence> take_unseen(const corpus::Corpus& held_back,
                                        std::span<const corpus::Measured> measured,
                                        const config::Config& config,
                                        const DemoPlaces& places);

// What the voice is trained with: `tiny`, for `minutes` of steps, with a picture every 25 steps:
// two cores make a few hundred in five minutes. A run that is there goes on.
train::TrainRequest demo_training(const DemoPlaces& places,
                                  const std::string& language,
                                  double minutes,
                                  int num_workers,
                                  const std::vector<UnseenSentence>& unseen);

// The vocoder that goes with it, likewise.
train::TrainRequest demo_vocoder_training(const DemoPlaces& places,
                                          const std::string& language,
                                          double minutes,
                                          int num_workers);

// Speaks them with the newest saves of voice and vocoder, and once more by Griffin-Lim. `on_done()`
// after each. Throws UserError.
void speak_unseen(std::vector<UnseenSentence>& unseen,
                  const TensorVerbs& verbs,
                  int num_threads,
                  const DemoPlaces& places,
                  const config::Config& config,
                  const std::function<void()>& on_done);

// What the page says about the voice.
void describe_voice(const TrainedVoice& voice,
                    const DemoPlaces& places,
                    corpus::DemoReport& report);

// The sentences alone, for those who judge them.
std::vector<train::SpokenSentence> sentences_of(const std::vector<UnseenSentence>& unseen);

}  // namespace xtts::cli
