#include "train/gta_mels_torch.h"

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "audio/mel_spec.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "base/progress.h"
#include "checkpoint/checkpoint_store.h"
#include "checkpoint/tensors_torch.h"
#include "model/acoustic_model_torch.h"
#include "pipeline/batch_sampler.h"
#include "speak/postfilter.h"
#include "speak/voice_metadata.h"
#include "text/front_end.h"
#include "train/memory_budget.h"

namespace xtts::train {
namespace {

// A model from a save that decodes whole utterances, whatever crops it was trained on.
class WholeVoice {
 public:
  WholeVoice(const checkpoint::LoadedCheckpoint& save, const speak::VoiceMetadata& saved)
      : model_(without_crops_and_critic(saved.config.model), num_symbols_of(saved), /*seed=*/0),
        reference_frames_(pipeline::reference_frames_of(saved.config)),
        mel_pad_(static_cast<float>(std::log(saved.contract.mel_floor))),
        highest_mel_(audio::highest_log_mel(saved.contract)) {
    checkpoint::load_weights(save.model, model_.parameters(), /*averaged=*/true);
    model_.mel_scale() = {.mean = static_cast<float>(saved.facts.mel_mean),
                          .std = static_cast<float>(saved.facts.mel_std)};
  }

  // [M, C] for the recorded mel of these symbols, of which there are no more than frames.
  std::vector<float> mel_of(const std::vector<std::int64_t>& symbols, const audio::Mel& mel) const {
    pipeline::FeatureSet alone;
    alone.utterances.emplace_back().text = symbols;
    alone.speakers = {""};
    pipeline::keep_in_memory(alone, mel.n_mels, {mel.values});
    const pipeline::Lengths lengths = alone.lengths_of(0);
    const pipeline::ShapePlan plan = pipeline::fixed_shape_plan(
        {.batch = 1, .text = lengths.text, .mel = lengths.mel, .samples = 0});
    std::vector<pipeline::Batch> updates = pipeline::validation_batches(
        alone, plan, {.reference_frames = reference_frames_, .mel_pad = mel_pad_});
    const torch::NoGradGuard no_grad;
    const model::Inputs inputs = model::inputs_of(updates.at(0).micro_batches[0]);
    // The recording only says how long each symbol is; the rest is as when the voice speaks.
    const model::ForwardResult heard = model_.forward(inputs, {.diagonal = 0.0, .training = false});
    const torch::Tensor vector = model_.voice_of(inputs.reference, torch::kFloat32).squeeze(0);
    const torch::Tensor spoken =
        model_.speak(inputs.text.squeeze(0), vector, {.durations = heard.durations.squeeze(0)})
            .contiguous();
    const float* values = spoken.const_data_ptr<float>();
    audio::Mel said{.num_frames = mel.num_frames,
                    .n_mels = mel.n_mels,
                    .values = {values, values + spoken.numel()}};
    speak::postfilter(said, speak::default_postfilter(model_.config()), mel_pad_, highest_mel_);
    return std::move(said.values);
  }

 private:
  static config::ModelConfig without_crops_and_critic(config::ModelConfig config) {
    config.decoder_crop_frames = 0;
    config.mel_discriminator_channels = 0;
    return config;
  }
  static std::int64_t num_symbols_of(const speak::VoiceMetadata& saved) {
    return static_cast<std::int64_t>(text::SymbolTable::from_text(saved.facts.symbols).size());
  }

