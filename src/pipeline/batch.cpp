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
  std::size_t sound = 0;   // samples of all rows
};

MostElements most_elements(std::span<const Signature> signatures) {
  MostElements most;
  for (const Signature& one : signatures) {
    most.rows = std::max(most.rows, static_cast<std::size_t>(one.batch));
    most.text = std::max(most.text, static_cast<std::size_t>(one.batch * one.text));
    most.frames = std::max(most.frames, static_cast<std::size_t>(one.batch * one.mel));
    most.sound = std::max(most.sound, static_cast<std::size_t>(one.batch * one.samples));
  }
  return most;
}

}  // namespace

void shape(MicroBatch& batch,
           const Signature& signature,
           std::int64_t n_mels,
           std::int64_t reference_frames) {
  const auto rows = static_cast<std::size_t>(signature.batch);
  const auto text = static_cast<std::size_t>(signature.text);
  const auto frames = static_cast<std::size_t>(signature.mel);
  const auto channels = static_cast<std::size_t>(n_mels);

  batch.signature = signature;
  batch.n_mels = n_mels;
  batch.reference_frames = reference_frames;
  batch.text.resize(rows * text);
  batch.text_lengths.resize(rows);
  batch.mel.resize(rows * frames * channels);
  batch.mel_lengths.resize(rows);
  batch.reference.resize(rows * static_cast<std::size_t>(reference_frames) * channels);
  batch.sound.resize(rows * static_cast<std::size_t>(signature.samples));
  batch.crop_starts.resize(rows);
  batch.utterances.resize(rows);
  batch.ids.resize(rows);
}

void empty_row(MicroBatch& batch, std::size_t row, float mel_pad) {
  pad_text(batch, row, 0);
  pad_mel(batch, row, 0, mel_pad);
  std::ranges::fill(row_of(batch.reference, row, batch.signature.batch), mel_pad);
  std::ranges::fill(row_of(batch.sound, row, batch.signature.batch), 0.0F);
  batch.text_lengths[row] = 0;
  batch.mel_lengths[row] = 0;
  batch.crop_starts[row] = 0;
  batch.utterances[row] = 0;
  batch.ids[row].clear();
}

void pad_text(MicroBatch& batch, std::size_t row, std::size_t num_symbols) {
  const std::span<std::int64_t> text = row_of(batch.text, row, batch.signature.batch);
  std::ranges::fill(text.subspan(num_symbols), text::SymbolTable::kPadId);
}

void pad_mel(MicroBatch& batch, std::size_t row, std::size_t num_values, float mel_pad) {
  const std::span<float> mel = row_of(batch.mel, row, batch.signature.batch);
  std::ranges::fill(mel.subspan(num_values), mel_pad);
}

MicroBatch empty_batch(const Signature& signature,
                       std::int64_t n_mels,
                       std::int64_t reference_frames,
                       float mel_pad) {
  MicroBatch batch;
  shape(batch, signature, n_mels, reference_frames);
  for (std::size_t row = 0; row < batch.ids.size(); ++row)
    empty_row(batch, row, mel_pad);
  return batch;
}

std::size_t bytes_of(std::span<const Signature> signatures,
                     std::int64_t n_mels,
                     std::int64_t reference_frames) {
  const MicroBatch batch;
  const auto width = [](const auto& values) { return sizeof(values[0]); };
  const MostElements most = most_elements(signatures);
  const std::size_t row =
      static_cast<std::size_t>(reference_frames * n_mels) * width(batch.reference) +
      width(batch.text_lengths) + width(batch.mel_lengths) + width(batch.crop_starts) +
      width(batch.utterances) + width(batch.ids);
  return most.text * width(batch.text) +
         most.frames * static_cast<std::size_t>(n_mels) * width(batch.mel) +
         most.sound * width(batch.sound) + most.rows * row;
}

void reserve(MicroBatch& batch,
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
  batch.sound.reserve(most.sound);
  batch.crop_starts.reserve(most.rows);
  batch.utterances.reserve(most.rows);
  batch.ids.reserve(most.rows);
}

MicroBatch rows_of(const MicroBatch& batch, std::int64_t first, std::int64_t last) {
  const auto some = [&](const auto& all) {
    const auto width = std::ssize(all) / batch.signature.batch;
    return std::decay_t<decltype(all)>(all.begin() + first * width, all.begin() + last * width);
  };
  MicroBatch part{.signature = batch.signature,
                  .n_mels = batch.n_mels,
                  .reference_frames = batch.reference_frames,
                  .text = some(batch.text),
                  .text_lengths = some(batch.text_lengths),
                  .mel = some(batch.mel),
                  .mel_lengths = some(batch.mel_lengths),
                  .reference = some(batch.reference),
                  .sound = some(batch.sound),
                  .crop_starts = some(batch.crop_starts),
                  .utterances = some(batch.utterances),
                  .ids = some(batch.ids)};
  part.signature.batch = last - first;
  return part;
}

BatchCounts counts_of(const MicroBatch& batch, std::int64_t crop_frames) {
  BatchCounts counts;
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

BatchCounts& operator+=(BatchCounts& sum, const BatchCounts& more) {
  sum.utterances += more.utterances;
  sum.symbols += more.symbols;
  sum.frames += more.frames;
  sum.decoder_frames += more.decoder_frames;
  return sum;
}

}  // namespace xtts::pipeline
