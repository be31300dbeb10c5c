#include "train/voiced_mels_torch.h"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "audio/mel_contract.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "checkpoint/save_store.h"
#include "checkpoint/tensors_torch.h"
#include "model/acoustic_model_torch.h"
#include "pipeline/loader.h"
#include "speak/saved_facts.h"
#include "speak/sharpen.h"
#include "text/front_end.h"

namespace xtts::train {
namespace {

// A model from a save that decodes whole utterances, whatever crops it was trained on.
class WholeVoice {
 public:
  WholeVoice(const checkpoint::LoadedSave& save, const speak::SavedFacts& saved)
      : model_(without_crops_and_critic(saved.config.model), num_symbols_of(saved), /*seed=*/0),
        reference_frames_(pipeline::reference_frames_of(saved.config)),
        mel_pad_(static_cast<float>(std::log(saved.contract.mel_floor))),
        highest_mel_(audio::highest_log_mel(saved.contract)) {
    checkpoint::load_weights(save.model, model_.parameters(), /*averaged=*/true);
    model_.mel_scale() = {.mean = static_cast<float>(saved.facts.mel_mean),
                          .deviation = static_cast<float>(saved.facts.mel_deviation)};
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
    std::vector<pipeline::Update> updates = pipeline::validation_updates(
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
    speak::sharpen(said, speak::usual_sharpness(model_.config()), mel_pad_, highest_mel_);
    return std::move(said.values);
  }

 private:
  static config::ModelConfig without_crops_and_critic(config::ModelConfig config) {
    config.decoder_crop_frames = 0;
    config.critic_channels = 0;
    return config;
  }
  static std::int64_t num_symbols_of(const speak::SavedFacts& saved) {
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
  std::vector<std::vector<float>> mels;
  std::size_t num_kept = 0;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    base::check_interrupt();
    audio::Mel mel = features.mel(i);
    const bool can_say = stages[i].fault.empty() && std::ssize(stages[i].ids) <= mel.num_frames;
    num_kept += are_voiced[i] && !can_say ? 1 : 0;
    mels.push_back(are_voiced[i] && can_say ? voice.mel_of(stages[i].ids, mel)
                                            : std::move(mel.values));
    bar.advance(1);
  }
  pipeline::keep_in_memory(features, features.n_mels, std::move(mels));
  return num_kept;
}

}  // namespace

Corpora with_voiced_mels(Corpora corpora, const config::Config& config) {
  if (!config.data.mels_from || corpora.training.crop_hops == 0) return corpora;
  const std::string& run = *config.data.mels_from;
  const checkpoint::LoadedSave save = checkpoint::find_save(run);
  const speak::SavedFacts saved = speak::saved_facts_of(save);
  require(
      !speak::is_vocoder(saved), "{} is a vocoder; --mels-from expects the run of a voice", run);
  require(
      audio::contract_hash(saved.contract) == audio::contract_hash(audio::mel_contract_of(config)),
      "{} was trained on other mels than this vocoder is; give the audio settings of its "
      "config.yaml, or leave out --mels-from",
      run);
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

}  // namespace xtts::train
