#include "train/samples_torch.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "audio/mel_picture.h"
#include "audio/wav.h"
#include "base/error.h"
#include "base/files.h"
#include "base/printable.h"
#include "base/terminal.h"
#include "data/batch_sampler.h"
#include "data/epoch_order.h"
#include "data/timeout_store.h"
#include "synthesis/synthesiser_torch.h"
#include "train/alignment_picture.h"
#include "train/run_samples.h"

namespace myxtts::train {
namespace {

struct PngSize {
  int width = 0;
  int height = 0;
};

// Reads the size from a PNG header: two big-endian numbers at byte 16.
PngSize png_size(const std::string& png) {
  const auto number = [&png](std::size_t at) {
    int value = 0;
    for (std::size_t i = 0; i < 4; ++i)
      value = value * 256 + static_cast<unsigned char>(png[at + i]);
    return value;
  };
  return {number(16), number(20)};
}

// Logs a sample that cannot be written or synthesised; it never stops the training.
template <typename Work>
void attempt(const char* what, const Work& work) {
  try {
    work();
  } catch (const UserError& error) {
    base::log("[train] no {}: {}\n", what, error.what());
  }
}

// Returns the number of frames of each symbol of one utterance by the model's alignment.
std::vector<std::int64_t> durations_of(const SampleSources& sources,
                                       const data::Features& one,
                                       const audio::Mel& mel) {
  data::FeatureSet features;
  features.utterances.push_back(one);
  features.utterances[0].speaker = 0;
  features.speakers = {""};
  data::set_memory_mels(features, mel.n_mels, {mel.values});
  const data::Lengths lengths = one.lengths();
  const data::ShapePlan plan =
      data::fixed_shape_plan({.batch = 1, .text = lengths.text, .mel = lengths.mel, .samples = 0});
  std::vector<data::Batch> batches = data::validation_batches(
      features,
      plan,
      {.reference_frames = sources.reference_frames,
       .mel_pad = static_cast<float>(std::log(sources.mel_spec.mel_floor))});
  const model::ForwardResult result = sources.model.forward(
      model::inputs_of(batches[0].micro_batches[0]), {.diagonal = 0.0, .training = false});
  const torch::Tensor durations = result.durations[0].cpu().contiguous();
  const std::int64_t* frames = durations.data_ptr<std::int64_t>();
  return {frames, frames + lengths.text};
}

// Returns the alignment as JSON: symbols with their numbers of frames.
std::string alignment_json(const SampleSources& sources,
                           const data::Features& one,
                           std::span<const std::int64_t> durations) {
  const double frame_s =
      static_cast<double>(sources.mel_spec.hop_length) / sources.mel_spec.sample_rate;
  std::vector<std::string> symbols;
  for (const std::int64_t id : one.text) {
    const std::string symbol = sources.front_end.symbols().decode({id});
    symbols.push_back(symbol.empty() ? "_" : symbol);  // the blank
  }
  const nlohmann::ordered_json json = {{"id", base::printable(one.id, 400)},
                                       {"text", one.transcript},
                                       {"frame_s", frame_s},
                                       {"symbols", symbols},
                                       {"frames", durations}};
  return json.dump() + "\n";
}

void plot(const SampleSources& sources,
          std::size_t index,
          const audio::Mel& mel,
          const std::filesystem::path& run,
          EventFile& events) {
  const data::Features& one = sources.features.utterances[index];
  const std::size_t number = index + 1;
  const auto write = [&](const std::string& name, const std::string& png) {
    const PngSize size = png_size(png);
    base::write_file_atomically(
        sample_path(run, sources.step, fmt::format("{}_{}.png", number, name)), png);
    events.image(sources.step, fmt::format("{}/{}", name, number), png, size.width, size.height);
  };
  const synthesis::Synthesiser synthesiser(sources.model, sources.front_end, sources.mel_spec);
  write("recorded", audio::mel_png(mel, sources.mel_spec, one.id + " recorded"));
  write("spoken",
        audio::mel_png(synthesiser.mel_of(one.text, sources.voice, {}).mel,
                       sources.mel_spec,
                       fmt::format("{} synthesised at step {}", one.id, sources.step)));
  const std::vector<std::int64_t> durations = durations_of(sources, one, mel);
  const AlignmentPicture picture = alignment_picture(
      {.durations = durations,
       .num_frames = one.num_frames,
       .frame_s = static_cast<double>(sources.mel_spec.hop_length) / sources.mel_spec.sample_rate,
       .labels = {}},
      fmt::format("{} aligned at step {}", one.id, sources.step));
  write("alignment", picture.png);
  base::write_file_atomically(
      sample_path(run, sources.step, fmt::format("{}_alignment.json", number)),
      alignment_json(sources, one, durations));
}

// Calls `show` with the first utterances and their mels. Logs an unreadable utterance and adds it
// to `unreadable`.
template <typename Show>
void for_each_sample(const data::FeatureSet& features,
                     const config::TrainingConfig& training,
                     std::set<std::size_t>& unreadable,
                     const Show& show) {
  const auto wanted = static_cast<std::size_t>(training.spectrogram_log_num_examples);
  const std::size_t count = std::min(wanted, features.utterances.size());
  for (std::size_t i = 0; i < count; ++i) {
    if (unreadable.contains(i)) continue;
    try {
      show(i, features.mel(i));
    } catch (const data::UnreadableUtterance& error) {
      unreadable.insert(i);
      base::log("[train] no more samples of {}: {}\n", features.utterances[i].id, error.what());
    }
  }
}

// Returns the recorded samples between the first and the last frame of an utterance.
std::vector<float> recorded_samples(const VocoderSampleSources& sources,
                                    std::size_t index,
                                    const audio::Mel& mel) {
  std::vector<float> samples(
      static_cast<std::size_t>((mel.num_frames - 1) * sources.mel_spec.hop_length));
  data::MelScratch scratch;
  data::TimeoutWaveformStore(sources.features.waveforms).copy(index, /*start=*/0, samples, scratch);
  return samples;
}

void vocode(const VocoderSampleSources& sources,
            std::size_t index,
            const audio::Mel& mel,
            const std::filesystem::path& run,
            EventFile& events) {
  if (mel.num_frames < 2) return;
  const int rate = sources.mel_spec.sample_rate;
  const std::size_t number = index + 1;
  const std::filesystem::path recorded =
      sample_path(run, /*step=*/0, fmt::format("{}_recorded.wav", number));
  if (!std::filesystem::exists(recorded)) {
    base::write_file_atomically(recorded,
                                audio::wav_bytes(recorded_samples(sources, index, mel), rate));
  }
  const torch::Tensor frames = torch::tensor(mel.values).view({1, mel.num_frames, mel.n_mels});
  const torch::Tensor waveform =
      sources.vocoder.forward(frames, torch::kFloat32)[0].cpu().contiguous();
  const std::span<const float> samples(waveform.const_data_ptr<float>(),
                                       static_cast<std::size_t>(waveform.numel()));
  const std::string wav = audio::wav_bytes(samples, rate);
  base::write_file_atomically(sample_path(run, sources.step, fmt::format("{}_vocoder.wav", number)),
                              wav);
  if (!sources.training.text2audio_log_tensorboard) return;
  events.audio(sources.step, fmt::format("vocoder/{}", number), wav, rate, waveform.numel());
}

}  // namespace

void synthesise_samples(const SampleSources& sources,
                        const std::filesystem::path& run,
                        EventFile& events) {
  const torch::NoGradGuard no_grad;
  const step::EmaWeights ema(sources.model.parameters(), sources.optimizer);
  const synthesis::Synthesiser synthesiser(sources.model, sources.front_end, sources.mel_spec);
  for (std::size_t i = 0; i < sources.training.text2audio_texts.size(); ++i) {
    attempt("sample", [&] {
      const synthesis::Speech speech =
          synthesiser.synthesise(sources.training.text2audio_texts[i], sources.voice, {});
      require(speech.fault.empty(),
              "training.text2audio_texts[{}] cannot be synthesised: {}",
              i,
              speech.fault);
      const std::string wav = audio::wav_bytes(speech.samples, sources.mel_spec.sample_rate);
      base::write_file_atomically(sample_path(run, sources.step, fmt::format("{}.wav", i + 1)),
                                  wav);
      if (!sources.training.text2audio_log_tensorboard) return;
      events.audio(sources.step,
                   fmt::format("sample/{}", i + 1),
                   wav,
                   sources.mel_spec.sample_rate,
                   static_cast<std::int64_t>(speech.samples.size()));
    });
  }
  events.flush();
}

void plot_samples(const SampleSources& sources,
                  const std::filesystem::path& run,
                  EventFile& events,
                  std::set<std::size_t>& unreadable) {
  const torch::NoGradGuard no_grad;
  const step::EmaWeights ema(sources.model.parameters(), sources.optimizer);
  for_each_sample(
      sources.features, sources.training, unreadable, [&](std::size_t i, const audio::Mel& mel) {
        attempt("plot", [&] { plot(sources, i, mel, run, events); });
      });
  events.flush();
}

void vocode_samples(const VocoderSampleSources& sources,
                    const std::filesystem::path& run,
                    EventFile& events,
                    std::set<std::size_t>& unreadable) {
  const torch::NoGradGuard no_grad;
  const step::EmaWeights ema(sources.vocoder.parameters(), sources.optimizer);
  for_each_sample(
      sources.features, sources.training, unreadable, [&](std::size_t i, const audio::Mel& mel) {
        attempt("sample", [&] { vocode(sources, i, mel, run, events); });
      });
  events.flush();
}

}  // namespace myxtts::train
