// Layers of the models: linear, layer norm, FiLM conditioning, ConvNeXt and attention blocks.
//
// Activations are channel-last, [B, L, D]: B rows, L positions (symbols or frames), D channels.
// Masks are [B, L, 1], 1 where a position is valid. Activations are 0 outside of the mask, so that
// more padding does not change the result. Parameters are float32; layers compute in the type of
// the activations (float32 or bfloat16). V is the width of the speaker embedding.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <torch/types.h>

#include "model/parameters_torch.h"

namespace myxtts::model {

struct Linear {
  Linear(ParameterSet& parameters, const std::string& name, std::int64_t in, std::int64_t out);
  // Creates a zero-initialised layer, for branches that start as the identity.
  static Linear zeros(ParameterSet& parameters,
                      const std::string& name,
                      std::int64_t in,
                      std::int64_t out);

  // Returns a copy whose weights have no gradient.
  Linear frozen() const { return {weight.detach(), bias.detach(), bf16_weight}; }

  torch::Tensor operator()(const torch::Tensor& x) const;  // [..., in] -> [..., out]
  torch::Tensor gelu(const torch::Tensor& x) const;        // gelu(linear(x))
  // Returns residual + linear(x) * mask, [B, L, out].
  torch::Tensor add_to(const torch::Tensor& residual,
                       const torch::Tensor& x,
                       const torch::Tensor& mask) const;

  torch::Tensor weight;  // [out, in]
  torch::Tensor bias;    // [out]
  // bf16 copy of the weight, shared with its ParameterSet; undefined unless it is cached there.
  std::shared_ptr<const torch::Tensor> bf16_weight;

 private:
  Linear(torch::Tensor weight_tensor,
         torch::Tensor bias_tensor,
         std::shared_ptr<const torch::Tensor> bf16_tensor);
  // Returns the cached bf16 weight if x is bfloat16 and it exists, else the float32 weight.
  const torch::Tensor& weight_for(const torch::Tensor& x) const;
};

struct LayerNorm {
  LayerNorm(ParameterSet& parameters, const std::string& name, std::int64_t width);

  torch::Tensor operator()(const torch::Tensor& x) const;

  torch::Tensor scale;  // [D]
  torch::Tensor shift;  // [D]
};

// Scale and shift per row and channel, [B, D] float32.
struct ScaleAndShift {
  torch::Tensor scale;
  torch::Tensor shift;
};

// FiLM conditioning by the speaker embedding: x * (1 + s) + t. Starts as the identity.
struct SpeakerFilm {
  SpeakerFilm(ParameterSet& parameters,
              const std::string& name,
              std::int64_t speaker_width,
              std::int64_t width);

  // x [B, L, D], speaker [B, V]
  torch::Tensor operator()(const torch::Tensor& x, const torch::Tensor& speaker) const;
  // Returns the scale and shift of `norm` followed by this layer.
  ScaleAndShift fused_with(const LayerNorm& norm, const torch::Tensor& speaker) const;

  Linear both;  // [2 D, V]
};

// Convolution over three positions as one matrix product over [x(l-1), x(l), x(l+1)], then GELU.
struct Convolution3 {
  Convolution3(ParameterSet& parameters,
               const std::string& name,
               std::int64_t in,
               std::int64_t out);

  torch::Tensor gelu(const torch::Tensor& x) const;  // x is 0 outside of the mask

  Linear linear;  // [out, 3 in]
};

// ConvNeXt block: depthwise convolution over 7 positions, layer norm, FiLM by the speaker
// embedding, two linear layers, residual connection.
struct ConvNextBlock {
  static constexpr std::int64_t kKernel = 7;

  ConvNextBlock(ParameterSet& parameters,
                const std::string& name,
                std::int64_t width,
                std::int64_t hidden,
                std::int64_t speaker_width);

  // x [B, L, D] and the result are 0 outside of the mask. A block with a speaker width of 0 has no
  // FiLM layer and takes an undefined speaker embedding.
  torch::Tensor operator()(const torch::Tensor& x,
                           const torch::Tensor& mask,
                           const torch::Tensor& speaker) const;

  torch::Tensor kernel;       // [D, 7]
  torch::Tensor kernel_bias;  // [D]
  LayerNorm norm;
  std::optional<SpeakerFilm> film;
  Linear wide;
  Linear narrow;
};

// Transformer block: self-attention over valid symbols with rotary position embeddings, then a
// convolutional feed-forward network.
struct AttentionBlock {
  AttentionBlock(ParameterSet& parameters,
                 const std::string& name,
                 std::int64_t width,
                 std::int64_t num_heads,
                 std::int64_t hidden,
                 std::int64_t speaker_width);

  torch::Tensor operator()(const torch::Tensor& x,
                           const torch::Tensor& mask,
                           const torch::Tensor& speaker) const;

  std::int64_t heads;
  LayerNorm attention_norm;
  Linear query_key_value;
  Linear attention_out;
  LayerNorm ffn_norm;
  SpeakerFilm film;
  Convolution3 wide;
  Linear narrow;

 private:
  // Returns the multi-head attention output before attention_out.
  torch::Tensor attend(const torch::Tensor& x, const torch::Tensor& mask) const;
};

// Concatenates each position with its neighbours in order, zero-padded: [B, L, D] ->
// [B, L, (2 reach + 1) D]. Meant for inputs: its gradient is slower than that of shifted copies.
torch::Tensor with_neighbours(const torch::Tensor& x, std::int64_t reach);

// Applies rotary position embeddings: rotates the pairs (d, d + D/2) of [B, heads, T, D] by an
// angle that depends on the position.
torch::Tensor apply_rotary_embedding(const torch::Tensor& x);

// Returns [B, L, 1] in `type`: 1 for positions below the length of their row. lengths [B] int64.
torch::Tensor length_mask(const torch::Tensor& lengths,
                          std::int64_t positions,
                          torch::ScalarType type);

}  // namespace myxtts::model
