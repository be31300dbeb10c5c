#include "config/model_config.h"

#include "config/field.h"

namespace xtts::config {
namespace {

void visit_mel(ModelConfig& model, FieldVisitor& field) {
  constexpr auto kAudio = ReadBy::kAudio;            // decides how many frames there are
  constexpr auto kAudioAlone = ReadBy::kAudioAlone;  // decides what is in them
  field("sample_rate",
        model.sample_rate,
        "Hz; audio at another rate is resampled",
        {.original = "22050", .range = between(4000, 192000), .read_by = kAudio});
  field("n_fft",
        model.n_fft,
        "samples of one Fourier transform, a power of two",
        {.original = "1024", .range = between(64, 16384), .read_by = kAudioAlone});
  field("win_length",
        model.win_length,
        "samples of the window, at most n_fft",
        {.original = "1024", .range = between(16, 16384), .read_by = kAudioAlone});
  field("hop_length",
        model.hop_length,
        "samples between two frames, at most win_length",
        {.original = "256", .range = between(1, 16384), .read_by = kAudio});
  field("n_mels",
        model.n_mels,
        "mel channels",
        {.original = "80", .range = between(1, 512), .read_by = kAudioAlone});
  field("mel_fmin",
        model.mel_fmin,
        "Hz, lower edge of the first channel",
        {.range = between(0, 96000), .read_by = kAudioAlone});
  field("mel_fmax",
        model.mel_fmax,
        "Hz, upper edge of the last channel, at most half of sample_rate",
        {.range = between(1, 96000), .read_by = kAudioAlone});
  field("mel_floor",
        model.mel_floor,
        "smallest magnitude before the logarithm",
        {.range = between(1e-12, 1), .read_by = kAudioAlone});
}

constexpr Range kWidth = between(8, 8192);
constexpr Range kHidden = between(8, 32768);
constexpr Range kDepth = between(1, 128);

void visit_text_encoder(ModelConfig& model, FieldVisitor& field) {
  field("model_size",
        model.model_size,
        "named set of the sizes below; a size given by itself stays",
        {.choices = "tiny|small|normal|big"});
  field("text_encoder_dim",
        model.text_encoder_dim,
        "width of the text encoder",
        {.original = "512", .range = kWidth});
  field("text_encoder_conv_layers",
        model.text_encoder_conv_layers,
        "ConvNeXt blocks before the attention blocks",
        {.range = between(0, 128)});
  field("text_encoder_layers",
        model.text_encoder_layers,
        "attention blocks of the text encoder",
        {.original = "8", .range = kDepth});
  field("text_encoder_heads",
        model.text_encoder_heads,
        "attention heads, a divisor of text_encoder_dim",
        {.original = "8", .range = kDepth});
  field("text_encoder_ffn_dim",
        model.text_encoder_ffn_dim,
        "hidden width inside the blocks of the text encoder",
        {.range = kHidden});
}

void visit_voice(ModelConfig& model, FieldVisitor& field) {
  field("use_voice_conditioning",
        model.use_voice_conditioning,
        "hear a reference recording; false: one voice, no cloning",
        {.original = "True"});
  field("audio_encoder_dim",
        model.audio_encoder_dim,
        "width of the voice encoder",
        {.original = "768", .range = kWidth});
  field("audio_encoder_layers",
        model.audio_encoder_layers,
        "blocks of the voice encoder",
        {.original = "8", .range = kDepth});
  field("speaker_embedding_dim",
        model.speaker_embedding_dim,
        "numbers that describe a voice",
        {.original = "512", .range = kWidth});
}

void visit_decoder(ModelConfig& model, FieldVisitor& field) {
  field("decoder",
        model.decoder,
        "how mel frames are made: in one pass, or from noise in decoder_steps",
        {.choices = "regression|flow"});
  field("decoder_steps",
        model.decoder_steps,
        "steps in which a flow speaks",
        {.range = between(1, 64)});
  field("decoder_dim",
        model.decoder_dim,
        "width of the decoder",
        {.original = "1536", .range = kWidth});
  field("decoder_layers",
        model.decoder_layers,
        "ConvNeXt blocks of the decoder",
        {.original = "16", .range = kDepth});
  field("decoder_ffn_dim",
        model.decoder_ffn_dim,
        "hidden width inside the blocks of the decoder",
        {.range = kHidden});
  field("decoder_crop_frames",
        model.decoder_crop_frames,
        "frames of an utterance that a step decodes, 64 or more; 0: all of them",
        {.range = between(0, 4000)});
  field("mel_discriminator_channels",
        model.mel_discriminator_channels,
        "width of the critic that tells decoded mels from recorded ones; 0, or a flow: none",
        {.range = between(0, 1024)});
  field("dropout_rate",
        model.dropout_rate,
        "share of activations that training leaves out",
        {.range = below_one()});
  field("use_energy_predictor",
        model.use_energy_predictor,
        "predict the energy of each symbol and give it to the decoder",
        {});
}

void visit_vocoder_sizes(ModelConfig& model, FieldVisitor& field) {
  constexpr auto kVocoder = ReadBy::kVocoder;
  field("vocoder_size",
        model.vocoder_size,
        "named set of the three sizes below; a size given by itself stays",
        {.choices = "cpu|full", .read_by = kVocoder});
  field("vocoder_initial_channel",
        model.vocoder_initial_channel,
        "width of the vocoder",
        {.original = "512", .range = kWidth, .read_by = kVocoder});
  field("vocoder_layers",
        model.vocoder_layers,
        "ConvNeXt blocks of the vocoder",
        {.range = kDepth, .read_by = kVocoder});
  field("vocoder_ffn_dim",
        model.vocoder_ffn_dim,
        "hidden width inside the blocks of the vocoder",
        {.range = kHidden, .read_by = kVocoder});
  field("vocoder_crop_frames",
        model.vocoder_crop_frames,
        "hops of sound that a step sees of each utterance, twice n_fft or more",
        {.range = between(4, 4000), .read_by = kVocoder});
}

}  // namespace

bool has_mel_discriminator(const ModelConfig& model) {
  return model.mel_discriminator_channels > 0 && model.decoder != "flow";
}

void visit_fields(ModelConfig& model, FieldVisitor& field) {
  visit_mel(model, field);
  visit_text_encoder(model, field);
  visit_voice(model, field);
  visit_decoder(model, field);
  visit_vocoder_sizes(model, field);
}

}  // namespace xtts::config
