#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <ATen/Parallel.h>
#include <gtest/gtest.h>
#include <torch/types.h>

#include "base/random.h"
#include "config/model_config.h"
#include "data/batch.h"
#include "model/acoustic_model_torch.h"

namespace myxtts::model {

// Small models, random batches and comparisons for model tests.
//
// Tests run on one thread, because their tensors are small. A test that needs more uses
// ThreadsGuard.
inline const bool kOneThread = [] {
  at::set_num_threads(1);
  return true;
}();

inline constexpr std::int64_t kNumSymbols = 12;  // including padding
inline constexpr std::int64_t kChannels = 8;
inline constexpr std::int64_t kReferenceFrames = 9;

// Returns a model with all components and some thousand parameters.
inline config::ModelConfig small_config() {
  config::ModelConfig config;
  config.n_mels = kChannels;
  config.text_encoder_dim = 16;
  config.text_encoder_layers = 1;
  config.text_encoder_conv_layers = 1;
  config.text_encoder_ffn_dim = 24;
  config.audio_encoder_dim = 12;
  config.audio_encoder_layers = 1;
  config.speaker_embedding_dim = 8;
  config.decoder_dim = 20;
  config.decoder_layers = 2;
  config.decoder_ffn_dim = 24;
  config.decoder_crop_frames = 0;
  config.mel_discriminator_channels = 2;
  return config;
}

inline float between(base::Random& random, double low, double high) {
  return static_cast<float>(low + (high - low) * random.unit());
}

inline std::vector<float> random_values(std::int64_t count, std::uint64_t seed) {
  base::Random random(seed);
  std::vector<float> values(static_cast<std::size_t>(count));
  for (float& value : values)
    value = between(random, -1.0, 1.0);
  return values;
}

inline torch::Tensor random_tensor(const std::vector<std::int64_t>& shape, std::uint64_t seed) {
  const std::int64_t count =
      std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
  return torch::tensor(random_values(count, seed), torch::kFloat32).view(shape);
}

// Adds noise to all parameters, because zero-initialised branches would hide errors.
inline void add_noise(ParameterSet& parameters, double size, std::uint64_t seed) {
  const torch::NoGradGuard no_grad;
  parameters.values().add_(random_tensor({parameters.num_elements()}, seed), size);
}

// One utterance before batching.
struct Row {
  std::vector<std::int64_t> text;
  std::vector<std::int64_t> durations;  // frames of each symbol
  std::vector<float> mel;               // [frames, C]
  std::vector<float> reference;         // [R, C]
  std::int64_t crop_start = 0;

  std::int64_t num_frames() const {
    return std::accumulate(durations.begin(), durations.end(), std::int64_t{0});
  }
};

// Returns rows of noise with random durations: 3 to 7 symbols, 3 to 42 frames.
inline std::vector<Row> random_rows(std::size_t count, std::uint64_t seed, std::int64_t crop = 0) {
  base::Random random(seed);
  std::vector<Row> rows(count);
  for (Row& row : rows) {
    const std::uint64_t num_symbols = 3 + random.below(5);
    for (std::uint64_t t = 0; t < num_symbols; ++t) {
      row.text.push_back(static_cast<std::int64_t>(1 + random.below(kNumSymbols - 1)));
      row.durations.push_back(static_cast<std::int64_t>(1 + random.below(6)));
    }
    row.mel = random_values(row.num_frames() * kChannels, random.next());
    row.reference = random_values(kReferenceFrames * kChannels, random.next());
    const std::int64_t spare = crop > 0 ? std::max<std::int64_t>(row.num_frames() - crop, 0) : 0;
    row.crop_start = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(spare) + 1));
  }
  return rows;
}

// Returns the smallest signature for the rows, plus `spare` symbols and frames.
inline data::Signature signature_of(std::span<const Row> rows, std::int64_t spare = 0) {
  data::Signature signature{.batch = std::ssize(rows)};
  for (const Row& row : rows) {
    signature.text = std::max(signature.text, std::ssize(row.text) + spare);
    signature.mel = std::max(signature.mel, row.num_frames() + spare);
  }
  return signature;
}

