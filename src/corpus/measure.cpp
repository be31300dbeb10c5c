#include "corpus/measure.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "audio/decode.h"
#include "audio/mel_spec.h"
#include "audio/prepare.h"
#include "audio/silences.h"
#include "corpus/for_each_utterance.h"
#include "corpus/load_recording.h"
#include "text/front_end.h"

namespace myxtts::corpus {
namespace {

// Settings of a measurement, derived from the configuration once.
struct MeasureSettings {
  audio::MelSpec spec;
  RecordingLimits limits;
};

MeasureSettings measure_settings_of(const config::Config& config) {
  MeasureSettings settings{.spec = audio::mel_spec_of(config),
                           .limits = recording_limits_of(config.data)};
  audio::validate(settings.spec);
  // Gains do not change the number of frames, and loudness measurement is expensive.
  settings.spec.normalize_audio = false;
  settings.spec.enable_loudness_normalization = false;
  return settings;
}

void measure_clip(const audio::AudioClip& clip,
                  const MeasureSettings& settings,
                  Measurement& measured) {
  constexpr float kFullScale = 0.999F;
  std::size_t num_clipped = 0;
  float peak = 0.0F;
  for (const float sample : clip.samples) {
    peak = std::max(peak, std::abs(sample));
    if (std::abs(sample) >= kFullScale) ++num_clipped;
  }
  measured.seconds = clip.seconds();
  measured.peak = peak;
  measured.clipped_share =
      static_cast<double>(num_clipped) / static_cast<double>(clip.samples.size());
  measured.longest_silence_s =
      audio::silences_in(clip.samples, clip.sample_rate, settings.spec.trim_top_db).longest_s;

  const std::size_t num_samples = audio::prepare(clip, settings.spec).size();
  measured.mel_length = audio::num_frames(settings.spec, num_samples);
  measured.speech_s = static_cast<double>(num_samples) / settings.spec.sample_rate;
}

Measurement measure(const Utterance& utterance,
                    const text::TextStages& stages,
                    const std::filesystem::path& root,
                    const MeasureSettings& settings) {
  Measurement measured;
  Recording recording = load_recording(utterance, root, settings.limits);
  if (recording.problem) {
    measured.problem = std::move(recording.problem);
    return measured;
  }
  measure_clip(recording.clip, settings, measured);
  measured.text_length = std::ssize(stages.ids);
  measured.dropped = stages.dropped;
  measured.problem = text_problem(utterance, stages, measured.mel_length, measured.speech_s);
  return measured;
}

}  // namespace

std::vector<Measurement> measure_corpus(const Corpus& corpus,
                                        const config::Config& config,
                                        int num_workers,
                                        const std::function<void(std::size_t)>& on_done) {
  text::FrontEnd front_end(text::text_settings_of(config));
  std::vector<Measurement> all(corpus.utterances.size());
  const auto measure_one = [settings = measure_settings_of(config), root = corpus.root, &all](
                               std::size_t i,
                               const Utterance& utterance,
                               const text::TextStages& stages) -> base::Completion {
    Measurement one = measure(utterance, stages, root, settings);
    return [one = std::move(one), i, &all]() mutable { all[i] = std::move(one); };
  };
  const auto on_timeout = [&all](std::size_t i, Problem problem) {
    all[i].problem = std::move(problem);
  };
  for_each_utterance(corpus,
                     front_end,
                     num_workers,
                     {.work = measure_one, .on_timeout = on_timeout, .on_done = on_done});
  return all;
}

}  // namespace myxtts::corpus
