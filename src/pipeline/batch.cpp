#include "pipeline/batch.h"

#include <algorithm>
#include <type_traits>

#include "text/symbol_table.h"

namespace xtts::pipeline {
namespace {

// Of a batch of any of some signatures.
struct MostElements {
  std::size_t rows = 0;
  std::size_t text = 0;    // symbols of all rows
  std::size_t frames = 0;  // of all rows
};

MostElements most_elements(std::span<const Signature> signatures) {
  MostElements most;
  for (const Signature& one : signatures) {
    most.rows = std::max(most.rows, static_cast<std::size_t>(one.batch));
    most.text = std::max(most.text, static_cast<std::size_t>(one.batch * one.text));
    most.frames = std::max(most.frames, static_cast<std::size_t>(one.batch * one.mel));
  }
  return most;
}

}  // namespace

void clear(Batch& batch,
           const Signature& signature,
           std::int64_t n_mels,
           std::int64_t reference_frames,
           float mel_pad) {
  const auto rows = static_cast<std::size_t>(signature.batch);
  const auto text = static_cast<std::size_t>(signature.text);
  const auto frames = static_cast<std::size_t>(signature.mel);
  const auto channels = static_cast<std::size_t>(n_mels);

  batch.signature = signature;
  batch.n_mels = n_mels;
  batch.reference_frames = reference_frames;
  batch.text.assign(rows * text, text::SymbolTable::kPadId);
  batch.text_lengths.assign(rows, 0);
  batch.mel.assign(rows * frames * channels, mel_pad);
  batch.mel_lengths.assign(rows, 0);
  batch.reference.assign(rows * static_cast<std::size_t>(reference_frames) * channels, mel_pad);
  batch.crop_starts.assign(rows, 0);
  batch.utterances.assign(rows, 0);
  batch.ids.resize(rows);
  for (std::string& id : batch.ids)
    id.clear();
}

Batch empty_batch(const Signature& signature,
                  std::int64_t n_mels,
                  std::int64_t reference_frames,
                  float mel_pad) {
  Batch batch;
  clear(batch, signature, n_mels, reference_frames, mel_pad);
  return batch;
}

std::size_t bytes_of(std::span<const Signature> signatures,
                     std::int64_t n_mels,
                     std::int64_t reference_frames) {
  const Batch batch;
  const auto width = [](const auto& values) { return sizeof(values[0]); };
  const MostElements most = most_elements(signatures);
  const std::size_t row =
      static_cast<std::size_t>(reference_frames * n_mels) * width(batch.reference) +
      width(batch.text_lengths) + width(batch.mel_lengths) + width(batch.crop_starts) +
      width(batch.utterances) + width(batch.ids);
  return most.text * width(batch.text) +
         most.frames * static_cast<std::size_t>(n_mels) * width(batch.mel) + most.rows * row;
}

void reserve(Batch& batch,
             std::span<const Signature> signatures,
             std::int64_t n_mels,
             std::int64_t reference_frames) {
  const MostElements most = most_elements(signatures);
  const auto channels = static_cast<std::size_t>(n_mels);
  batch.text.reserve(most.text);
  batch.text_lengths.reserve(most.rows);
  batch.mel.reserve(most.frames * channels);
  batch.mel_lengths.reserve(most.rows);
  batch.reference.reserve(most.rows * static_cast<std::size_t>(reference_frames) * channels);
  batch.crop_starts.reserve(most.rows);
  batch.utterances.reserve(most.rows);
  batch.ids.reserve(most.rows);
}

Batch rows_of(const Batch& batch, std::int64_t first, std::int64_t last) {
  const auto some = [&](const auto& all) {
    const auto width = std::ssize(all) / batch.signature.batch;
    return std::decay_t<decltype(all)>(all.begin() + first * width, all.begin() + last * width);
  };
  Batch part{.signature = batch.signature,
             .n_mels = batch.n_mels,
             .reference_frames = batch.reference_frames,
             .text = some(batch.text),
             .text_lengths = some(batch.text_lengths),
             .mel = some(batch.mel),
             .mel_lengths = some(batch.mel_lengths),
             .reference = some(batch.reference),
             .crop_starts = some(batch.crop_starts),
             .utterances = some(batch.utterances),
             .ids = some(batch.ids)};
  part.signature.batch = last - first;
  return part;
}

UpdateCounts counts_of(const Batch& batch, std::int64_t crop_frames) {
  UpdateCounts counts;
  for (std::size_t row = 0; row < batch.mel_lengths.size(); ++row) {
    const std::int64_t frames = batch.mel_lengths[row];
    if (frames == 0) continue;
    ++counts.utterances;
    counts.symbols += batch.text_lengths[row];
    counts.frames += frames;
    counts.decoder_frames += crop_frames > 0 ? std::min(crop_frames, frames) : frames;
  }
  return counts;
}

UpdateCounts& operator+=(UpdateCounts& sum, const UpdateCounts& more) {
  sum.utterances += more.utterances;
  sum.symbols += more.symbols;
  sum.frames += more.frames;
  sum.decoder_frames += more.decoder_frames;
  return sum;
}

}  // namespace xtts::pipeline