  model::AcousticModel model_;
  std::int64_t reference_frames_;
  float mel_pad_;
  float highest_mel_;
};

// Whether each utterance is heard as the voice says it: every second one of each speaker. A vocoder
// that hears only the voice forgets how recordings sound, and what it makes of the voice is then a
// little worse, too (docs/en/experiments.md).
std::vector<bool> every_second(const pipeline::FeatureSet& features) {
  std::vector<bool> is_next(features.speakers.size(), true);
  std::vector<bool> are_voiced;
  for (const pipeline::Features& one : features.utterances) {
    are_voiced.push_back(is_next[one.speaker]);
    is_next[one.speaker] = !is_next[one.speaker];
  }
  return are_voiced;
}

bool has_voice(const Corpora& corpora, const config::Config& config) {
  return config.data.mels_from && corpora.training.crop_hops > 0;
}

double voiced_bytes_of(const pipeline::FeatureSet& features) {
  const std::vector<bool> are_voiced = every_second(features);
  double bytes = 0.0;
  for (std::size_t i = 0; i < are_voiced.size(); ++i) {
    const std::int64_t values = features.utterances[i].num_frames * features.n_mels;
    if (are_voiced[i]) bytes += static_cast<double>(values) * sizeof(float);
  }
  return bytes;
}

// Before they are made: what fails later fails after minutes, by the hand of the kernel.
void require_memory_for(double bytes, const config::TrainingConfig& training) {
  const auto resident = static_cast<double>(base::resident_bytes());
  const MemoryBudget budget = memory_budget(
      training.memory_budget, resident, static_cast<double>(base::free_memory_bytes()));
  require_usage(resident + bytes <= budget.bytes,
                "the mels of the voice need {:.2f} GB beside {:.2f} GB that are in use, and {:.2f} "
                "GB may be used ({}); leave out --mels-from, or train on fewer recordings",
                bytes / 1e9,
                resident / 1e9,
                budget.bytes / 1e9,
                budget.source);
}

// That of the recording; nothing if it can no longer be read, which is then the loader's to tell.
std::optional<audio::Mel> recorded_mel(const pipeline::FeatureSet& features, std::size_t i) {
  try {
    return features.mel(i);
  } catch (const pipeline::UnreadableUtterance&) {
    return std::nullopt;
  }
}

// Returns how many keep the mel of the recording, because the voice cannot say their text.
std::size_t voice_mels(pipeline::FeatureSet& features,
                       const WholeVoice& voice,
                       text::FrontEnd& front_end,
                       int num_workers,
                       const char* label) {
  base::ProgressBar bar(label, features.utterances.size());
  std::vector<std::string> texts;
  for (const pipeline::Features& one : features.utterances)
    texts.push_back(one.transcript);
  const std::vector<text::TextStages> stages = front_end.run_all(texts, num_workers);
  const std::vector<bool> are_voiced = every_second(features);
  std::vector<std::vector<float>> mels(texts.size());  // empty: that of the recording
  std::size_t num_kept = 0;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    base::check_interrupt();
    bar.advance(1);
    if (!are_voiced[i]) continue;
    pipeline::Features& one = features.utterances[i];
    if (!stages[i].fault.empty() || std::ssize(stages[i].ids) > one.num_frames) {
      ++num_kept;
      continue;
    }
    const std::optional<audio::Mel> recorded = recorded_mel(features, i);
    if (!recorded) continue;
    mels[i] = voice.mel_of(stages[i].ids, *recorded);
    one.moments = pipeline::moments_of(mels[i]);
  }
  features.mels = std::make_shared<pipeline::MemoryMels>(std::move(mels), features.mels);
  return num_kept;
}

}  // namespace

Corpora with_gta_mels(Corpora corpora, const config::Config& config) {
  if (!has_voice(corpora, config)) return corpora;
  const std::string& run = *config.data.mels_from;
  const checkpoint::LoadedCheckpoint save = checkpoint::find_checkpoint(run);
  const speak::VoiceMetadata saved = speak::facts_of_mel_voice(save, audio::mel_spec_of(config));
  require_memory_for(gta_mel_bytes(corpora, config), config.training);
  text::FrontEnd front_end(text::text_settings_of(saved.config));
  require(saved.facts.symbols == front_end.symbols().to_text(),
          "{} was trained with another symbol table; use the program that wrote it ({})",
          run,
          saved.facts.program_version);
  const WholeVoice voice(save, saved);
  const int num_workers = config::num_workers_of(config.data);
  const std::size_t num_kept =
      voice_mels(corpora.training, voice, front_end, num_workers, "mels of the voice") +
      voice_mels(corpora.validation, voice, front_end, num_workers, "and for validation");
  corpora.notes.push_back(
      fmt::format("mels: every second one as {} says it", save.folder.string()));
  if (num_kept > 0)
    corpora.notes.push_back(fmt::format("mels: {} texts that it cannot say as recorded", num_kept));
  return corpora;
}

double gta_mel_bytes(const Corpora& corpora, const config::Config& config) {
  if (!has_voice(corpora, config)) return 0.0;
  return voiced_bytes_of(corpora.training) + voiced_bytes_of(corpora.validation);
}

}  // namespace xtts::train
