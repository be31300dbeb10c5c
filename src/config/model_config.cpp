#include "config/model_config.h"

#include "config/field.h"

namespace myxtts::config {
namespace {

void visit_mel(ModelConfig& model, FieldVisitor& field) {
  constexpr auto kAudio = ReadBy::kAudio;          // affects the number of frames
  constexpr auto kAudioOnly = ReadBy::kAudioOnly;  // affects the values of frames only
  field("sample_rate",
        model.sample_rate,
        "sample rate in Hz; audio at another rate is resampled",
        {.original = "22050", .range = between(4000, 192000), .read_by = kAudio});
  field("n_fft",
        model.n_fft,
        "FFT size in samples, a power of two",
        {.original = "1024", .range = between(64, 16384), .read_by = kAudioOnly});
  field("win_length",
        model.win_length,
        "window length in samples, at most n_fft",
        {.original = "1024", .range = between(16, 16384), .read_by = kAudioOnly});
  field("hop_length",
        model.hop_length,
        "hop length in samples, at most win_length",
        {.original = "256", .range = between(1, 16384), .read_by = kAudio});
  field("n_mels",
        model.n_mels,
        "mel channels",
        {.original = "80", .range = between(1, 512), .read_by = kAudioOnly});
  field("mel_fmin",
        model.mel_fmin,
        "lower edge of the first mel channel in Hz",
        {.range = between(0, 96000), .read_by = kAudioOnly});
  field("mel_fmax",
        model.mel_fmax,
        "upper edge of the last mel channel in Hz, at most half of sample_rate",
        {.range = between(1, 96000), .read_by = kAudioOnly});
  field("mel_floor",
        model.mel_floor,
        "minimum mel magnitude before the logarithm",
        {.range = between(1e-12, 1), .read_by = kAudioOnly});
}

constexpr Range kWidth = between(8, 8192);
constexpr Range kHidden = between(8, 32768);
constexpr Range kDepth = between(1, 128);

void visit_text_encoder(ModelConfig& model, FieldVisitor& field) {
  field("model_size",
        model.model_size,
        "preset of the model sizes; a key with an explicit value keeps it",
        {.choices = "tiny|small|normal|big"});
  field("text_encoder_dim",
        model.text_encoder_dim,
        "text encoder width",
        {.original = "512", .range = kWidth});
  field("text_encoder_conv_layers",
        model.text_encoder_conv_layers,
        "ConvNeXt blocks of the text encoder, before its attention blocks",
        {.range = between(0, 128)});
  field("text_encoder_layers",
        model.text_encoder_layers,
        "attention blocks of the text encoder",
        {.original = "8", .range = kDepth});
  field("text_encoder_heads",
        model.text_encoder_heads,
        "attention heads of the text encoder, a divisor of text_encoder_dim",
        {.original = "8", .range = kDepth});
  field("text_encoder_ffn_dim",
        model.text_encoder_ffn_dim,
        "feed-forward width of the text encoder",
        {.range = kHidden});
}

void visit_speaker_encoder(ModelConfig& model, FieldVisitor& field) {
  field("use_voice_conditioning",
        model.use_voice_conditioning,
        "conditioning on a reference recording; false: one voice, no cloning",
        {.original = "True"});
  field("audio_encoder_dim",
        model.audio_encoder_dim,
        "speaker encoder width",
        {.original = "768", .range = kWidth});
  field("audio_encoder_layers",
        model.audio_encoder_layers,
        "ConvNeXt blocks of the speaker encoder",
        {.original = "8", .range = kDepth});
  field("speaker_embedding_dim",
        model.speaker_embedding_dim,
        "speaker embedding size",
        {.original = "512", .range = kWidth});
}

void visit_decoder(ModelConfig& model, FieldVisitor& field) {
  field("decoder",
        model.decoder,
        "mel decoder: one regression pass, or flow matching from noise in decoder_steps",
        {.choices = "regression|flow"});
  field("decoder_steps",
        model.decoder_steps,
        "integration steps of the flow decoder at synthesis",
        {.range = between(1, 64)});
  field("decoder_dim", model.decoder_dim, "decoder width", {.original = "1536", .range = kWidth});
  field("decoder_layers",
        model.decoder_layers,
        "ConvNeXt blocks of the decoder",
        {.original = "16", .range = kDepth});
  field("decoder_ffn_dim",
        model.decoder_ffn_dim,
        "feed-forward width of the decoder",
        {.range = kHidden});
  field("decoder_crop_frames",
        model.decoder_crop_frames,
        "decoder training crop in mel frames, at least 64; 0: whole utterances",
        {.range = between(0, 4000)});
  field("mel_discriminator_channels",
        model.mel_discriminator_channels,
        "mel discriminator width in channels; 0, or decoder flow: no discriminator",
        {.range = between(0, 1024)});
  field("dropout_rate",
        model.dropout_rate,
        "dropout probability in training",
        {.range = below_one()});
  field("use_energy_predictor",
        model.use_energy_predictor,
        "per-symbol energy predictor that conditions the decoder",
        {});
}

void visit_vocoder_sizes(ModelConfig& model, FieldVisitor& field) {
  constexpr auto kVocoder = ReadBy::kVocoder;
  field("vocoder_size",
        model.vocoder_size,
        "preset of the vocoder sizes; a key with an explicit value keeps it",
        {.choices = "cpu|full", .read_by = kVocoder});
  field("vocoder_initial_channel",
        model.vocoder_initial_channel,
        "vocoder width",
        {.original = "512", .range = kWidth, .read_by = kVocoder});
  field("vocoder_layers",
        model.vocoder_layers,
        "ConvNeXt blocks of the vocoder",
        {.range = kDepth, .read_by = kVocoder});
  field("vocoder_ffn_dim",
        model.vocoder_ffn_dim,
        "feed-forward width of the vocoder",
        {.range = kHidden, .read_by = kVocoder});
  field("vocoder_crop_frames",
        model.vocoder_crop_frames,
        "vocoder training crop in mel frames, at least 2 x n_fft samples",
        {.range = between(4, 4000), .read_by = kVocoder});
}

}  // namespace

bool has_mel_discriminator(const ModelConfig& model) {
  return model.mel_discriminator_channels > 0 && model.decoder != "flow";
}

void visit_fields(ModelConfig& model, FieldVisitor& field) {
  visit_mel(model, field);
  visit_text_encoder(model, field);
  visit_speaker_encoder(model, field);
  visit_decoder(model, field);
  visit_vocoder_sizes(model, field);
}

}  // namespace myxtts::config
