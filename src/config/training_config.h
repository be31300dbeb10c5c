#pragma once

#include <optional>
#include <string>
#include <vector>

namespace myxtts::config {

class FieldVisitor;

// Settings of optimiser, schedule, losses and run folder: the YAML section `training`. Fields are
// spelled like the keys and in the order of the file; training_config.cpp has the help of each.
// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding)
struct TrainingConfig {
  int epochs = 100;
  std::optional<int> max_steps;
  std::optional<double> max_minutes;
  int seed = 1;

  std::string optimization_level = "enhanced";
  std::string optimizer = "adamw";
  double learning_rate = 2e-3;
  double beta1 = 0.9, beta2 = 0.999, eps = 1e-8;
  double weight_decay = 0.01;
  double gradient_clip_norm = 1.0;
  int gradient_accumulation_steps = 1;
  double ema_decay = 0.999;

  std::string scheduler = "cosine";
  int warmup_steps = 200;
  std::optional<int> schedule_steps;        // unset: max_steps, else epochs x steps
  std::optional<double> min_learning_rate;  // unset: min_learning_rate_of()
  int lr_plateau_patience = 0;              // validations; 0: never

  std::string device = "auto";
  std::string precision = "auto";
  std::optional<int> threads;  // unset: usable cores
  bool compile_step = true;
  std::string memory_budget = "auto";  // or a size: "6GB"

  double mel_loss_weight = 1.0, prior_loss_weight = 1.0;
  double duration_loss_weight = 0.1, energy_loss_weight = 0.1;
  double adversarial_loss_weight = 0.05, feature_matching_loss_weight = 0.5;
  int alignment_prior_steps = 400;  // 0: no prior

  // Vocoder training; see for_vocoder() in config.h.
  double vocoder_learning_rate = 2e-3;
  std::string vocoder_scheduler = "linear";
  double vocoder_magnitude_loss_weight = 1.0, vocoder_convergence_loss_weight = 1.0;
  double vocoder_complex_loss_weight = 0.5, vocoder_mel_loss_weight = 2.0;
  double vocoder_adversarial_weight = 0.0;  // 0: no discriminators

  int max_bad_steps = 10;
  double hang_minutes = 10;  // 0: no timeout

  int early_stopping_patience = 0;  // validations; 0: never
  double early_stopping_min_delta = 5e-4;

  std::string checkpoint_dir = "runs/voice";
  int save_step = 500, val_step = 250, log_step = 10;  // steps
  int keep_checkpoints = 3;
  std::optional<std::string> metrics_file, tensorboard_log_dir;  // unset: in checkpoint_dir

  int spectrogram_log_interval = 500;  // steps; 0: never
  int spectrogram_log_num_examples = 2;
  bool enable_text2audio_eval = true;
  int text2audio_interval_steps = 500;
  std::vector<std::string> text2audio_texts = {"The quick brown fox jumps over the lazy dog."};
  bool text2audio_log_tensorboard = true;

  int evaluate_every = 0;                    // steps; 0: never
  std::optional<std::string> evaluate_text;  // a file
  std::optional<std::string> evaluate_judge;
};

// Visits every field; the only list of the fields of this section.
void visit_fields(TrainingConfig& training, FieldVisitor& field);

// Compute threads: training.threads, or the usable cores if unset.
int threads_of(const TrainingConfig& training);

// Final learning rate of the schedule: training.min_learning_rate, or a twentieth of the learning
// rate if unset, so that a small learning rate needs no second setting.
double min_learning_rate_of(const TrainingConfig& training);

}  // namespace myxtts::config
