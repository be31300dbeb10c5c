#include "train/format_run.h"

#include <algorithm>

#include <fmt/format.h>

#include "train/format_shapes.h"

namespace myxtts::train {
namespace {

constexpr std::size_t kMaxSkippedListed = 20;
constexpr double kForwardAndBackward = 3.0;  // backward costs twice the forward pass

double convnext_weights(double width, double hidden, double voice) {
  return 2.0 * width * hidden + 7.0 * width + 2.0 * width * voice;
}

double attention_weights(double width, double hidden, double voice) {
  return 4.0 * width * width + 4.0 * width * hidden + 2.0 * width * voice;
}

double hours_of(const data::FeatureSet& features, const config::ModelConfig& model) {
  double frames = 0.0;
  for (const data::Features& one : features.utterances)
    frames += static_cast<double>(one.num_frames);
  return frames * model.hop_length / model.sample_rate / 3600.0;
}

std::string format_length(const config::TrainingConfig& training) {
  if (training.max_steps) return fmt::format("{} steps", *training.max_steps);
  if (training.max_minutes) {
    return fmt::format(
        "{:.3g} minutes of steps (not reproducible from the start: the schedule depends on time)",
        *training.max_minutes);
  }
  return fmt::format("{} epochs", training.epochs);
}

// Lists utterances that cannot be used, so that the corpus can be repaired.
std::string format_skipped_list(const char* split,
                                const data::FeatureSet& features,
                                const std::filesystem::path& root) {
  const std::size_t num_skipped = features.skipped.size();
  if (num_skipped == 0) return "";
  std::string lines = fmt::format("Skipped in the {} set: {} of {} utterances\n",
                                  split,
                                  num_skipped,
                                  num_skipped + features.utterances.size());
  const std::size_t num_listed = std::min(kMaxSkippedListed, num_skipped);
  for (std::size_t i = 0; i < num_listed; ++i)
    lines += fmt::format("  {}\n", format_skipped(features.skipped[i]));
  if (num_skipped > num_listed) {
    lines += fmt::format(
        "  and {} more; all: myxtts corpus check {}\n", num_skipped - num_listed, root.string());
  }
  return lines;
}

// Multiply-adds of the mel discriminator per mel value. Each layer has a quarter of the positions
// of the layer before. Recorded and decoded mels cost one forward and a full backward pass; the
// generator loss adds a pass over the decoded mels without weight gradients.
double discriminator_multiply_adds(const config::ModelConfig& model) {
  if (!config::has_mel_discriminator(model)) return 0.0;
  const double width = model.mel_discriminator_channels;
  const double weights = 15.0 * width / 4.0 + 18.0 * width * width / 16.0 +
                         (72.0 * width * width + 36.0 * width) / 64.0;
  return (2.0 * kForwardAndBackward + 2.0) * weights;
}

// Multiply-adds of the vocoder, forward and backward.
double vocoder_multiply_adds(const config::ModelConfig& model, const data::Signature& signature) {
  const double width = model.vocoder_initial_channel;
  const double per_frame =
      model.vocoder_layers * convnext_weights(width, model.vocoder_ffn_dim, 0) +
      7.0 * model.n_mels * width + width * (model.n_fft + 2.0);
  return kForwardAndBackward * static_cast<double>(signature.batch * signature.mel) * per_frame;
}

std::string format_model(const RunDescription& run) {
  const config::ModelConfig& model = run.config.model;
  const bool is_vocoder = run.corpora.training.crop_hops > 0;
  return fmt::format("{}, {:.2f} M parameters",
                     is_vocoder ? "vocoder " + model.vocoder_size : model.model_size,
                     static_cast<double>(run.num_parameters) / 1e6);
}

}  // namespace

double multiply_adds_of(const config::ModelConfig& model,
                        const data::Signature& signature,
                        std::int64_t reference_frames) {
  if (signature.samples > 0) return vocoder_multiply_adds(model, signature);
  const auto rows = static_cast<double>(signature.batch);
  const double symbols = rows * static_cast<double>(signature.text);
  const double all_frames = rows * static_cast<double>(signature.mel);
  const double frames =
      model.decoder_crop_frames > 0
          ? rows * std::min<double>(model.decoder_crop_frames, static_cast<double>(signature.mel))
          : all_frames;
  const double clips = rows * static_cast<double>(reference_frames);
  const double text = model.text_encoder_dim;
  const double hidden = model.text_encoder_ffn_dim;
  const double voice = model.speaker_embedding_dim;
  const double width = model.decoder_dim;
  const double encoder = model.audio_encoder_dim;

  const double per_symbol = model.text_encoder_conv_layers * convnext_weights(text, hidden, voice) +
                            model.text_encoder_layers * attention_weights(text, hidden, voice) +
                            6.0 * text * text;
  const double per_frame = model.decoder_layers * convnext_weights(width, model.decoder_ffn_dim, 0);
  const double per_clip_frame =
      model.audio_encoder_layers * convnext_weights(encoder, 2.0 * encoder, 0);
  const double alignment = all_frames * static_cast<double>(signature.text) * model.n_mels;

  return kForwardAndBackward *
             (symbols * per_symbol + frames * per_frame + clips * per_clip_frame) +
         frames * model.n_mels * discriminator_multiply_adds(model) + alignment;
}

double max_multiply_adds(const RunDescription& run) {
  double largest = 0.0;
  for (const data::Signature& signature : run.plan.signatures) {
    largest =
        std::max(largest, multiply_adds_of(run.config.model, signature, run.reference_frames));
  }
  return largest * run.config.training.gradient_accumulation_steps;
}

std::string format_run(const RunDescription& run) {
  const config::Config& config = run.config;
  std::string text = "=== Final Training Configuration ===\n";
  const auto line = [&text](std::string_view name, const std::string& value) {
    text += fmt::format("{:<22} {}\n", fmt::format("{}:", name), value);
  };
  for (const std::string& note : run.corpora.notes)
    text += note + "\n";
  line("Utterances",
       fmt::format("{} ({:.2f} h, {} speaker{}), {} for validation, {} skipped",
                   run.corpora.training.utterances.size(),
                   hours_of(run.corpora.training, config.model),
                   run.corpora.training.speakers.size(),
                   run.corpora.training.speakers.size() == 1 ? "" : "s",
                   run.corpora.validation.utterances.size(),
                   run.corpora.training.skipped.size() + run.corpora.validation.skipped.size()));
  text += format_skipped_list("training", run.corpora.training, run.corpora.training_root);
  text += format_skipped_list("validation", run.corpora.validation, run.corpora.validation_root);
  line("Model", format_model(run));
  line("Optimization level", config.training.optimization_level);
  line("Batch size",
       fmt::format("{} utterances in {} micro-batch{}",
                   config.data.batch_size,
                   config.training.gradient_accumulation_steps,
                   config.training.gradient_accumulation_steps == 1 ? "" : "es"));
  line("Learning rate",
       fmt::format("{} ({}, warm-up {} steps)",
                   config.training.learning_rate,
                   config.training.scheduler,
                   config.training.warmup_steps));
  line("Precision",
       fmt::format(
           "{}, {} thread{}", config.training.precision, run.threads, run.threads == 1 ? "" : "s"));
  line("Length",
       fmt::format("{}, {} steps per epoch", format_length(config.training), run.steps_per_epoch));
  line("Work per step",
       fmt::format("at most {:.1f} billion multiply-adds", max_multiply_adds(run) / 1e9));
  line("Memory",
       fmt::format(
           "{:.0f} MB in total: {:.0f} before the first step, {:.0f} for the buffer, {:.0f} for a "
           "step, {:.0f} for a checkpoint",
           run.memory.total_bytes() / 1e6,
           run.memory.resident_bytes / 1e6,
           run.memory.buffer_bytes / 1e6,
           run.memory.step_bytes() / 1e6,
           run.memory.checkpoint_bytes / 1e6));
  return text + format_shapes(run);
}

}  // namespace myxtts::train
