#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <set>

#include "audio/mel_spec.h"
#include "config/training_config.h"
#include "data/features.h"
#include "model/acoustic_model_torch.h"
#include "model/vocoder_torch.h"
#include "step/flat_optimizer_torch.h"
#include "text/front_end.h"
#include "train/event_file.h"

namespace myxtts::train {

// Writes samples of a model during training: audio, mels and alignments.

// The inputs of a voice's samples; all borrowed.
struct SampleSources {
  model::AcousticModel& model;
  const step::FlatOptimizer& optimizer;
  text::FrontEnd& front_end;
  const audio::MelSpec& mel_spec;
  const config::TrainingConfig& training;
  const data::FeatureSet& features;  // utterances to plot: validation, else training set
  const torch::Tensor voice;         // [V] speaker embedding of the synthesis
  std::int64_t reference_frames = 0;
  std::int64_t step = 0;
};

// Synthesises training.text2audio_texts to RUN/samples/step_00000500_1.wav and the event file, with
// the EMA weights. Does not change the random generator of the training.
void synthesise_samples(const SampleSources& sources,
                        const std::filesystem::path& run,
                        EventFile& events);

// Plots a few utterances to RUN/samples and the event file: the recorded mel, the mel synthesised
// from the same text, and the alignment. Also writes the alignment as numbers to
// step_00000500_1_alignment.json: {"id", "text", "frame_s", "symbols": [T], "frames": [T]}. Logs an
// unreadable utterance, adds it to `unreadable`, and skips it from then on.
void plot_samples(const SampleSources& sources,
                  const std::filesystem::path& run,
                  EventFile& events,
                  std::set<std::size_t>& unreadable);

// The inputs of a vocoder's samples; all borrowed.
struct VocoderSampleSources {
  model::Vocoder& vocoder;
  const step::FlatOptimizer& optimizer;
  const audio::MelSpec& mel_spec;
  const config::TrainingConfig& training;
  const data::FeatureSet& features;  // with waveforms
  std::int64_t step = 0;
};

// Vocodes the mels of a few utterances to RUN/samples/step_00000500_1_vocoder.wav and the event
// file, and writes their recordings once to step_00000000_1_recorded.wav. Handles unreadable
// utterances like plot_samples().
void vocode_samples(const VocoderSampleSources& sources,
                    const std::filesystem::path& run,
                    EventFile& events,
                    std::set<std::size_t>& unreadable);

}  // namespace myxtts::train
