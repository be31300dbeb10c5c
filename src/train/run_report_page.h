// Renders the HTML report of a run (report.html) and sections of the demo page.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "config/config.h"
#include "train/loss_curves.h"
#include "train/summary.h"

namespace myxtts::train {

// An image or audio file of one step.
struct StepSample {
  std::int64_t step = 0;
  std::string bytes;
};

// One sentence of training.text2audio_texts, synthesised at several steps.
struct SentenceSamples {
  std::string text;
  std::vector<StepSample> wavs;
};

// One held-out utterance, vocoded from its mel at several steps.
struct VocoderSamples {
  std::string recorded;  // WAV; empty: none
  std::vector<StepSample> wavs;
};

// The content of the report, read from a run folder.
struct ReportContent {
  std::vector<LossCurve> losses;
  std::vector<StepSample> alignments;  // of one utterance at several steps
  std::string recorded_mel;            // PNG; empty: none
  StepSample synthesised_mel;          // PNG, of the same text
  std::vector<SentenceSamples> sentences;
  std::vector<VocoderSamples> vocoder;  // of a vocoder run
};

// Reads metrics and samples of the run. Missing files are absent in the content; never throws for
// them.
ReportContent read_report_content(const std::filesystem::path& run,
                                  const config::TrainingConfig& training);

// Each function renders one section: loss curves, alignments at several steps, the last pair of
// mels, audio samples at several steps. Returns an empty string if there is nothing to show.
std::string losses_section(const ReportContent& content);
std::string alignments_section(const ReportContent& content);
std::string mels_section(const ReportContent& content);
std::string sentence_samples_section(const ReportContent& content);
std::string vocoder_samples_section(const ReportContent& content);

// Renders the complete page.
std::string run_report_page(const ReportContent& content,
                            const TrainSummary& summary,
                            const std::string& name);

}  // namespace myxtts::train
