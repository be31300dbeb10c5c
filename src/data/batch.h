// Batches and micro-batches: the padded input of one optimiser step, in plain memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "data/signature.h"

namespace myxtts::data {

// The numbers of valid positions in a whole batch. Losses are divided by these counts, so that
// padding and gradient accumulation do not change the loss.
struct BatchCounts {
  std::int64_t utterances = 0;
  std::int64_t symbols = 0;  // valid text positions
  std::int64_t frames = 0;   // valid mel frames
  std::int64_t decoder_frames =
      0;  // valid frames within the decoder's crops; all frames without crops

  bool operator==(const BatchCounts&) const = default;
};

BatchCounts& operator+=(BatchCounts& sum, const BatchCounts& more);

// The position of the next batch. A checkpoint stores it.
struct LoaderPosition {
  std::int64_t epoch = 0;
  std::int64_t batch = 0;  // index within the epoch

  bool operator==(const LoaderPosition&) const = default;
};

// The input of one forward and backward pass, padded to its signature, in plain memory that the
// model thread wraps in tensors. B rows, T symbols, M frames, C channels, R frames of the reference
// clip, S samples. A row of length 0 is empty and does not count. A micro-batch of waveforms (for
// the vocoder) has no text; frame k of its mel is centred on sample k * hop.
struct MicroBatch {
  Signature signature;
  std::int64_t n_mels = 0;                 // C
  std::int64_t reference_frames = 0;       // R
  std::vector<std::int64_t> text;          // [B, T], padded with the symbol table's pad id
  std::vector<std::int64_t> text_lengths;  // [B]
  std::vector<float> mel;                  // [B, M, C], padded with the logarithm of the mel floor
  std::vector<std::int64_t> mel_lengths;   // [B]
  std::vector<float> reference;           // [B, R, C] clip of another recording of the same speaker
  std::vector<float> waveform;            // [B, S] padded with zeros; empty without waveforms
  std::vector<std::int64_t> crop_starts;  // [B] first frame of the decoder's crop; 0 without crops
  std::vector<std::size_t> utterances;    // [B] indices into the feature set; unused for empty rows
  std::vector<std::string> ids;           // [B], "" for empty rows
};

// Returns the values of one row of an array [B, ...].
template <typename Value>
std::span<Value> row_of(std::vector<Value>& values, std::size_t row, std::int64_t num_rows) {
  const std::size_t width = values.size() / static_cast<std::size_t>(num_rows);
  return std::span(values).subspan(row * width, width);
}

// Resizes all arrays for a signature and reuses their memory. Old values stay: the caller fills and
// pads, or clears, every row.
void set_shape(MicroBatch& micro_batch,
               const Signature& signature,
               std::int64_t n_mels,
               std::int64_t reference_frames);

// Pad a row from position num_symbols or num_values to its end.
void pad_text(MicroBatch& micro_batch, std::size_t row, std::size_t num_symbols);
void pad_mel(MicroBatch& micro_batch, std::size_t row, std::size_t num_values, float mel_pad);

// Fills a row with padding and sets its lengths to 0.
void clear_row(MicroBatch& micro_batch, std::size_t row, float mel_pad);

// Returns a micro-batch of empty rows.
MicroBatch empty_micro_batch(const Signature& signature,
                             std::int64_t n_mels,
                             std::int64_t reference_frames,
                             float mel_pad);

// Returns the memory of a micro-batch that is reserved for all of these signatures, without the
// characters of the ids.
std::size_t bytes_of(std::span<const Signature> signatures,
                     std::int64_t n_mels,
                     std::int64_t reference_frames);

// Allocates the memory for the largest of these signatures at once. Growing from signature to
// signature would fragment the heap.
void reserve(MicroBatch& micro_batch,
             std::span<const Signature> signatures,
             std::int64_t n_mels,
             std::int64_t reference_frames);

// Returns rows first .. last - 1 as a micro-batch with the same text and mel sizes.
MicroBatch slice_rows(const MicroBatch& micro_batch, std::int64_t first, std::int64_t last);

// Counts the valid positions of all rows. `crop_frames` is the length of the decoder's crops; 0
// means no crops.
BatchCounts counts_of(const MicroBatch& micro_batch, std::int64_t crop_frames);

// The input of one optimiser step. All micro-batches have one signature, unless shapes are dynamic.
struct Batch {
  std::vector<MicroBatch> micro_batches;
  BatchCounts counts;
  std::int64_t epoch = 0;
  LoaderPosition next;  // where a resumed run continues after this batch
};

}  // namespace myxtts::data
