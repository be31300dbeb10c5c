// What there is to see and hear of a run: report.html in its folder, and parts of the demo's page.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "config/config.h"
#include "train/loss_curves.h"
#include "train/summary.h"

namespace xtts::train {

// Bytes of a picture or a sound of one step.
struct StepBytes {
  std::int64_t step = 0;
  std::string bytes;
};

// One sentence of training.text2audio_texts, as the voice said it over time.
struct SaidOverTime {
  std::string text;
  std::vector<StepBytes> wavs;
};

// One utterance that was held back, as a vocoder made it of its mel over time.
struct ResoundedOverTime {
  std::string recorded;  // WAV; empty: none
  std::vector<StepBytes> wavs;
};

// What a run folder shows.
struct RunStory {
  std::vector<LossCurve> losses;
  std::vector<StepBytes> alignments;  // of one utterance over time
  std::string recorded_mel;           // PNG; empty: none was drawn
  StepBytes spoken_mel;               // PNG, for the same text
  std::vector<SaidOverTime> said;
  std::vector<ResoundedOverTime> resounded;  // of a vocoder's run
};

// Reads metrics and samples of the run. What is not there is absent in the story; nothing is
// thrown for it.
RunStory read_run_story(const std::filesystem::path& run, const config::TrainingConfig& training);

// Loss curves, alignments and sounds over time; of the mel pictures the last pair. Sections without
// anything to show are left out.
std::string losses_section(const RunStory& story);
std::string alignments_section(const RunStory& story);
std::string mels_section(const RunStory& story);
std::string said_section(const RunStory& story);
std::string resounded_section(const RunStory& story);

// The whole page of a run.
std::string run_page(const RunStory& story, const TrainSummary& summary, const std::string& name);

}  // namespace xtts::train
