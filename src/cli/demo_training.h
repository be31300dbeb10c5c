// Trains the voice and the vocoder of `myxtts demo` and synthesises held-out sentences.
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
#include "train/summary.h"
#include "train/synthesis_section.h"

namespace myxtts::api {
struct TorchCommands;
}

namespace myxtts::cli {

// Paths of the files of a demo.
struct DemoPaths {
  explicit DemoPaths(const std::filesystem::path& out)
      : corpus(out / "corpus"),
        run(out / "voice"),
        vocoder(run / "vocoder"),
        sentences(out / "sentences.txt"),
        recorded(out / "recorded"),
        spoken(out / "spoken"),
        spoken_griffin_lim(out / "spoken_griffin_lim"),
        report(out / "report.html") {}

  std::filesystem::path corpus;
  std::filesystem::path run;
  std::filesystem::path vocoder;             // the run's own vocoder folder
  std::filesystem::path sentences;           // held-out sentences, one per line
  std::filesystem::path recorded;            // recordings 0001.wav, 0002.wav, ...
  std::filesystem::path spoken;              // synthesised with the vocoder
  std::filesystem::path spoken_griffin_lim;  // synthesised with Griffin-Lim
  std::filesystem::path report;
};

struct HeldOutSentence {
  train::SynthesisedSentence sentence;
  std::string speaker;
};

// The result of both training runs. `held_out` is empty if the corpus has no validation split.
struct TrainedVoice {
  std::vector<HeldOutSentence> held_out;
  config::Config config;
  train::TrainSummary summary;
  train::TrainSummary vocoder_summary;
};

// Share of the training time that the acoustic model gets; the vocoder gets the rest.
constexpr double kVoiceShare = 2.0 / 3.0;

// Selects at most five validation utterances of increasing length. Writes paths.sentences and
// paths.recorded. Throws UserError if a file cannot be read or written.
std::vector<HeldOutSentence> select_held_out(const corpus::Corpus& validation,
                                             std::span<const corpus::Measurement> measured,
                                             const config::Config& config,
                                             const DemoPaths& paths);

// Returns the training request of the acoustic model: size `tiny`, `minutes` of steps, an image
// every 25 steps (two cores do a few hundred steps in five minutes). Resumes an existing run.
train::TrainRequest demo_training(const DemoPaths& paths,
                                  const std::string& language,
                                  double minutes,
                                  int num_workers,
                                  const std::vector<HeldOutSentence>& held_out);

// Returns the training request of the vocoder. Resumes an existing run.
train::TrainRequest demo_vocoder_training(const DemoPaths& paths,
                                          const std::string& language,
                                          double minutes,
                                          int num_workers);

// Synthesises each sentence with the newest checkpoints of voice and vocoder and with Griffin-Lim.
// Calls `on_done()` after each sentence. Throws UserError.
void synthesise_held_out(std::vector<HeldOutSentence>& held_out,
                         const api::TorchCommands& torch,
                         int num_threads,
                         const DemoPaths& paths,
                         const config::Config& config,
                         const std::function<void()>& on_done);

// Adds the figures and sections about the voice to the report.
void add_voice_sections(const TrainedVoice& voice,
                        const DemoPaths& paths,
                        corpus::DemoReport& report);

// Returns the sentences without their speakers.
std::vector<train::SynthesisedSentence> sentences_of(const std::vector<HeldOutSentence>& held_out);

}  // namespace myxtts::cli
