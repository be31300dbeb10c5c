#include "config/compatibility.h"

#include <span>
#include <sstream>

#include <fmt/format.h>

namespace myxtts::config {
namespace {

// Keys that share a section and a reason.
struct Group {
  const char* section;
  const char* names;  // separated by spaces
  const char* reason;
};

constexpr Group kCorpusGroups[] = {
    {"data", "dataset_name", "the layout of a corpus is recognised from its files"},
    {"data", "auto_download_ljspeech", "corpora are not downloaded; set data.dataset_path"},
    {"data", "max_speakers", "a corpus may have any number of speakers"},
    {"data", "enable_vad", "data.trim_silence and data.trim_top_db trim silence"},
    {"data",
     "enable_pitch_shift pitch_shift_range enable_noise_mixing noise_mixing_probability "
     "noise_mixing_snr_range",
     "there is no audio augmentation"},
    {"data", "enable_phone_normalization", "data.use_phonemes selects phonemes"},
    {"data",
     "enable_multilingual supported_languages language_detection_method",
     "a corpus has one language, data.language"},
    {"data", "train_split", "the training set is what data.val_split leaves"},
    {"data",
     "train_subset_fraction eval_subset_fraction subset_seed",
     "the whole corpus is used; for a subset use a smaller metadata file"},
    {"data", "max_text_tokens", "data.max_text_length is the only text limit"},
};

constexpr Group kPipelineGroups[] = {
    {"data", "shuffle_buffer_multiplier", "every epoch is shuffled completely"},
    {"data", "cache_verification", "cached features are always verified"},
    {"data",
     "auto_rebuild_token_cache auto_rebuild_mel_cache",
     "the cache is keyed by content, so a stale entry is never used"},
    {"data", "enable_xla", "there is no XLA; training.compile_step prepares the step"},
    {"data", "enable_tensorrt", "there is no TensorRT"},
    {"data", "pin_memory", "memory is pinned whenever a GPU is in use"},
    {"data", "persistent_workers", "workers always live until the run ends"},
    {"data", "enhanced_gpu_prefetch", "data.prefetch_to_gpu controls staging"},
    {"data", "optimize_cpu_gpu_overlap", "loading and training always overlap"},
    {"data", "auto_tune_performance", "data.pipeline_buffer_size: auto tunes the buffer"},
};

constexpr Group kModelGroups[] = {
    {"model",
     "text_vocab_size tokenizer_type tokenizer_model use_optimized_nllb_vocab "
     "optimized_vocab_size enable_weight_tying shared_embedding_languages "
     "vocab_optimization_method",
     "the built-in symbol table defines the vocabulary"},
    {"model", "audio_encoder_heads", "the speaker encoder has no attention heads"},
    {"model", "decoder_heads", "the decoder is convolutional and has no attention heads"},
    {"model", "decoder_strategy", "the decoder is non-autoregressive; see model.decoder"},
    {"model", "use_duration_predictor", "durations are always predicted"},
    {"model",
     "diffusion_timesteps diffusion_beta_schedule enable_diffusion_inference",
     "there is no diffusion decoder; see model.decoder flow"},
    {"model",
     "vocoder_upsample_rates vocoder_upsample_kernel_sizes vocoder_resblock_kernel_sizes "
     "vocoder_resblock_dilation_sizes",
     "the vocoder ends in an inverse STFT and has no upsampling layers"},
    {"model", "languages", "a corpus has one language, data.language"},
    {"model", "max_attention_sequence_length", "data.max_text_length is the only text limit"},
    {"model", "use_memory_efficient_attention", "attention runs over short texts only"},
    {"model",
     "enable_gradient_checkpointing",
     "activations are always kept; there is no gradient checkpointing"},
};

constexpr Group kVoiceGroups[] = {
    {"model",
     "voice_conditioning_layers voice_conditioning_strength voice_feature_dim "
     "enable_voice_adaptation",
     "one speaker embedding scales and shifts every block"},
    {"model", "voice_encoder_dropout", "the speaker encoder has no dropout"},
    {"model",
     "max_reference_audio_length min_reference_audio_length",
     "a reference is cropped or repeated to data.reference_audio_length"},
    {"model", "enable_voice_denoising", "reference recordings are not denoised"},
    {"model", "enable_speaker_interpolation", "speaker embeddings are not interpolated"},
    {"model", "voice_cloning_temperature", "synthesis has no sampling temperature"},
    {"model",
     "use_pretrained_speaker_encoder pretrained_speaker_encoder_path freeze_speaker_encoder "
     "speaker_encoder_type",
     "the speaker encoder is trained with the model"},
    {"model",
     "voice_cloning_loss_weight voice_similarity_threshold contrastive_loss_temperature "
     "contrastive_loss_margin",
     "the speaker encoder learns from the mel loss"},
    {"model",
     "use_gst gst_num_style_tokens gst_style_token_dim gst_style_embedding_dim gst_num_heads "
     "gst_reference_encoder_dim gst_enable_emotion_control gst_enable_speaking_rate_control "
     "gst_style_loss_weight",
     "there are no style tokens; the speaker embedding carries the style"},
};

constexpr Group kLossGroups[] = {
    {"training", "kl_loss_weight", "the model has no latent variables and no KL loss"},
    {"training", "attention_loss_weight", "monotonic alignment search replaces attention"},
    {"training",
     "pitch_loss_weight prosody_pitch_loss_weight prosody_energy_loss_weight "
     "speaking_rate_loss_weight prosody_matching_loss_weight",
     "only mel, durations and energy are predicted"},
    {"training",
     "max_duration_frames auxiliary_head_regularization",
     "durations come from the alignment and need no bound"},
    {"training",
     "voice_similarity_loss_weight speaker_classification_loss_weight "
     "voice_reconstruction_loss_weight",
     "the speaker encoder learns from the mel loss"},
    {"training", "spectral_consistency_loss_weight", "the mel loss is the only spectral loss"},
    {"training",
     "use_adaptive_loss_weights adaptive_weight_max_change_percent adaptive_weight_cooling_period "
     "adaptive_weight_min_stable_steps adaptive_weight_min_warmup_steps "
     "adaptive_weight_variance_threshold",
     "loss weights are constant"},
    {"training",
     "loss_smoothing_factor max_loss_spike_threshold",
     "the reported loss is not smoothed"},
    {"training",
     "gradient_norm_threshold loss_alert_threshold",
     "only steps with a non-finite loss or gradient are rejected"},
    {"training",
     "use_label_smoothing mel_label_smoothing use_huber_loss huber_delta use_simple_loss",
     "the mel loss is the L1 distance"},
    {"training",
     "stop_label_smoothing stop_token_positive_weight",
     "there is no stop token; durations determine the end of speech"},
};

constexpr Group kRunGroups[] = {
    {"training",
     "max_memory_fraction enable_memory_cleanup",
     "step memory is planned before step 1"},
    {"training",
     "enable_graph_mode enable_eager_debug",
     "training.compile_step selects the prepared or the eager step"},
    {"training",
     "scheduler_params use_warmup_cosine_schedule cosine_restarts",
     "training.warmup_steps, schedule_steps and min_learning_rate define the schedule"},
    {"training",
     "spectrogram_log_example_index spectrogram_reference_subset spectrogram_reference_index",
     "spectrograms always show the first validation utterances"},
    {"training",
     "use_wandb wandb_project",
     "Weights & Biases can follow the TensorBoard event file (sync_tensorboard)"},
    {"training",
     "enable_automatic_evaluation evaluation_interval",
     "runs are validated every training.val_step steps and evaluated by the judge command every "
     "training.evaluate_every steps"},
    {"training",
     "text2audio_output_dir",
     "samples are written to the run folder, training.checkpoint_dir"},
    {"training", "text2audio_speaker_id", "samples use the speakers of the corpus"},
};

void append(std::vector<IgnoredKey>& keys, std::span<const Group> groups) {
  for (const Group& group : groups) {
    std::istringstream names(group.names);
    for (std::string name; names >> name;) {
      keys.push_back({fmt::format("{}.{}", group.section, name), group.reason});
    }
  }
}

std::vector<IgnoredKey> all_ignored_keys() {
  std::vector<IgnoredKey> keys;
  append(keys, kCorpusGroups);
  append(keys, kPipelineGroups);
  append(keys, kModelGroups);
  append(keys, kVoiceGroups);
  append(keys, kLossGroups);
  append(keys, kRunGroups);
  return keys;
}

}  // namespace

const std::vector<Alias>& aliases() {
  static const std::vector<Alias> all = {
      {"data.use_tf_native_loading", "data.use_native_loading"},
      {"training.enable_xla_compilation", "training.compile_step"},
      {"model.max_text_length", "data.max_text_length"},
      {"data.sample_rate", "model.sample_rate"},
      {"data.n_fft", "model.n_fft"},
      {"data.win_length", "model.win_length"},
      {"data.hop_length", "model.hop_length"},
      {"data.n_mels", "model.n_mels"},
  };
  return all;
}

const std::vector<IgnoredKey>& ignored_keys() {
  static const std::vector<IgnoredKey> all = all_ignored_keys();
  return all;
}

std::string warning_for(const IgnoredKey& ignored) {
  return fmt::format(
      "{}: accepted for compatibility, has no effect here: {}", ignored.key, ignored.reason);
}

}  // namespace myxtts::config
