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
#include "data/batch_sampler.h"
#include "model/acoustic_model_torch.h"
#include "synthesis/postfilter.h"
#include "synthesis/voice_metadata.h"
#include "text/front_end.h"
#include "train/memory_budget.h"

namespace myxtts::train {
namespace {

// An acoustic model from a checkpoint that decodes whole utterances, without training crops.
class GtaModel {
 public:
  GtaModel(const checkpoint::LoadedCheckpoint& loaded, const synthesis::VoiceMetadata& metadata)
      : model_(without_crops_and_discriminator(metadata.config.model),
               num_symbols_of(metadata),
               /*seed=*/0),
        reference_frames_(data::reference_frames_of(metadata.config)),
        mel_pad_(static_cast<float>(std::log(metadata.mel_spec.mel_floor))),
        highest_mel_(audio::highest_log_mel(metadata.mel_spec)) {
    checkpoint::load_weights(loaded.model, model_.parameters(), /*use_ema=*/true);
    model_.mel_normalisation() = {.mean = static_cast<float>(metadata.checkpoint.mel_mean),
                                  .std = static_cast<float>(metadata.checkpoint.mel_std)};
  }

  // Returns the GTA mel [M, C] of these symbols for the recorded mel, which has at least as many
  // frames as symbols.
  std::vector<float> mel_of(const std::vector<std::int64_t>& symbols, const audio::Mel& mel) const {
    data::FeatureSet single;
    single.utterances.emplace_back().text = symbols;
    single.speakers = {""};
    data::set_memory_mels(single, mel.n_mels, {mel.values});
    const data::Lengths lengths = single.lengths_of(0);
    const data::ShapePlan plan = data::fixed_shape_plan(
        {.batch = 1, .text = lengths.text, .mel = lengths.mel, .samples = 0});
    std::vector<data::Batch> batches = data::validation_batches(
        single, plan, {.reference_frames = reference_frames_, .mel_pad = mel_pad_});
    const torch::NoGradGuard no_grad;
    const model::Inputs inputs = model::inputs_of(batches.at(0).micro_batches[0]);
    // Only the durations come from the recording; the rest is inference.
    const model::ForwardResult aligned =
        model_.forward(inputs, {.diagonal = 0.0, .training = false});
    const torch::Tensor embedding =
        model_.embed_speaker(inputs.reference, torch::kFloat32).squeeze(0);
    const torch::Tensor frames =
        model_.infer(inputs.text.squeeze(0), embedding, {.durations = aligned.durations.squeeze(0)})
            .mel.contiguous();
    const float* values = frames.const_data_ptr<float>();
    audio::Mel gta{.num_frames = mel.num_frames,
                   .n_mels = mel.n_mels,
                   .values = {values, values + frames.numel()}};
    synthesis::apply_postfilter(
        gta, synthesis::default_postfilter(model_.config()), mel_pad_, highest_mel_);
    return std::move(gta.values);
  }

 private:
  static config::ModelConfig without_crops_and_discriminator(config::ModelConfig config) {
    config.decoder_crop_frames = 0;
    config.mel_discriminator_channels = 0;
    return config;
  }
  static std::int64_t num_symbols_of(const synthesis::VoiceMetadata& metadata) {
    return static_cast<std::int64_t>(
        text::SymbolTable::from_text(metadata.checkpoint.symbols).size());
  }

