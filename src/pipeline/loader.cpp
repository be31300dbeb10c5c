#include "pipeline/loader.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/random.h"

namespace xtts::pipeline {
namespace {

// A seed that depends on nothing but its arguments, another one for each purpose.
std::uint64_t utterance_seed(std::uint64_t seed,
                             std::string_view purpose,
                             std::int64_t epoch,
                             std::size_t utterance) {
  const std::uint64_t of_epoch = base::mix_seed(seed, purpose, static_cast<std::uint64_t>(epoch));
  return base::mix_seed(of_epoch, "utterance", utterance);
}

using BySpeaker = std::vector<std::vector<std::size_t>>;

BySpeaker by_speaker_of(const FeatureSet& features) {
  BySpeaker by_speaker(features.speakers.size());
  for (std::size_t i = 0; i < features.utterances.size(); ++i)
    by_speaker.at(features.utterances[i].speaker).push_back(i);
  return by_speaker;
}

// What filling a batch needs to know.
struct Source {
  const FeatureSet& features;
  const BySpeaker& by_speaker;
  const LoaderSettings& settings;
  std::int64_t epoch = 0;
};

// Copies one utterance into an empty row.
void fill_row(const Source& source, std::size_t utterance, std::size_t row, Batch& batch) {
  const Features& features = source.features.utterances[utterance];
  const LoaderSettings& settings = source.settings;
  invariant(holds(batch.signature, features.lengths()), "a row fits its signature");
  invariant(features.mel.n_mels == batch.n_mels, "all mels have the same channels");

  const auto row_of = [row](auto& values, std::int64_t size) {
    return values.begin() + static_cast<std::ptrdiff_t>(row) * size;
  };
  const std::int64_t channels = batch.n_mels;
  std::ranges::copy(features.text, row_of(batch.text, batch.signature.text));
  std::ranges::copy(features.mel.values, row_of(batch.mel, batch.signature.mel * channels));
  batch.text_lengths[row] = features.lengths().text;
  batch.mel_lengths[row] = features.mel.num_frames;

  const std::size_t other =
      reference_of(settings.seed, source.epoch, utterance, source.by_speaker[features.speaker]);
  const std::vector<float> clip =
      reference_clip(source.features.utterances[other].mel,
                     settings.reference_frames,
                     utterance_seed(settings.seed, "clip", source.epoch, utterance));
  std::ranges::copy(clip, row_of(batch.reference, settings.reference_frames * channels));
  batch.crop_starts[row] = crop_start(
      settings.seed, source.epoch, utterance, features.mel.num_frames, settings.crop_frames);
  batch.utterances[row] = utterance;
  batch.ids[row] = features.id;
}

Batch make_batch(const Source& source,
                 const Signature& signature,
                 std::span<const std::size_t> utterances) {
  Batch batch = empty_batch(signature,
                            source.features.utterances.front().mel.n_mels,
                            source.settings.reference_frames,
                            source.settings.mel_pad);
  for (std::size_t row = 0; row < utterances.size(); ++row)
    fill_row(source, utterances[row], row, batch);
  return batch;
}

// The sizes of a batch whose shape nobody planned.
Signature own_signature(const FeatureSet& features, std::span<const std::size_t> utterances) {
  Signature own{.batch = std::ssize(utterances)};
  for (const std::size_t i : utterances) {
    const Lengths lengths = features.utterances[i].lengths();
    own.text = std::max(own.text, lengths.text);
    own.mel = std::max(own.mel, lengths.mel);
  }
  return own;
}

Update make_update(const Source& source, const ShapePlan& plan, const PlannedUpdate& planned) {
  Update update;
  update.epoch = source.epoch;
  for (const std::vector<std::size_t>& utterances : planned.micro_batches) {
    const Signature signature = plan.is_dynamic() ? own_signature(source.features, utterances)
                                                  : plan.signatures[planned.signature];
    update.micro_batches.push_back(make_batch(source, signature, utterances));
    update.counts += counts_of(update.micro_batches.back(), source.settings.crop_frames);
  }
  return update;
}

}  // namespace

std::int64_t crop_start(std::uint64_t seed,
                        std::int64_t epoch,
                        std::size_t utterance,
                        std::int64_t num_frames,
                        std::int64_t crop_frames) {
  if (crop_frames <= 0 || num_frames <= crop_frames) return 0;
  base::Random random(utterance_seed(seed, "crop", epoch, utterance));
  const auto starts = static_cast<std::uint64_t>(num_frames - crop_frames + 1);
  return static_cast<std::int64_t>(random.below(starts));
}

std::size_t reference_of(std::uint64_t seed,
                         std::int64_t epoch,
                         std::size_t utterance,
                         std::span<const std::size_t> same_speaker) {
  if (same_speaker.size() < 2) return utterance;
  base::Random random(utterance_seed(seed, "reference", epoch, utterance));
  // Drawn from all but the last, which stands in for the utterance itself: each other one has the
  // same chance.
  const std::size_t drawn = same_speaker[random.below(same_speaker.size() - 1)];
  return drawn == utterance ? same_speaker.back() : drawn;
}

std::vector<float> reference_clip(const audio::Mel& mel,
                                  std::int64_t reference_frames,
                                  std::uint64_t clip_seed) {
  invariant(mel.num_frames > 0, "a mel has frames");
  std::int64_t start = 0;
  if (mel.num_frames > reference_frames) {
    const auto starts = static_cast<std::uint64_t>(mel.num_frames - reference_frames + 1);
    start = static_cast<std::int64_t>(base::Random(clip_seed).below(starts));
  }
  std::vector<float> clip;
  clip.reserve(static_cast<std::size_t>(reference_frames * mel.n_mels));
  for (std::int64_t i = 0; i < reference_frames; ++i) {
    const auto frame = mel.frame((start + i) % mel.num_frames);
    clip.insert(clip.end(), frame.begin(), frame.end());
  }
  return clip;
}

std::int64_t reference_frames_of(const config::Config& config) {
  const double samples = config.data.reference_audio_length * config.model.sample_rate;
  return std::max(std::int64_t{1}, std::int64_t{std::lround(samples / config.model.hop_length)});
}

Loader::Loader(const FeatureSet& features, const ShapePlan& plan, LoaderSettings settings)
    : features_(features),
      plan_(plan),
      settings_(settings),
      lengths_(features.lengths()),
      by_speaker_(by_speaker_of(features)) {
  enter_epoch(0);
  require(!order_.empty(),
          "{} utterances do not fill one batch of any of the {} signatures; use a smaller "
          "batch_size, or longer maximal lengths if they are too long for all of them",
          lengths_.size(),
          plan_.signatures.size());
}

Update Loader::next() {
  enter_epoch(position_.epoch);
  const PlannedUpdate& planned = order_.at(static_cast<std::size_t>(position_.update));
  Update update = make_update({features_, by_speaker_, settings_, position_.epoch}, plan_, planned);
  ++position_.update;
  if (position_.update == std::ssize(order_)) position_ = {position_.epoch + 1, 0};
  update.next = position_;
  return update;
}

void Loader::seek(const LoaderPosition& position) {
  const std::int64_t num_updates = position.epoch >= 0 ? updates_in_epoch(position.epoch) : 0;
  require(position.update >= 0 && position.update < num_updates,
          "there is no update {} in epoch {}, which has {}: the corpus or the batch size is not "
          "that of the save; give them as they were, or begin anew",
          position.update,
          position.epoch,
          num_updates);
  position_ = position;
}

std::int64_t Loader::updates_in_epoch(std::int64_t epoch) const {
  if (epoch == ordered_epoch_) return std::ssize(order_);
  return std::ssize(order_epoch(settings_.seed, epoch, plan_, settings_.grad_accum, lengths_));
}

void Loader::enter_epoch(std::int64_t epoch) {
  if (epoch == ordered_epoch_) return;
  order_ = order_epoch(settings_.seed, epoch, plan_, settings_.grad_accum, lengths_);
  ordered_epoch_ = epoch;
}

std::vector<Update> validation_updates(const FeatureSet& features,
                                       const ShapePlan& plan,
                                       const LoaderSettings& settings) {
  const std::vector<Lengths> lengths = features.lengths();
  const BySpeaker by_speaker = by_speaker_of(features);
  std::vector<Update> updates;
  UpdateCounts all;
  for (const PlannedUpdate& planned : order_validation(plan, lengths)) {
    updates.push_back(make_update({features, by_speaker, settings, 0}, plan, planned));
    all += updates.back().counts;
  }
  for (Update& update : updates)
    update.counts = all;
  return updates;
}

}  // namespace xtts::pipeline
