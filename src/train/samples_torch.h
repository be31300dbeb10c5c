#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <set>

#include "audio/mel_spec.h"
#include "config/training_config.h"
#include "model/acoustic_model_torch.h"
#include "model/vocoder_torch.h"
#include "pipeline/features.h"
#include "step/flat_optimizer_torch.h"
#include "text/front_end.h"
#include "train/event_file.h"

namespace xtts::train {

// What samples are made of; all borrowed.
struct SampleSources {
  model::AcousticModel& model;
  const step::FlatOptimizer& optimizer;
  text::FrontEnd& front_end;
  const audio::MelSpec& contract;
  const config::TrainingConfig& training;
  const pipeline::FeatureSet& features;  // the utterances that are drawn: validation, else training
  const torch::Tensor voice;             // [V] that sentences are spoken with
  std::int64_t reference_frames = 0;
  std::int64_t step = 0;
};

// Speaks training.text2audio_texts into RUN/samples/step_00000500_1.wav and the event file, with
// the averaged weights. Uses no random numbers of the training.
void speak_samples(const SampleSources& sources,
                   const std::filesystem::path& run,
                   EventFile& events);

// Draws a few utterances into RUN/samples and the event file: the recorded mel, the one that the
// model speaks for its text, and the alignment; that also as numbers, in
// step_00000500_1_alignment.json:
// {"id", "text", "frame_s", "symbols": [T], "frames": [T] of each symbol}. One that can no longer
// be read is said, joins `lost`, and is not drawn from then on.
void draw_samples(const SampleSources& sources,
                  const std::filesystem::path& run,
                  EventFile& events,
                  std::set<std::size_t>& lost);

// What samples of a vocoder are made of; all borrowed.
struct AudioSources {
  model::Vocoder& vocoder;
  const step::FlatOptimizer& optimizer;
  const audio::MelSpec& contract;
  const config::TrainingConfig& training;
  const pipeline::FeatureSet& features;  // with sounds
  std::int64_t step = 0;
};

// A few utterances as the vocoder makes them of their mels, into
// RUN/samples/step_00000500_1_vocoder.wav and the event file, and once as they were recorded, into
// step_00000000_1_recorded.wav. Who can no longer be read is treated as by draw_samples().
void resound_samples(const AudioSources& sources,
                     const std::filesystem::path& run,
                     EventFile& events,
                     std::set<std::size_t>& lost);

}  // namespace xtts::train
