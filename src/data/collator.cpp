#include "data/collator.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <optional>

#include <fmt/format.h>

#include "audio/mel_spec.h"
#include "base/error.h"
#include "data/augment.h"

namespace myxtts::data {
namespace {

std::vector<std::vector<std::size_t>> by_speaker_of(const FeatureSet& features) {
  std::vector<std::vector<std::size_t>> by_speaker(features.speakers.size());
  for (std::size_t i = 0; i < features.utterances.size(); ++i)
    by_speaker.at(features.utterances[i].speaker).push_back(i);
  return by_speaker;
}

// Rethrows the current exception with the id of the utterance; the exit code stays the same.
[[noreturn]] void rethrow_with_id(const std::string& id) {
  const auto message = [&id](const char* what) {
    return fmt::format("{}: {}", id, first_line(what));
  };
  try {
    throw;
  } catch (const BugError& error) {
    throw BugError(message(error.what()));
  } catch (const UsageError& error) {
    throw UsageError(message(error.what()));
  } catch (const std::bad_alloc&) {
    throw UserError(message("out of memory: close other programs or use fewer workers"));
  } catch (const std::exception& error) {
    throw UserError(message(error.what()));
  }
}

}  // namespace

// The row to fill, with the scratch memory of the thread.
struct Collator::Row {
  std::int64_t epoch = 0;
  std::size_t index = 0;
  MicroBatch& micro_batch;
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
      unreadable_(features.utterances.size()) {}

void Collator::collate(const PlannedBatch& planned,
                       std::int64_t epoch,
                       CollatorScratch& scratch,
                       Batch& batch) const {
  batch.epoch = epoch;
  batch.counts = {};
  batch.micro_batches.resize(planned.micro_batches.size());
  for (std::size_t i = 0; i < planned.micro_batches.size(); ++i) {
    const std::vector<std::size_t>& utterances = planned.micro_batches[i];
    MicroBatch& micro_batch = batch.micro_batches[i];
    if (!plan_.is_dynamic()) {
      reserve(micro_batch, plan_.signatures, features_.n_mels, settings_.reference_frames);
    }
    set_shape(
        micro_batch,
        plan_.is_dynamic() ? dynamic_signature(utterances) : plan_.signatures[planned.signature],
        features_.n_mels,
        settings_.reference_frames);
    for (std::size_t row = 0; row < utterances.size(); ++row)
      fill_row({epoch, row, micro_batch, scratch}, utterances[row]);
    for (std::size_t row = utterances.size(); row < micro_batch.ids.size(); ++row)
      clear_row(micro_batch, row, settings_.mel_pad);
    batch.counts += counts_of(micro_batch, settings_.crop_frames);
  }
}

std::size_t Collator::max_batch_bytes() const {
  return bytes_of(plan_.signatures, features_.n_mels, settings_.reference_frames) *
         static_cast<std::size_t>(settings_.grad_accum);
}

// Returns the signature of a micro-batch with dynamic shapes: its longest utterance.
Signature Collator::dynamic_signature(const std::vector<std::size_t>& utterances) const {
  Signature own{.batch = std::ssize(utterances)};
  for (const std::size_t i : utterances) {
    const Lengths lengths = features_.lengths_of(i);
    own.text = std::max(own.text, lengths.text);
    own.mel = std::max(own.mel, lengths.mel);
  }
  return own;
}

// Times `read`, which returns why the utterance is unreadable, or nullptr. Returns false and
// records the utterance if it is unreadable.
template <typename Read>
bool Collator::read_timed(std::size_t utterance, CollatorScratch& scratch, const Read& read) const {
  if (scratch.is_abandoned.load(std::memory_order_acquire)) throw Abandoned();
  scratch.read_timer.begin(utterance);
  std::optional<std::string> reason;
  try {
    if (const char* fault = read()) reason = fault;
  } catch (const UnreadableUtterance& error) {
    reason = error.what();
  } catch (...) {
    scratch.read_timer.end();
    if (scratch.is_abandoned.load(std::memory_order_acquire)) throw Abandoned();
    rethrow_with_id(features_.utterances[utterance].id);
  }
  scratch.read_timer.end();
  if (scratch.is_abandoned.load(std::memory_order_acquire)) throw Abandoned();
  if (!reason) return true;
  unreadable_.add(utterance, features_.utterances[utterance].id, *reason);
  return false;
}

std::span<const float> Collator::read(std::size_t utterance,
                                      CollatorScratch& scratch,
                                      std::span<float> destination) const {
  // An abandoned worker may return from its read after everything but the store is destroyed.
  const std::shared_ptr<const MelStore> store = features_.mels;
  const std::int64_t size = features_.utterances[utterance].num_frames * features_.n_mels;
  std::span<const float> mel;
  scratch.mel.destination = destination;
  const bool is_read = read_timed(utterance, scratch, [&] {
    mel = store->read(utterance, scratch.mel);
    return std::ssize(mel) == size ? nullptr : kLengthChanged;
  });
  return is_read ? mel : std::span<const float>();
}

// Fills the row with the utterance or its replacement. Returns the utterance that was used.
std::size_t Collator::fill_features(const Row& row, std::size_t utterance) const {
  std::size_t found = utterance;
  for (std::size_t attempt = 0;; ++attempt) {
    invariant(attempt < 1000 * features_.utterances.size(), "some utterance is readable");
    if (attempt > 0) {
      found = pick_replacement(
          settings_.seed, row.epoch, utterance, attempt, features_.utterances.size());
    }
    if (unreadable_.contains(found)) continue;
    if (!holds(row.micro_batch.signature, features_.lengths_of(found))) continue;
    if (features_.crop_hops > 0 ? fill_crop(row, found) : fill_mel(row, found)) return found;
  }
}

// Fills the mel of a row; an uncached mel is computed in place. Returns false if it is unreadable.
bool Collator::fill_mel(const Row& row, std::size_t utterance) const {
  const std::span<float> destination =
      row_of(row.micro_batch.mel, row.index, row.micro_batch.signature.batch);
  const std::span<const float> mel = read(utterance, row.scratch, destination);
  if (mel.empty()) return false;
  if (mel.data() != destination.data()) std::ranges::copy(mel, destination.begin());
  pad_mel(row.micro_batch, row.index, mel.size(), settings_.mel_pad);
  const Features& features = features_.utterances[utterance];
  row.micro_batch.mel_lengths[row.index] = features.num_frames;
  row.micro_batch.crop_starts[row.index] =
      crop_start(settings_.seed, row.epoch, utterance, features.num_frames, settings_.crop_frames);
  return true;
}

// Fills a waveform crop and its mel frames. Returns false if the utterance is unreadable.
bool Collator::fill_crop(const Row& row, std::size_t utterance) const {
  MicroBatch& micro_batch = row.micro_batch;
  const std::int64_t num_frames = features_.utterances[utterance].num_frames;
  const std::int64_t wanted = features_.crop_hops + 1;
  const std::int64_t hop = micro_batch.signature.samples / features_.crop_hops;
  const std::int64_t start = crop_start(settings_.seed, row.epoch, utterance, num_frames, wanted);
  const std::int64_t length = std::min(num_frames, wanted);

  const std::span<const float> mel = read(utterance, row.scratch, /*destination=*/{});
  if (mel.empty()) return false;
  const auto channels = static_cast<std::size_t>(features_.n_mels);
  const std::span<const float> frames = mel.subspan(static_cast<std::size_t>(start) * channels,
                                                    static_cast<std::size_t>(length) * channels);
  std::ranges::copy(frames,
                    row_of(micro_batch.mel, row.index, micro_batch.signature.batch).begin());
  pad_mel(micro_batch, row.index, frames.size(), settings_.mel_pad);

  const std::shared_ptr<const WaveformStore> store = features_.waveforms;  // see read()
  const std::span<float> samples =
      row_of(micro_batch.waveform, row.index, micro_batch.signature.batch);
  const bool is_read = read_timed(utterance, row.scratch, [&] {
    const std::int64_t count = store->copy(utterance, start * hop, samples, row.scratch.mel);
    return 1 + count / hop == num_frames ? nullptr : kLengthChanged;
  });
  if (!is_read) return false;
  micro_batch.mel_lengths[row.index] = length;
  micro_batch.crop_starts[row.index] = start;
  return true;
}

// Fills the reference clip from another recording of the speaker: the picked one, or the next that
// is readable.
void Collator::fill_reference(const Row& row, std::size_t utterance) const {
  if (settings_.reference_frames == 0) return;
  const std::vector<std::size_t>& same = by_speaker_[features_.utterances[utterance].speaker];
  const std::size_t picked = pick_reference(settings_.seed, row.epoch, utterance, same);
  const auto first = std::ranges::lower_bound(same, picked) - same.begin();
  for (std::size_t i = 0; i < same.size(); ++i) {
    const std::size_t other = same[(static_cast<std::size_t>(first) + i) % same.size()];
    if (unreadable_.contains(other)) continue;
    const std::span<const float> mel = read(other, row.scratch, /*destination=*/{});
    if (mel.empty()) continue;
    const std::int64_t start = reference_clip_start(settings_.seed,
                                                    row.epoch,
                                                    utterance,
                                                    features_.utterances[other].num_frames,
                                                    settings_.reference_frames);
    copy_clip(mel,
              features_.n_mels,
              start,
              row_of(row.micro_batch.reference, row.index, row.micro_batch.signature.batch));
    return;
  }
  invariant(false, "an utterance can be its own reference");
}

void Collator::fill_row(const Row& row, std::size_t utterance) const {
  const std::size_t found = fill_features(row, utterance);
  fill_reference(row, found);
  const Features& features = features_.utterances[found];
  MicroBatch& micro_batch = row.micro_batch;
  const bool has_text = micro_batch.signature.text > 0;
  if (has_text) {
    std::ranges::copy(features.text,
                      row_of(micro_batch.text, row.index, micro_batch.signature.batch).begin());
    pad_text(micro_batch, row.index, features.text.size());
  }
  micro_batch.text_lengths[row.index] = has_text ? features.lengths().text : 0;
  micro_batch.utterances[row.index] = found;
  micro_batch.ids[row.index] = features.id;
}

}  // namespace myxtts::data