  model::AcousticModel model_;
  std::int64_t reference_frames_;
  float mel_pad_;
  float highest_mel_;
};

// Selects every second utterance of each speaker. A vocoder trained on GTA mels alone is slightly
// worse, also on mels of the voice (docs/lab/2026-11-18-vocoder-quality.md).
std::vector<bool> select_gta(const data::FeatureSet& features) {
  std::vector<bool> is_next(features.speakers.size(), true);
  std::vector<bool> is_gta;
  for (const data::Features& one : features.utterances) {
    is_gta.push_back(is_next[one.speaker]);
    is_next[one.speaker] = !is_next[one.speaker];
  }
  return is_gta;
}

bool uses_gta_mels(const Corpora& corpora, const config::Config& config) {
  return config.data.mels_from && corpora.training.crop_hops > 0;
}

double gta_bytes_of(const data::FeatureSet& features) {
  const std::vector<bool> is_gta = select_gta(features);
  double bytes = 0.0;
  for (std::size_t i = 0; i < is_gta.size(); ++i) {
    const std::int64_t values = features.utterances[i].num_frames * features.n_mels;
    if (is_gta[i]) bytes += static_cast<double>(values) * sizeof(float);
  }
  return bytes;
}

// Checked before the mels are computed: otherwise the kernel would kill the process minutes later.
void require_memory_for(double bytes, const config::TrainingConfig& training) {
  const auto resident = static_cast<double>(base::resident_bytes());
  const MemoryBudget budget = memory_budget(
      training.memory_budget, resident, static_cast<double>(base::free_memory_bytes()));
  require_usage(
      resident + bytes <= budget.bytes,
      "the GTA mels need {:.2f} GB in addition to {:.2f} GB in use, the limit is {:.2f} GB "
      "({}); omit --mels-from, or train on fewer recordings",
      bytes / 1e9,
      resident / 1e9,
      budget.bytes / 1e9,
      budget.source);
}

// Returns the recorded mel, or nothing if it is unreadable; the loader reports that.
std::optional<audio::Mel> recorded_mel(const data::FeatureSet& features, std::size_t i) {
  try {
    return features.mel(i);
  } catch (const data::UnreadableUtterance&) {
    return std::nullopt;
  }
}

// Replaces the selected mels. Returns the number of selected utterances that keep the recorded mel,
// because the voice cannot encode their text.
std::size_t replace_mels(data::FeatureSet& features,
                         const GtaModel& voice,
                         text::FrontEnd& front_end,
                         int num_workers,
                         const char* label) {
  base::ProgressBar bar(label, features.utterances.size());
  std::vector<std::string> texts;
  for (const data::Features& one : features.utterances)
    texts.push_back(one.transcript);
  const std::vector<text::TextStages> stages = front_end.run_all(texts, num_workers);
  const std::vector<bool> is_gta = select_gta(features);
  std::vector<std::vector<float>> mels(texts.size());  // empty: the recorded mel
  std::size_t num_kept = 0;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    base::check_interrupt();
    bar.advance(1);
    if (!is_gta[i]) continue;
    data::Features& one = features.utterances[i];
    if (!stages[i].fault.empty() || std::ssize(stages[i].ids) > one.num_frames) {
      ++num_kept;
      continue;
    }
    const std::optional<audio::Mel> recorded = recorded_mel(features, i);
    if (!recorded) continue;
    mels[i] = voice.mel_of(stages[i].ids, *recorded);
    one.moments = data::moments_of(mels[i]);
  }
  features.mels = std::make_shared<data::MemoryMels>(std::move(mels), features.mels);
  return num_kept;
}

}  // namespace

Corpora with_gta_mels(Corpora corpora, const config::Config& config) {
  if (!uses_gta_mels(corpora, config)) return corpora;
  const std::string& run = *config.data.mels_from;
  const checkpoint::LoadedCheckpoint loaded = checkpoint::find_checkpoint(run);
  const synthesis::VoiceMetadata metadata =
      synthesis::metadata_of_mel_source(loaded, audio::mel_spec_of(config));
  require_memory_for(gta_mel_bytes(corpora, config), config.training);
  text::FrontEnd front_end(text::text_settings_of(metadata.config));
  require(metadata.checkpoint.symbols == front_end.symbols().to_text(),
          "{} was trained with another symbol table; use the program version that wrote it ({})",
          run,
          metadata.checkpoint.program_version);
  const GtaModel voice(loaded, metadata);
  const int num_workers = config::num_workers_of(config.data);
  const std::size_t num_kept =
      replace_mels(corpora.training, voice, front_end, num_workers, "GTA mels") +
      replace_mels(corpora.validation, voice, front_end, num_workers, "GTA mels for validation");
  corpora.notes.push_back(
      fmt::format("mels: every second one is a GTA mel of {}", loaded.folder.string()));
  if (num_kept > 0)
    corpora.notes.push_back(fmt::format(
        "mels: {} recorded ones kept, because the voice cannot encode their text", num_kept));
  return corpora;
}

double gta_mel_bytes(const Corpora& corpora, const config::Config& config) {
  if (!uses_gta_mels(corpora, config)) return 0.0;
  return gta_bytes_of(corpora.training) + gta_bytes_of(corpora.validation);
}

}  // namespace myxtts::train
