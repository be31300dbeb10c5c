// The layers of the model. Activations are channel-last, [B, L, D]: B rows, L positions (symbols or
// frames), D channels. Masks are [B, L, 1], 1 where a position is valid; a layer that looks at
// neighbours is given zeros outside, so that padding further changes nothing.
//
// Parameters are float32; the arithmetic is in the type of the activations (float32 or bfloat16).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <torch/types.h>

#include "model/parameters_torch.h"

namespace xtts::model {

struct Linear {
  Linear(ParameterSet& parameters, const std::string& name, std::int64_t in, std::int64_t out);
  // The same, starting at zero: a branch that begins by changing nothing.
  static Linear zeros(ParameterSet& parameters,
                      const std::string& name,
                      std::int64_t in,
                      std::int64_t out);

  // The same, with weights that count as constants.
  Linear frozen() const { return {weight.detach(), bias.detach(), rounded}; }

  torch::Tensor operator()(const torch::Tensor& x) const;  // [..., in] -> [..., out]
  torch::Tensor gelu(const torch::Tensor& x) const;        // gelu of the same
  // before + the same * mask, [B, L, out]
  torch::Tensor add_to(const torch::Tensor& before,
                       const torch::Tensor& x,
                       const torch::Tensor& mask) const;

  torch::Tensor weight;                          // [out, in]
  torch::Tensor bias;                            // [out]
  std::shared_ptr<const torch::Tensor> rounded;  // of the weight, if the parameters keep it

 private:
  Linear(torch::Tensor its_weight,
         torch::Tensor its_bias,
         std::shared_ptr<const torch::Tensor> its_rounded);
  // The weight for a product with x; of its type or to be brought to it.
  const torch::Tensor& weight_for(const torch::Tensor& x) const;
};

struct LayerNorm {
  LayerNorm(ParameterSet& parameters, const std::string& name, std::int64_t width);

  torch::Tensor operator()(const torch::Tensor& x) const;

  torch::Tensor scale;  // [D]
  torch::Tensor shift;  // [D]
};

// Of each row and channel, [B, D] float32.
struct ScaleAndShift {
  torch::Tensor scale;
  torch::Tensor shift;
};

// Scale and shift by the voice: x * (1 + s) + t. Starts as the identity.
struct VoiceShift {
  VoiceShift(ParameterSet& parameters,
             const std::string& name,
             std::int64_t voice_width,
             std::int64_t width);

  // x [B, L, D], voice [B, V]
  torch::Tensor operator()(const torch::Tensor& x, const torch::Tensor& voice) const;
  // A norm's own scale and shift with those of the voice behind them.
  ScaleAndShift after(const LayerNorm& norm, const torch::Tensor& voice) const;

  Linear both;  // [2 D, V]
};

// A convolution over three positions as one matrix product over [x(l-1), x(l), x(l+1)], and gelu.
struct Convolution3 {
  Convolution3(ParameterSet& parameters,
               const std::string& name,
               std::int64_t in,
               std::int64_t out);

  torch::Tensor gelu(const torch::Tensor& x) const;  // x is 0 outside of its row's length

  Linear linear;  // [out, 3 in]
};

// ConvNeXt: depthwise convolution over 7 positions, norm, voice, two linear layers, residual.
struct ConvNextBlock {
  static constexpr std::int64_t kKernel = 7;

  ConvNextBlock(ParameterSet& parameters,
                const std::string& name,
                std::int64_t width,
                std::int64_t hidden,
                std::int64_t voice_width);

  // x [B, L, D] with zeros outside of the mask, and so is the result. A block made with a voice
  // width of 0 has no voice and is given an undefined one.
  torch::Tensor operator()(const torch::Tensor& x,
                           const torch::Tensor& mask,
                           const torch::Tensor& voice) const;

  torch::Tensor kernel;       // [D, 7]
  torch::Tensor kernel_bias;  // [D]
  LayerNorm norm;
  std::optional<VoiceShift> voice_shift;
  Linear wide;
  Linear narrow;
};

// Attention over all valid symbols with rotary positions, then a convolutional feed-forward part.
struct AttentionBlock {
  AttentionBlock(ParameterSet& parameters,
                 const std::string& name,
                 std::int64_t width,
                 std::int64_t its_heads,
                 std::int64_t hidden,
                 std::int64_t voice_width);

  torch::Tensor operator()(const torch::Tensor& x,
                           const torch::Tensor& mask,
                           const torch::Tensor& voice) const;

  std::int64_t heads;
  LayerNorm attention_norm;
  Linear query_key_value;
  Linear attention_out;
  LayerNorm ffn_norm;
  VoiceShift voice_shift;
  Convolution3 wide;
  Linear narrow;

 private:
  // What each symbol hears, before attention_out.
  torch::Tensor attend(const torch::Tensor& x, const torch::Tensor& mask) const;
};

// [B, L, D] -> [B, L, (2 reach + 1) D]: each position with its neighbours in their order, zeros
// outside. For data: its gradient would be slower than that of a sum of shifted copies.
torch::Tensor with_neighbours(const torch::Tensor& x, std::int64_t reach);

// Rotary positions: turns the pairs (d, d + D/2) of [B, heads, T, D] by the angle of their
// position.
torch::Tensor rotate(const torch::Tensor& x);

// [B, L, 1] of `like`'s type: 1 for positions below the length of their row. lengths [B] int64.
torch::Tensor length_mask(const torch::Tensor& lengths,
                          std::int64_t positions,
                          torch::ScalarType type);

}  // namespace xtts::model
