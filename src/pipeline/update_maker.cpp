#include "pipeline/update_maker.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <optional>

#include <fmt/format.h>

#include "audio/mel_contract.h"
#include "base/error.h"
#include "pipeline/chances.h"

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
struct UpdateMaker::Row {
  std::int64_t epoch = 0;
  std::size_t index = 0;
  Batch& batch;
  MakerScratch& scratch;
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
          .mel_pad = static_cast<float>(std::log(audio::mel_contract_of(config).mel_floor))};
}

UpdateMaker::UpdateMaker(const FeatureSet& features, const ShapePlan& plan, LoaderSettings settings)
    : features_(features),
      plan_(plan),
      settings_(settings),
      by_speaker_(by_speaker_of(features)),
      lost_(features.utterances.size()) {}

void UpdateMaker::make(const PlannedUpdate& planned,
                       std::int64_t epoch,
                       MakerScratch& scratch,
                       Update& update) const {
  update.epoch = epoch;
  update.counts = {};
  update.micro_batches.resize(planned.micro_batches.size());
  for (std::size_t i = 0; i < planned.micro_batches.size(); ++i) {
    const std::vector<std::size_t>& utterances = planned.micro_batches[i];
    Batch& batch = update.micro_batches[i];
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

std::size_t UpdateMaker::most_bytes() const {
  return bytes_of(plan_.signatures, features_.n_mels, settings_.reference_frames) *
         static_cast<std::size_t>(settings_.grad_accum);
}

// The sizes of a batch whose shape nobody planned.
Signature UpdateMaker::own_signature(const std::vector<std::size_t>& utterances) const {
  Signature own{.batch = std::ssize(utterances)};
  for (const std::size_t i : utterances) {
    const Lengths lengths = features_.utterances[i].lengths();
    own.text = std::max(own.text, lengths.text);
    own.mel = std::max(own.mel, lengths.mel);
  }
  return own;
}

std::span<const float> UpdateMaker::read(std::size_t utterance,
                                         MakerScratch& scratch,
                                         std::span<float> place) const {
  // Whoever is given up in a read may return when all else is gone, but not the store.
  const std::shared_ptr<const MelStore> store = features_.mels;
  if (scratch.is_given_up.load(std::memory_order_acquire)) throw GivenUp();
  scratch.mel.place = place;
  scratch.watch.begin(utterance);
  std::optional<std::string> reason;
  std::span<const float> mel;
  try {
    mel = store->read(utterance, scratch.mel);
  } catch (const LostUtterance& error) {
    reason = error.what();
  } catch (...) {
    scratch.watch.end();
    if (scratch.is_given_up.load(std::memory_order_acquire)) throw GivenUp();
    rethrow_with(features_.utterances[utterance].id);
  }
  scratch.watch.end();
  if (scratch.is_given_up.load(std::memory_order_acquire)) throw GivenUp();
  const Features& features = features_.utterances[utterance];
  if (!reason && std::ssize(mel) != features.num_frames * features_.n_mels) {
    reason = kOtherLength;
  }
  if (!reason) return mel;
  lost_.lose(utterance, features.id, *reason);
  return {};
}

// Puts the mel of an utterance, or of who stands in for it, into the row, and returns whose it was.
// One that has to be made is made there.
std::size_t UpdateMaker::fill_mel(const Row& row, std::size_t utterance) const {
  const std::span<float> place = row_of(row.batch.mel, row.index, row.batch.signature.batch);
  std::size_t found = utterance;
  for (std::size_t attempt = 0;; ++attempt) {
    invariant(attempt < 1000 * features_.utterances.size(), "some utterance can be read");
    if (attempt > 0) {
      found = stand_in(settings_.seed, row.epoch, utterance, attempt, features_.utterances.size());
    }
    if (lost_.is_lost(found)) continue;
    if (!holds(row.batch.signature, features_.utterances[found].lengths())) continue;
    const std::span<const float> mel = read(found, row.scratch, place);
    if (mel.empty()) continue;
    if (mel.data() != place.data()) std::ranges::copy(mel, place.begin());
    pad_mel(row.batch, row.index, mel.size(), settings_.mel_pad);
    return found;
  }
}

// Another recording of the speaker, or of those that can be read the next one after it.
void UpdateMaker::fill_reference(const Row& row, std::size_t utterance) const {
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

void UpdateMaker::fill_row(const Row& row, std::size_t utterance) const {
  const std::size_t found = fill_mel(row, utterance);
  fill_reference(row, found);
  const Features& features = features_.utterances[found];
  Batch& batch = row.batch;
  std::ranges::copy(features.text, row_of(batch.text, row.index, batch.signature.batch).begin());
  pad_text(batch, row.index, features.text.size());
  batch.text_lengths[row.index] = features.lengths().text;
  batch.mel_lengths[row.index] = features.num_frames;
  batch.crop_starts[row.index] =
      crop_start(settings_.seed, row.epoch, found, features.num_frames, settings_.crop_frames);
  batch.utterances[row.index] = found;
  batch.ids[row.index] = features.id;
}

}  // namespace xtts::pipeline
