#pragma once

#include <string>

namespace xtts::config {

class FieldVisitor;

// The mel contract and the sizes of the models, by default those of `tiny` and `cpu`. The keys of
// the YAML section `model`, spelled alike; what each means is said once, in model_config.cpp.
// Fields stand in the order of the file, by meaning.
// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding)
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
  int mel_discriminator_channels = 32;  // 0: no critic
  int decoder_crop_frames = 172;        // 2 s; 0: whole utterances
  double dropout_rate = 0.0;
  bool use_energy_predictor = false;

  std::string vocoder_size = "cpu";
  int vocoder_initial_channel = 256, vocoder_layers = 6, vocoder_ffn_dim = 768;
  int vocoder_crop_frames = 64;  // 0.74 s
};

// Whether a critic looks at what is decoded while the model is trained
// (model/mel_discriminator_torch.h). A flow's decoded mels are points on a way, not frames that are
// spoken: it has none.
bool has_mel_discriminator(const ModelConfig& model);

// The one list of fields. Reading, writing, --set, flags, diff and the reference page walk it.
void visit_fields(ModelConfig& model, FieldVisitor& field);

}  // namespace xtts::config
