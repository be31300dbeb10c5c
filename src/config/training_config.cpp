#include "config/training_config.h"

#include "base/threads.h"
#include "config/field.h"

namespace xtts::config {
namespace {

constexpr const char* kSchedulers = "cosine|linear|noam|exponential|none";
constexpr Range kSteps = between(1, 1'000'000'000);
constexpr Range kStepsOrNever = between(0, 1'000'000'000);

void visit_length(TrainingConfig& training, FieldVisitor& field) {
  field("epochs",
        training.epochs,
        "times the corpus is gone through",
        {.original = "1000", .range = between(1, 1'000'000)});
  field("max_steps", training.max_steps, "updates after which a run ends", {.range = kSteps});
  field("max_minutes", training.max_minutes, "minutes after which a run ends", {.range = above(0)});
  field("seed", training.seed, "where all chance comes from", {.range = at_least(0)});
}

void visit_optimizer(TrainingConfig& training, FieldVisitor& field) {
  field("optimization_level",
        training.optimization_level,
        "named set of values for the keys below; a key given by itself stays",
        {.choices = "basic|enhanced|experimental|plateau_breaker"});
  field("optimizer",
        training.optimizer,
        "how gradients change the weights",
        {.original = "'adamw'", .choices = "adamw|adam"});
  field("learning_rate",
        training.learning_rate,
        "highest learning rate of the schedule",
        {.original = "0.0001", .range = {.low = 0, .high = 1, .low_open = true}, .flag = "--lr"});
  field(
      "beta1", training.beta1, "memory of Adam's mean", {.original = "0.9", .range = below_one()});
  field("beta2",
        training.beta2,
        "memory of Adam's variance",
        {.original = "0.999", .range = below_one()});
  field("eps",
        training.eps,
        "what Adam adds to its divisor",
        {.original = "1e-08", .range = {.low = 0, .high = 1, .low_open = true}});
  field("weight_decay",
        training.weight_decay,
        "pull of the weights towards zero",
        {.original = "1e-06", .range = between(0, 1)});
  field("gradient_clip_norm",
        training.gradient_clip_norm,
        "longer gradients are scaled down to this length",
        {.original = "1.0", .range = above(0)});
  field("gradient_accumulation_steps",
        training.gradient_accumulation_steps,
        "micro-batches that an update is split into, a divisor of data.batch_size",
        {.original = "1",
         .range = between(1, 4096),
         .flag = "--grad-accum",
         .read_by = ReadBy::kStats});
  field("ema_decay",
        training.ema_decay,
        "memory of the averaged weights that speak; 0: no average",
        {.range = below_one()});
}

void visit_schedule(TrainingConfig& training, FieldVisitor& field) {
  field("scheduler",
        training.scheduler,
        "course of the learning rate after the warm-up",
        {.original = "'noam'", .choices = kSchedulers});
  field("warmup_steps",
        training.warmup_steps,
        "steps of linear rise at the start",
        {.original = "4000", .range = kStepsOrNever});
  field("schedule_steps",
        training.schedule_steps,
        "steps of the whole schedule; auto: max_steps, else all epochs",
        {.range = kSteps, .unset = "auto"});
  field("min_learning_rate",
        training.min_learning_rate,
        "where the schedule ends; auto: a twentieth of learning_rate",
        {.original = "1e-06", .range = between(0, 1), .unset = "auto"});
  field("lr_plateau_patience",
        training.lr_plateau_patience,
        "validations without progress before the learning rate is halved; 0: never",
        {.range = kStepsOrNever});
}

void visit_machine(TrainingConfig& training, FieldVisitor& field) {
  field("device", training.device, "auto, cpu or cuda:N", {});
  field("precision",
        training.precision,
        "of the arithmetic; auto: the fastest that is safe here",
        {.choices = "auto|fp32|bf16"});
  field("threads",
        training.threads,
        "threads of the arithmetic; auto: one per usable core",
        {.range = between(1, 1024), .unset = "auto"});
  field("compile_step",
        training.compile_step,
        "prepare each shape once and replay it; false: the eager step, same numbers",
        {});
  field("memory_budget",
        training.memory_budget,
        "memory that the program may use, such as 6GB; auto: 80 % of what is free",
        {});
}

void visit_losses(TrainingConfig& training, FieldVisitor& field) {
  field("mel_loss_weight",
        training.mel_loss_weight,
        "weight of the mel loss",
        {.original = "2.5", .range = above(0)});
  field("prior_loss_weight",
        training.prior_loss_weight,
        "weight of the loss that teaches the text encoder where the symbols are",
        {.range = above(0)});
  field("duration_loss_weight",
        training.duration_loss_weight,
        "weight of the duration loss",
        {.original = "0.1", .range = at_least(0)});
  field("energy_loss_weight",
        training.energy_loss_weight,
        "weight of the energy loss, with model.use_energy_predictor",
        {.original = "0.1", .range = at_least(0)});
  field("adversarial_loss_weight",
        training.adversarial_loss_weight,
        "weight of what the critic says of decoded mels, with model.mel_discriminator_channels",
        {.range = at_least(0)});
  field("feature_matching_loss_weight",
        training.feature_matching_loss_weight,
        "weight of how much decoded mels differ from recorded ones inside of the critic",
        {.range = at_least(0)});
  field("alignment_prior_steps",
        training.alignment_prior_steps,
        "steps over which the pull of the alignment to the diagonal fades; 0: no pull",
        {.range = kStepsOrNever});
}

void visit_vocoder_training(TrainingConfig& training, FieldVisitor& field) {
  constexpr auto kVocoder = ReadBy::kVocoder;
  field("vocoder_learning_rate",
        training.vocoder_learning_rate,
        "learning_rate of a vocoder",
        {.range = {.low = 0, .high = 1, .low_open = true}, .read_by = kVocoder});
  field("vocoder_scheduler",
        training.vocoder_scheduler,
        "scheduler of a vocoder",
        {.choices = kSchedulers, .read_by = kVocoder});
  field("vocoder_magnitude_loss_weight",
        training.vocoder_magnitude_loss_weight,
        "weight of the distance between logarithms of magnitudes",
        {.range = at_least(0), .read_by = kVocoder});
  field("vocoder_convergence_loss_weight",
        training.vocoder_convergence_loss_weight,
        "weight of the distance between magnitudes, relative to those of the recording",
        {.range = at_least(0), .read_by = kVocoder});
  field("vocoder_complex_loss_weight",
        training.vocoder_complex_loss_weight,
        "weight of the distance between spectra with their phases",
        {.range = at_least(0), .read_by = kVocoder});
  field("vocoder_mel_loss_weight",
        training.vocoder_mel_loss_weight,
        "weight of the distance between mels",
        {.range = above(0), .read_by = kVocoder});
  field("vocoder_adversarial_weight",
        training.vocoder_adversarial_weight,
        "weight of what discriminators say of the sound; 0: none are trained",
        {.range = at_least(0), .read_by = kVocoder});
}

void visit_stops(TrainingConfig& training, FieldVisitor& field) {
  field("max_bad_steps",
        training.max_bad_steps,
        "steps in a row that are not finite before going back to the last good save",
        {.range = between(1, 1000)});
  field("hang_minutes",
        training.hang_minutes,
        "minutes a step, a wait or a save may hang before the run is given up; 0: never",
        {.range = between(0, 100'000)});
  field("early_stopping_patience",
        training.early_stopping_patience,
        "validations without progress before a run ends; 0: never",
        {.original = "25", .range = kStepsOrNever});
  field("early_stopping_min_delta",
        training.early_stopping_min_delta,
        "what counts as progress of the validation loss",
        {.original = "0.0005", .range = at_least(0)});
}

void visit_run_folder(TrainingConfig& training, FieldVisitor& field) {
  field("checkpoint_dir",
        training.checkpoint_dir,
        "run folder: saves, log, metrics, samples",
        {.original = "'./checkpoints'"});
  field("save_step",
        training.save_step,
        "steps between two saves",
        {.original = "25000", .range = kSteps});
  field("keep_checkpoints",
        training.keep_checkpoints,
        "saves that are kept beside the best",
        {.range = between(2, 100'000), .flag = "--keep"});
  field("val_step",
        training.val_step,
        "steps between two validations",
        {.original = "5000", .range = kSteps});
  field("log_step",
        training.log_step,
        "steps between two lines of the log",
        {.original = "100", .range = kSteps});
  field("metrics_file",
        training.metrics_file,
        "file of one JSON line per step; unset: metrics.jsonl in the run folder",
        {.flag = "--metrics"});
  field("tensorboard_log_dir",
        training.tensorboard_log_dir,
        "folder of the TensorBoard event files; unset: the run folder",
        {});
}

void visit_samples(TrainingConfig& training, FieldVisitor& field) {
  field("spectrogram_log_interval",
        training.spectrogram_log_interval,
        "steps between two mel pictures; 0: none",
        {.original = "5", .range = kStepsOrNever});
  field("spectrogram_log_num_examples",
        training.spectrogram_log_num_examples,
        "validation utterances that are drawn",
        {.original = "2", .range = between(1, 64)});
  field("enable_text2audio_eval",
        training.enable_text2audio_eval,
        "speak sentences while training",
        {.original = "True"});
  field("text2audio_interval_steps",
        training.text2audio_interval_steps,
        "steps between them",
        {.original = "200", .range = kSteps});
  field("text2audio_texts",
        training.text2audio_texts,
        "the sentences",
        {.original = "['The quick brown fox jumps over the lazy dog.']"});
  field("text2audio_log_tensorboard",
        training.text2audio_log_tensorboard,
        "put them into the event file as well",
        {.original = "True"});
}

void visit_evaluation(TrainingConfig& training, FieldVisitor& field) {
  field("evaluate_every",
        training.evaluate_every,
        "steps between two times that sentences are spoken and judged; 0: never",
        {.range = kStepsOrNever});
  field("evaluate_text", training.evaluate_text, "file with those sentences, one per line", {});
  field("evaluate_judge",
        training.evaluate_judge,
        "command that judges them; the save that it likes best is kept",
        {.flag = "--judge"});
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

}  // namespace xtts::config
