#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "pipeline/signature.h"

namespace xtts::pipeline {

// What the losses of a whole update are divided by, so that padding, splitting and accumulating are
// the same arithmetic.
struct BatchCounts {
  std::int64_t utterances = 0;
  std::int64_t symbols = 0;         // valid text positions
  std::int64_t frames = 0;          // valid mel frames
  std::int64_t decoder_frames = 0;  // valid frames within the decoder's crops; frames without crops

  bool operator==(const BatchCounts&) const = default;
};

BatchCounts& operator+=(BatchCounts& sum, const BatchCounts& more);

// Where a resumed run continues: the update `update` of epoch `epoch` is the next one.
struct LoaderPosition {
  std::int64_t epoch = 0;
  std::int64_t update = 0;

  bool operator==(const LoaderPosition&) const = default;
};

// One micro-batch, padded to its signature, in plain memory that the model's thread wraps into
// tensors. B rows, T symbols, M frames, C channels, R frames of the reference clip, S samples. A
// row of length 0 is empty and counts for nothing. A batch of sound has no symbols: its mel is that
// of its samples, with frame k centred on sample k * hop.
struct MicroBatch {
  Signature signature;
  std::int64_t n_mels = 0;                 // C
  std::int64_t reference_frames = 0;       // R
  std::vector<std::int64_t> text;          // [B, T], padded with the symbol table's pad id
  std::vector<std::int64_t> text_lengths;  // [B]
  std::vector<float> mel;                  // [B, M, C], padded with the logarithm of the mel floor
  std::vector<std::int64_t> mel_lengths;   // [B]
  std::vector<float> reference;            // [B, R, C], of another recording of the same speaker
  std::vector<float> sound;                // [B, S] of a batch of sound, padded with silence
  std::vector<std::int64_t> crop_starts;   // [B] first frame that the decoder sees; 0 without crops
  std::vector<std::size_t> utterances;  // [B] indices into the feature set; unused for empty rows
  std::vector<std::string> ids;         // [B], "" for empty rows
};

// The values of one row of [B, ...].
template <typename Value>
std::span<Value> row_of(std::vector<Value>& values, std::size_t row, std::int64_t batch) {
  const std::size_t width = values.size() / static_cast<std::size_t>(batch);
  return std::span(values).subspan(row * width, width);
}

// Gives the batch the sizes of a signature; memory that it has is used again. What its rows hold is
// what was there before: every row is to be filled and padded, or emptied.
void shape(MicroBatch& batch,
           const Signature& signature,
           std::int64_t n_mels,
           std::int64_t reference_frames);

// Padding from there to the end of the row.
void pad_text(MicroBatch& batch, std::size_t row, std::size_t num_symbols);
void pad_mel(MicroBatch& batch, std::size_t row, std::size_t num_values, float mel_pad);

// Nothing but padding, of length 0.
void empty_row(MicroBatch& batch, std::size_t row, float mel_pad);

// A batch of empty rows.
MicroBatch empty_batch(const Signature& signature,
                       std::int64_t n_mels,
                       std::int64_t reference_frames,
                       float mel_pad);

// Memory of a batch that has held each of these signatures, without the ids' letters: every array
// keeps the most that it was asked for.
std::size_t bytes_of(std::span<const Signature> signatures,
                     std::int64_t n_mels,
                     std::int64_t reference_frames);

// Asks for all of it at once: a batch that grows from signature to signature leaves holes behind
// that nobody can use.
void reserve(MicroBatch& batch,
             std::span<const Signature> signatures,
             std::int64_t n_mels,
             std::int64_t reference_frames);

// Rows first .. last - 1 as a batch of their own, with the same lengths.
MicroBatch rows_of(const MicroBatch& batch, std::int64_t first, std::int64_t last);

// What the rows that are not empty hold. A decoder that sees `crop_frames` of each utterance (0:
// all) sees no more than there are.
BatchCounts counts_of(const MicroBatch& batch, std::int64_t crop_frames);

// The micro-batches of one update.
struct Batch {
  std::vector<MicroBatch> micro_batches;
  BatchCounts counts;
  std::int64_t epoch = 0;
  LoaderPosition next;  // what a save of this update stores
};

}  // namespace xtts::pipeline
