#include "config/training_config.h"

#include "base/threads.h"
#include "config/field.h"

namespace myxtts::config {
namespace {

constexpr const char* kSchedulers = "cosine|linear|noam|exponential|none";
constexpr Range kSteps = between(1, 1'000'000'000);
constexpr Range kStepsOrNever = between(0, 1'000'000'000);

void visit_length(TrainingConfig& training, FieldVisitor& field) {
  field("epochs",
        training.epochs,
        "training epochs",
        {.original = "1000", .range = between(1, 1'000'000)});
  field("max_steps", training.max_steps, "maximum training steps", {.range = kSteps});
  field("max_minutes",
        training.max_minutes,
        "maximum training time in minutes; only steps count",
        {.range = above(0)});
  field("seed", training.seed, "random seed", {.range = at_least(0)});
}

void visit_optimizer(TrainingConfig& training, FieldVisitor& field) {
  field("optimization_level",
        training.optimization_level,
        "preset of the optimiser settings; a key with an explicit value keeps it",
        {.choices = "basic|enhanced|experimental|plateau_breaker"});
  field("optimizer",
        training.optimizer,
        "optimiser",
        {.original = "'adamw'", .choices = "adamw|adam"});
  field("learning_rate",
        training.learning_rate,
        "peak learning rate",
        {.original = "0.0001", .range = {.low = 0, .high = 1, .low_open = true}, .flag = "--lr"});
  field("beta1",
        training.beta1,
        "Adam beta1, decay of the gradient mean",
        {.original = "0.9", .range = below_one()});
  field("beta2",
        training.beta2,
        "Adam beta2, decay of the squared gradient mean",
        {.original = "0.999", .range = below_one()});
  field("eps",
        training.eps,
        "Adam epsilon",
        {.original = "1e-08", .range = {.low = 0, .high = 1, .low_open = true}});
  field("weight_decay",
        training.weight_decay,
        "weight decay",
        {.original = "1e-06", .range = between(0, 1)});
  field("gradient_clip_norm",
        training.gradient_clip_norm,
        "maximum gradient norm; larger gradients are scaled down",
        {.original = "1.0", .range = above(0)});
  field("gradient_accumulation_steps",
        training.gradient_accumulation_steps,
        "micro-batches per batch, a divisor of data.batch_size",
        {.original = "1",
         .range = between(1, 4096),
         .flag = "--grad-accum",
         .read_by = ReadBy::kStats});
  field("ema_decay",
        training.ema_decay,
        "decay of the EMA weights used for synthesis; 0: no EMA",
        {.range = below_one()});
}

void visit_schedule(TrainingConfig& training, FieldVisitor& field) {
  field("scheduler",
        training.scheduler,
        "learning rate schedule after the warm-up",
        {.original = "'noam'", .choices = kSchedulers});
  field("warmup_steps",
        training.warmup_steps,
        "linear warm-up steps",
        {.original = "4000", .range = kStepsOrNever});
  field("schedule_steps",
        training.schedule_steps,
        "schedule length in steps; auto: max_steps, else all epochs",
        {.range = kSteps, .unset = "auto"});
  field("min_learning_rate",
        training.min_learning_rate,
        "final learning rate of the schedule; auto: learning_rate / 20",
        {.original = "1e-06", .range = between(0, 1), .unset = "auto"});
  field("lr_plateau_patience",
        training.lr_plateau_patience,
        "validations without improvement before the learning rate is halved; 0: never",
        {.range = kStepsOrNever});
}

void visit_machine(TrainingConfig& training, FieldVisitor& field) {
  field(
      "device", training.device, "training device: auto, cpu or cuda:N", {.placeholder = "DEVICE"});
  field("precision",
        training.precision,
        "arithmetic precision; auto: the fastest that is safe on this machine",
        {.choices = "auto|fp32|bf16"});
  field("threads",
        training.threads,
        "compute threads; auto: one per usable core",
        {.range = between(1, 1024), .unset = "auto"});
  field("compile_step",
        training.compile_step,
        "prepared step per input signature; false: eager step, same numbers",
        {});
  field("memory_budget",
        training.memory_budget,
        "memory limit of the program, such as 6GB; auto: 80 % of the free memory",
        {.placeholder = "SIZE"});
}

void visit_losses(TrainingConfig& training, FieldVisitor& field) {
  field("mel_loss_weight",
        training.mel_loss_weight,
        "mel loss weight",
        {.original = "2.5", .range = above(0)});
  field("prior_loss_weight",
        training.prior_loss_weight,
        "prior loss weight: distance of the symbol means to their aligned mel frames",
        {.range = above(0)});
  field("duration_loss_weight",
        training.duration_loss_weight,
        "duration loss weight",
        {.original = "0.1", .range = at_least(0)});
  field("energy_loss_weight",
        training.energy_loss_weight,
        "energy loss weight, with model.use_energy_predictor",
        {.original = "0.1", .range = at_least(0)});
  field("adversarial_loss_weight",
        training.adversarial_loss_weight,
        "adversarial loss weight of the decoder, with model.mel_discriminator_channels",
        {.range = at_least(0)});
  field("feature_matching_loss_weight",
        training.feature_matching_loss_weight,
        "feature matching loss weight, with model.mel_discriminator_channels",
        {.range = at_least(0)});
  field("alignment_prior_steps",
        training.alignment_prior_steps,
        "steps over which the diagonal alignment prior fades out; 0: no prior",
        {.range = kStepsOrNever});
}

void visit_vocoder_training(TrainingConfig& training, FieldVisitor& field) {
  constexpr auto kVocoder = ReadBy::kVocoder;
  field("vocoder_learning_rate",
        training.vocoder_learning_rate,
        "peak learning rate of vocoder training",
        {.range = {.low = 0, .high = 1, .low_open = true}, .read_by = kVocoder});
  field("vocoder_scheduler",
        training.vocoder_scheduler,
        "learning rate schedule of vocoder training",
        {.choices = kSchedulers, .read_by = kVocoder});
  field("vocoder_magnitude_loss_weight",
        training.vocoder_magnitude_loss_weight,
        "log magnitude STFT loss weight",
        {.range = at_least(0), .read_by = kVocoder});
  field("vocoder_convergence_loss_weight",
        training.vocoder_convergence_loss_weight,
        "spectral convergence loss weight",
        {.range = at_least(0), .read_by = kVocoder});
  field("vocoder_complex_loss_weight",
        training.vocoder_complex_loss_weight,
        "complex STFT loss weight",
        {.range = at_least(0), .read_by = kVocoder});
  field("vocoder_mel_loss_weight",
        training.vocoder_mel_loss_weight,
        "mel loss weight of vocoder training",
        {.range = above(0), .read_by = kVocoder});
  field("vocoder_adversarial_weight",
        training.vocoder_adversarial_weight,
        "adversarial loss weight of vocoder training; 0: no discriminators",
        {.range = at_least(0), .read_by = kVocoder});
}

void visit_stops(TrainingConfig& training, FieldVisitor& field) {
  field("max_bad_steps",
        training.max_bad_steps,
        "consecutive non-finite steps before a return to the last good checkpoint",
        {.range = between(1, 1000)});
  field("hang_minutes",
        training.hang_minutes,
        "timeout of a hanging step, wait or checkpoint write in minutes; 0: none",
        {.range = between(0, 100'000)});
  field("early_stopping_patience",
        training.early_stopping_patience,
        "validations without improvement before training stops; 0: never",
        {.original = "25", .range = kStepsOrNever});
  field("early_stopping_min_delta",
        training.early_stopping_min_delta,
        "minimum decrease of the validation loss that counts as improvement",
        {.original = "0.0005", .range = at_least(0)});
}

void visit_run_folder(TrainingConfig& training, FieldVisitor& field) {
  field("checkpoint_dir",
        training.checkpoint_dir,
        "run folder: checkpoints, log, metrics, samples",
        {.original = "'./checkpoints'", .placeholder = "DIR"});
  field("save_step",
        training.save_step,
        "steps between two checkpoints",
        {.original = "25000", .range = kSteps});
  field("keep_checkpoints",
        training.keep_checkpoints,
        "number of checkpoints kept beside the best",
        {.range = between(2, 100'000), .flag = "--keep"});
  field("val_step",
        training.val_step,
        "steps between two validations",
        {.original = "5000", .range = kSteps});
  field("log_step",
        training.log_step,
        "steps between two log lines",
        {.original = "100", .range = kSteps});
  field("metrics_file",
        training.metrics_file,
        "metrics file, one JSON line per step; unset: metrics.jsonl in the run folder",
        {.flag = "--metrics", .placeholder = "FILE"});
  field("tensorboard_log_dir",
        training.tensorboard_log_dir,
        "TensorBoard event folder; unset: the run folder",
        {.placeholder = "DIR"});
}

void visit_samples(TrainingConfig& training, FieldVisitor& field) {
  field("spectrogram_log_interval",
        training.spectrogram_log_interval,
        "steps between two mel spectrogram images; 0: none",
        {.original = "5", .range = kStepsOrNever});
  field("spectrogram_log_num_examples",
        training.spectrogram_log_num_examples,
        "validation utterances per set of spectrogram images",
        {.original = "2", .range = between(1, 64)});
  field("enable_text2audio_eval",
        training.enable_text2audio_eval,
        "audio samples during training",
        {.original = "True"});
  field("text2audio_interval_steps",
        training.text2audio_interval_steps,
        "steps between two sets of audio samples",
        {.original = "200", .range = kSteps});
  field("text2audio_texts",
        training.text2audio_texts,
        "sentences of the audio samples",
        {.original = "['The quick brown fox jumps over the lazy dog.']"});
  field("text2audio_log_tensorboard",
        training.text2audio_log_tensorboard,
        "audio samples in the TensorBoard event file",
        {.original = "True"});
}

void visit_evaluation(TrainingConfig& training, FieldVisitor& field) {
  field("evaluate_every",
        training.evaluate_every,
        "steps between two evaluations by the judge command; 0: never",
        {.range = kStepsOrNever});
  field("evaluate_text",
        training.evaluate_text,
        "file with the evaluation sentences, one per line",
        {.placeholder = "FILE"});
  field("evaluate_judge",
        training.evaluate_judge,
        "judge: scoring command for synthesised sentences; the best checkpoint is kept",
        {.flag = "--judge", .placeholder = "COMMAND"});
}

}  // namespace

void visit_fields(TrainingConfig& training, FieldVisitor& field) {
  visit_length(training, field);
  visit_optimizer(training, field);
  visit_schedule(training, field);
  visit_machine(training, field);
  visit_losses(training, field);
  visit_vocoder_training(training, field);
  visit_stops(training, field);
  visit_run_folder(training, field);
  visit_samples(training, field);
  visit_evaluation(training, field);
}

int threads_of(const TrainingConfig& training) {
  return training.threads.value_or(base::num_usable_cores());
}

double min_learning_rate_of(const TrainingConfig& training) {
  return training.min_learning_rate.value_or(training.learning_rate / 20.0);
}

}  // namespace myxtts::config
