#pragma once

#include <string>

namespace myxtts::config {

class FieldVisitor;

// Mel settings and model sizes: the YAML section `model`. Defaults are the presets `tiny` and
// `cpu`. Fields are spelled like the keys and in the order of the file; model_config.cpp has the
// help of each. NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding)
struct ModelConfig {
  int sample_rate = 22050;              // Hz
  int n_fft = 1024, win_length = 1024;  // samples
  int hop_length = 256;                 // samples
  int n_mels = 80;
  double mel_fmin = 0.0, mel_fmax = 8000.0;  // Hz
  double mel_floor = 1e-5;

  std::string model_size = "tiny";
  int text_encoder_dim = 192, text_encoder_conv_layers = 2;
  int text_encoder_layers = 3, text_encoder_heads = 2;
  int text_encoder_ffn_dim = 576;
  bool use_voice_conditioning = true;
  int audio_encoder_dim = 128, audio_encoder_layers = 3;
  int speaker_embedding_dim = 128;
  std::string decoder = "regression";
  int decoder_steps = 4;
  int decoder_dim = 256, decoder_layers = 6, decoder_ffn_dim = 768;
  int mel_discriminator_channels = 32;  // 0: no discriminator
  int decoder_crop_frames = 172;        // 2 s; 0: whole utterances
  double dropout_rate = 0.0;
  bool use_energy_predictor = false;

  std::string vocoder_size = "cpu";
  int vocoder_initial_channel = 256, vocoder_layers = 6, vocoder_ffn_dim = 768;
  int vocoder_crop_frames = 64;  // 0.74 s
};

// Returns true if training uses a mel discriminator (model/mel_discriminator_torch.h). The flow
// decoder has none: in training it predicts from random points of its path, unlike in synthesis.
bool has_mel_discriminator(const ModelConfig& model);

// Visits every field; the only list of the fields of this section.
void visit_fields(ModelConfig& model, FieldVisitor& field);

}  // namespace myxtts::config
