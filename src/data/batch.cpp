#include "data/batch.h"

#include <algorithm>
#include <type_traits>

#include "text/symbol_table.h"

namespace myxtts::data {
namespace {

// The largest element counts over some signatures.
struct MaxElements {
  std::size_t rows = 0;
  std::size_t text = 0;      // symbols of all rows
  std::size_t frames = 0;    // mel frames of all rows
  std::size_t waveform = 0;  // samples of all rows
};

MaxElements max_elements(std::span<const Signature> signatures) {
  MaxElements max;
  for (const Signature& one : signatures) {
    max.rows = std::max(max.rows, static_cast<std::size_t>(one.batch));
    max.text = std::max(max.text, static_cast<std::size_t>(one.batch * one.text));
    max.frames = std::max(max.frames, static_cast<std::size_t>(one.batch * one.mel));
    max.waveform = std::max(max.waveform, static_cast<std::size_t>(one.batch * one.samples));
  }
  return max;
}

}  // namespace

void set_shape(MicroBatch& micro_batch,
               const Signature& signature,
               std::int64_t n_mels,
               std::int64_t reference_frames) {
  const auto rows = static_cast<std::size_t>(signature.batch);
  const auto text = static_cast<std::size_t>(signature.text);
  const auto frames = static_cast<std::size_t>(signature.mel);
  const auto channels = static_cast<std::size_t>(n_mels);

  micro_batch.signature = signature;
  micro_batch.n_mels = n_mels;
  micro_batch.reference_frames = reference_frames;
  micro_batch.text.resize(rows * text);
  micro_batch.text_lengths.resize(rows);
  micro_batch.mel.resize(rows * frames * channels);
  micro_batch.mel_lengths.resize(rows);
  micro_batch.reference.resize(rows * static_cast<std::size_t>(reference_frames) * channels);
  micro_batch.waveform.resize(rows * static_cast<std::size_t>(signature.samples));
  micro_batch.crop_starts.resize(rows);
  micro_batch.utterances.resize(rows);
  micro_batch.ids.resize(rows);
}

void clear_row(MicroBatch& micro_batch, std::size_t row, float mel_pad) {
  pad_text(micro_batch, row, 0);
  pad_mel(micro_batch, row, 0, mel_pad);
  std::ranges::fill(row_of(micro_batch.reference, row, micro_batch.signature.batch), mel_pad);
  std::ranges::fill(row_of(micro_batch.waveform, row, micro_batch.signature.batch), 0.0F);
  micro_batch.text_lengths[row] = 0;
  micro_batch.mel_lengths[row] = 0;
  micro_batch.crop_starts[row] = 0;
  micro_batch.utterances[row] = 0;
  micro_batch.ids[row].clear();
}

void pad_text(MicroBatch& micro_batch, std::size_t row, std::size_t num_symbols) {
  const std::span<std::int64_t> text = row_of(micro_batch.text, row, micro_batch.signature.batch);
  std::ranges::fill(text.subspan(num_symbols), text::SymbolTable::kPadId);
}

void pad_mel(MicroBatch& micro_batch, std::size_t row, std::size_t num_values, float mel_pad) {
  const std::span<float> mel = row_of(micro_batch.mel, row, micro_batch.signature.batch);
  std::ranges::fill(mel.subspan(num_values), mel_pad);
}

MicroBatch empty_micro_batch(const Signature& signature,
                             std::int64_t n_mels,
                             std::int64_t reference_frames,
                             float mel_pad) {
  MicroBatch micro_batch;
  set_shape(micro_batch, signature, n_mels, reference_frames);
  for (std::size_t row = 0; row < micro_batch.ids.size(); ++row)
    clear_row(micro_batch, row, mel_pad);
  return micro_batch;
}

std::size_t bytes_of(std::span<const Signature> signatures,
                     std::int64_t n_mels,
                     std::int64_t reference_frames) {
  const MicroBatch micro_batch;
  const auto width = [](const auto& values) { return sizeof(values[0]); };
  const MaxElements max = max_elements(signatures);
  const std::size_t row =
      static_cast<std::size_t>(reference_frames * n_mels) * width(micro_batch.reference) +
      width(micro_batch.text_lengths) + width(micro_batch.mel_lengths) +
      width(micro_batch.crop_starts) + width(micro_batch.utterances) + width(micro_batch.ids);
  return max.text * width(micro_batch.text) +
         max.frames * static_cast<std::size_t>(n_mels) * width(micro_batch.mel) +
         max.waveform * width(micro_batch.waveform) + max.rows * row;
}

void reserve(MicroBatch& micro_batch,
             std::span<const Signature> signatures,
             std::int64_t n_mels,
             std::int64_t reference_frames) {
  const MaxElements max = max_elements(signatures);
  const auto channels = static_cast<std::size_t>(n_mels);
  micro_batch.text.reserve(max.text);
  micro_batch.text_lengths.reserve(max.rows);
  micro_batch.mel.reserve(max.frames * channels);
  micro_batch.mel_lengths.reserve(max.rows);
  micro_batch.reference.reserve(max.rows * static_cast<std::size_t>(reference_frames) * channels);
  micro_batch.waveform.reserve(max.waveform);
  micro_batch.crop_starts.reserve(max.rows);
  micro_batch.utterances.reserve(max.rows);
  micro_batch.ids.reserve(max.rows);
}

MicroBatch slice_rows(const MicroBatch& micro_batch, std::int64_t first, std::int64_t last) {
  const auto slice = [&](const auto& all) {
    const auto width = std::ssize(all) / micro_batch.signature.batch;
    return std::decay_t<decltype(all)>(all.begin() + first * width, all.begin() + last * width);
  };
  MicroBatch part{.signature = micro_batch.signature,
                  .n_mels = micro_batch.n_mels,
                  .reference_frames = micro_batch.reference_frames,
                  .text = slice(micro_batch.text),
                  .text_lengths = slice(micro_batch.text_lengths),
                  .mel = slice(micro_batch.mel),
                  .mel_lengths = slice(micro_batch.mel_lengths),
                  .reference = slice(micro_batch.reference),
                  .waveform = slice(micro_batch.waveform),
                  .crop_starts = slice(micro_batch.crop_starts),
                  .utterances = slice(micro_batch.utterances),
                  .ids = slice(micro_batch.ids)};
  part.signature.batch = last - first;
  return part;
}

BatchCounts counts_of(const MicroBatch& micro_batch, std::int64_t crop_frames) {
  BatchCounts counts;
  for (std::size_t row = 0; row < micro_batch.mel_lengths.size(); ++row) {
    const std::int64_t frames = micro_batch.mel_lengths[row];
    if (frames == 0) continue;
    ++counts.utterances;
    counts.symbols += micro_batch.text_lengths[row];
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

}  // namespace myxtts::data
