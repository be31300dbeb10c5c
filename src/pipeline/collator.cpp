#include "pipeline/collator.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <optional>

#include <fmt/format.h>

#include "audio/mel_spec.h"
#include "base/error.h"
#include "pipeline/augment.h"

namespace xtts::pipeline {
namespace {

std::vector<std::vector<std::size_t>> by_speaker_of(const FeatureSet& features) {
  std::vector<std::vector<std::size_t>> by_speaker(features.speakers.size());
  for (std::size_t i = 0; i < features.utterances.size(); ++i)
    by_speaker.at(features.utterances[i].speaker).push_back(i);
  return by_speaker;
}

// The exception that is being handled, of the same kind as far as people see it, with the
// utterance.
[[noreturn]] void rethrow_with(const std::string& id) {
  const auto words = [&id](const char* what) {
    return fmt::format("{}: {}", id, first_line(what));
  };
  try {
    throw;
  } catch (const BugError& error) {
    throw BugError(words(error.what()));
  } catch (const UsageError& error) {
    throw UsageError(words(error.what()));
  } catch (const std::bad_alloc&) {
    throw UserError(words("out of memory: close other programs or use fewer workers"));
  } catch (const std::exception& error) {
    throw UserError(words(error.what()));
  }
}

}  // namespace

// Where one row goes and what it is made with.
struct Collator::Row {
  std::int64_t epoch = 0;
  std::size_t index = 0;
  MicroBatch& batch;
  CollatorScratch& scratch;
};

std::int64_t reference_frames_of(const config::Config& config) {
  const double samples = config.data.reference_audio_length * config.model.sample_rate;
  return std::max(std::int64_t{1}, std::int64_t{std::lround(samples / config.model.hop_length)});
}

LoaderSettings loader_settings_of(const config::Config& config) {
  return {.seed = static_cast<std::uint64_t>(config.training.seed),
          .grad_accum = config.training.gradient_accumulation_steps,
          .reference_frames = reference_frames_of(config),
          .crop_frames = config.model.decoder_crop_frames,
          .mel_pad = static_cast<float>(std::log(audio::mel_spec_of(config).mel_floor))};
}

LoaderSettings vocoder_loader_settings_of(const config::Config& config) {
  LoaderSettings settings = loader_settings_of(config);
  settings.reference_frames = 0;
  settings.crop_frames = 0;
  return settings;
}

Collator::Collator(const FeatureSet& features, const ShapePlan& plan, LoaderSettings settings)
    : features_(features),
      plan_(plan),
      settings_(settings),
      by_speaker_(by_speaker_of(features)),
      lost_(features.utterances.size()) {}

void Collator::make(const PlannedBatch& planned,
                    std::int64_t epoch,
                    CollatorScratch& scratch,
                    Batch& update) const {
  update.epoch = epoch;
  update.counts = {};
  update.micro_batches.resize(planned.micro_batches.size());
  for (std::size_t i = 0; i < planned.micro_batches.size(); ++i) {
    const std::vector<std::size_t>& utterances = planned.micro_batches[i];
    MicroBatch& batch = update.micro_batches[i];
    if (!plan_.is_dynamic()) {
      reserve(batch, plan_.signatures, features_.n_mels, settings_.reference_frames);
    }
    shape(batch,
          plan_.is_dynamic() ? own_signature(utterances) : plan_.signatures[planned.signature],
          features_.n_mels,
          settings_.reference_frames);
    for (std::size_t row = 0; row < utterances.size(); ++row)
      fill_row({epoch, row, batch, scratch}, utterances[row]);
    for (std::size_t row = utterances.size(); row < batch.ids.size(); ++row)
      empty_row(batch, row, settings_.mel_pad);
    update.counts += counts_of(batch, settings_.crop_frames);
  }
}

std::size_t Collator::most_bytes() const {
  return bytes_of(plan_.signatures, features_.n_mels, settings_.reference_frames) *
         static_cast<std::size_t>(settings_.grad_accum);
}

// The sizes of a batch whose shape nobody planned.
Signature Collator::own_signature(const std::vector<std::size_t>& utterances) const {
  Signature own{.batch = std::ssize(utterances)};
  for (const std::size_t i : utterances) {
    const Lengths lengths = features_.lengths_of(i);
    own.text = std::max(own.text, lengths.text);
    own.mel = std::max(own.mel, lengths.mel);
  }
  return own;
}

// `read` says why the utterance is lost, or nullptr. False if it is.
template <typename Read>
bool Collator::read_watched(std::size_t utterance,
                            CollatorScratch& scratch,
                            const Read& read) const {
  if (scratch.is_abandoned.load(std::memory_order_acquire)) throw Abandoned();
  scratch.watch.begin(utterance);
  std::optional<std::string> reason;
  try {
    if (const char* found = read()) reason = found;
  } catch (const UnreadableUtterance& error) {
    reason = error.what();
  } catch (...) {
    scratch.watch.end();
    if (scratch.is_abandoned.load(std::memory_order_acquire)) throw Abandoned();
    rethrow_with(features_.utterances[utterance].id);
  }
  scratch.watch.end();
  if (scratch.is_abandoned.load(std::memory_order_acquire)) throw Abandoned();
  if (!reason) return true;
  lost_.lose(utterance, features_.utterances[utterance].id, *reason);
  return false;
}

std::span<const float> Collator::read(std::size_t utterance,
                                      CollatorScratch& scratch,
                                      std::span<float> place) const {
  // Whoever is given up in a read may return when all else is gone, but not the store.
  const std::shared_ptr<const MelStore> store = features_.mels;
  const std::int64_t size = features_.utterances[utterance].num_frames * features_.n_mels;
  std::span<const float> mel;
  scratch.mel.place = place;
  const bool is_read = read_watched(utterance, scratch, [&] {
    mel = store->read(utterance, scratch.mel);
    return std::ssize(mel) == size ? nullptr : kOtherLength;
  });
  return is_read ? mel : std::span<const float>();
}

// Fills the row with an utterance, or with who stands in for it, and returns whose it was.
std::size_t Collator::fill_features(const Row& row, std::size_t utterance) const {
  std::size_t found = utterance;
  for (std::size_t attempt = 0;; ++attempt) {
    invariant(attempt < 1000 * features_.utterances.size(), "some utterance can be read");
    if (attempt > 0) {
      found =
          replacement(settings_.seed, row.epoch, utterance, attempt, features_.utterances.size());
    }
    if (lost_.is_lost(found)) continue;
    if (!holds(row.batch.signature, features_.lengths_of(found))) continue;
    if (features_.crop_hops > 0 ? fill_crop(row, found) : fill_mel(row, found)) return found;
  }
}

// The mel of an utterance; one that has to be made is made in its row. False if it is lost.
bool Collator::fill_mel(const Row& row, std::size_t utterance) const {
  const std::span<float> place = row_of(row.batch.mel, row.index, row.batch.signature.batch);
  const std::span<const float> mel = read(utterance, row.scratch, place);
  if (mel.empty()) return false;
  if (mel.data() != place.data()) std::ranges::copy(mel, place.begin());
  pad_mel(row.batch, row.index, mel.size(), settings_.mel_pad);
  const Features& features = features_.utterances[utterance];
  row.batch.mel_lengths[row.index] = features.num_frames;
  row.batch.crop_starts[row.index] =
      crop_start(settings_.seed, row.epoch, utterance, features.num_frames, settings_.crop_frames);
  return true;
}

// A crop of its sound and the frames there. False if it is lost.
bool Collator::fill_crop(const Row& row, std::size_t utterance) const {
  MicroBatch& batch = row.batch;
  const std::int64_t num_frames = features_.utterances[utterance].num_frames;
  const std::int64_t wanted = features_.crop_hops + 1;
  const std::int64_t hop = batch.signature.samples / features_.crop_hops;
  const std::int64_t start = crop_start(settings_.seed, row.epoch, utterance, num_frames, wanted);
  const std::int64_t there = std::min(num_frames, wanted);

  const std::span<const float> mel = read(utterance, row.scratch, /*place=*/{});
  if (mel.empty()) return false;
  const auto channels = static_cast<std::size_t>(features_.n_mels);
  const std::span<const float> frames = mel.subspan(static_cast<std::size_t>(start) * channels,
                                                    static_cast<std::size_t>(there) * channels);
  std::ranges::copy(frames, row_of(batch.mel, row.index, batch.signature.batch).begin());
  pad_mel(batch, row.index, frames.size(), settings_.mel_pad);

  const std::shared_ptr<const WaveformStore> store = features_.sounds;  // see read()
  const std::span<float> place = row_of(batch.sound, row.index, batch.signature.batch);
  const bool is_read = read_watched(utterance, row.scratch, [&] {
    const std::int64_t count = store->copy(utterance, start * hop, place, row.scratch.mel);
    return 1 + count / hop == num_frames ? nullptr : kOtherLength;
  });
  if (!is_read) return false;
  batch.mel_lengths[row.index] = there;
  batch.crop_starts[row.index] = start;
  return true;
}

// Another recording of the speaker, or of those that can be read the next one after it.
void Collator::fill_reference(const Row& row, std::size_t utterance) const {
  if (settings_.reference_frames == 0) return;
  const std::vector<std::size_t>& same = by_speaker_[features_.utterances[utterance].speaker];
  const std::size_t wanted = reference_of(settings_.seed, row.epoch, utterance, same);
  const auto place = std::ranges::lower_bound(same, wanted) - same.begin();
  for (std::size_t i = 0; i < same.size(); ++i) {
    const std::size_t other = same[(static_cast<std::size_t>(place) + i) % same.size()];
    if (lost_.is_lost(other)) continue;
    const std::span<const float> mel = read(other, row.scratch, /*place=*/{});
    if (mel.empty()) continue;
    const std::int64_t start = clip_start(settings_.seed,
                                          row.epoch,
                                          utterance,
                                          features_.utterances[other].num_frames,
                                          settings_.reference_frames);
    copy_clip(mel,
              features_.n_mels,
              start,
              row_of(row.batch.reference, row.index, row.batch.signature.batch));
    return;
  }
  invariant(false, "an utterance can be its own reference");
}

void Collator::fill_row(const Row& row, std::size_t utterance) const {
  const std::size_t found = fill_features(row, utterance);
  fill_reference(row, found);
  const Features& features = features_.utterances[found];
  MicroBatch& batch = row.batch;
  const bool has_text = batch.signature.text > 0;
  if (has_text) {
    std::ranges::copy(features.text, row_of(batch.text, row.index, batch.signature.batch).begin());
    pad_text(batch, row.index, features.text.size());
  }
  batch.text_lengths[row.index] = has_text ? features.lengths().text : 0;
  batch.utterances[row.index] = found;
  batch.ids[row.index] = features.id;
}

}  // namespace xtts::pipeline