// Returns a micro-batch of these rows; additional rows of the signature are empty.
inline data::MicroBatch batch_of(std::span<const Row> rows, const data::Signature& signature) {
  data::MicroBatch batch = data::empty_micro_batch(signature, kChannels, kReferenceFrames, -11.5F);
  for (std::size_t b = 0; b < rows.size(); ++b) {
    const Row& row = rows[b];
    const auto at = static_cast<std::int64_t>(b);
    std::ranges::copy(row.text, batch.text.begin() + at * signature.text);
    std::ranges::copy(row.mel, batch.mel.begin() + at * signature.mel * kChannels);
    std::ranges::copy(row.reference, batch.reference.begin() + at * kReferenceFrames * kChannels);
    batch.text_lengths[b] = std::ssize(row.text);
    batch.mel_lengths[b] = row.num_frames();
    batch.crop_starts[b] = row.crop_start;
    batch.ids[b] = "row " + std::to_string(b);
  }
  return batch;
}

// Returns the durations of the rows in the shape of the batch: [B, T] int64.
inline torch::Tensor durations_of(std::span<const Row> rows, const data::Signature& signature) {
  torch::Tensor durations = torch::zeros({signature.batch, signature.text}, torch::kInt64);
  for (std::size_t b = 0; b < rows.size(); ++b)
    for (std::size_t t = 0; t < rows[b].durations.size(); ++t)
      durations.index_put_({static_cast<std::int64_t>(b), static_cast<std::int64_t>(t)},
                           rows[b].durations[t]);
  return durations;
}

// Overwrites the padding of the micro-batch with random symbols and noise.
inline void disturb_padding(data::MicroBatch& batch, std::uint64_t seed) {
  base::Random random(seed);
  const data::Signature& size = batch.signature;
  for (std::int64_t b = 0; b < size.batch; ++b) {
    const auto row = static_cast<std::size_t>(b);
    for (std::int64_t t = batch.text_lengths[row]; t < size.text; ++t)
      batch.text[static_cast<std::size_t>(b * size.text + t)] =
          static_cast<std::int64_t>(random.below(kNumSymbols));
    for (std::int64_t m = batch.mel_lengths[row] * kChannels; m < size.mel * kChannels; ++m)
      batch.mel[static_cast<std::size_t>(b * size.mel * kChannels + m)] =
          between(random, -9.0, 9.0);
  }
}

// Returns a writable view of a parameter by its name.
inline torch::Tensor parameter(ParameterSet& parameters, const std::string& name) {
  const auto found = std::ranges::find(parameters.names(), name);
  return parameters.views_of(parameters.values())
      .at(static_cast<std::size_t>(found - parameters.names().begin()));
}

// Sets the number of LibTorch threads during its lifetime.
class ThreadsGuard {
 public:
  explicit ThreadsGuard(int threads) : before_(at::get_num_threads()) {
    at::set_num_threads(threads);
  }
  ~ThreadsGuard() { at::set_num_threads(before_); }
  ThreadsGuard(const ThreadsGuard&) = delete;
  ThreadsGuard& operator=(const ThreadsGuard&) = delete;

 private:
  int before_;
};

// Returns the largest difference relative to the largest expected value.
inline double relative_difference(const torch::Tensor& found, const torch::Tensor& expected) {
  const torch::Tensor exact = expected.to(torch::kFloat64);
  const double largest = exact.abs().max().item<double>();
  const double difference = (found.to(torch::kFloat64) - exact).abs().max().item<double>();
  return largest > 0.0 ? difference / largest : difference;
}

inline bool same_bits(const torch::Tensor& one, const torch::Tensor& other) {
  return one.sizes() == other.sizes() && one.scalar_type() == other.scalar_type() &&
         std::memcmp(one.contiguous().const_data_ptr(),
                     other.contiguous().const_data_ptr(),
                     one.nbytes()) == 0;
}

}  // namespace myxtts::model
