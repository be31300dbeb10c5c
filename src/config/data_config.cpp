#include "config/data_config.h"

#include <fmt/format.h>

#include "base/threads.h"
#include "config/field.h"

namespace xtts::config {
namespace {

void visit_corpus(DataConfig& data, FieldVisitor& field) {
  constexpr auto kCorpus = ReadBy::kCorpus;
  field("dataset_path",
        data.dataset_path,
        "folder of the corpus",
        {.original = "''", .flag = "--train-data", .read_by = kCorpus});
  field("val_dataset_path",
        data.val_dataset_path,
        "folder of the validation set; unset: the corpus's own, else a share of it",
        {.flag = "--val-data"});
  field("mels_from",
        data.mels_from,
        "voice whose mels a vocoder hears for every second utterance; unset: only recordings",
        {.read_by = ReadBy::kVocoder});
  field("metadata_train_file",
        data.metadata_train_file,
        "metadata file of the training set; unset: found by its layout",
        {.original = "None", .read_by = kCorpus});
  field("metadata_eval_file",
        data.metadata_eval_file,
        "metadata file of the validation set; unset: found by its layout",
        {.original = "None", .read_by = kCorpus});
  field("wavs_train_dir",
        data.wavs_train_dir,
        "audio folder of the training set; unset: found by its layout",
        {.original = "None", .read_by = kCorpus});
  field("wavs_eval_dir",
        data.wavs_eval_dir,
        "audio folder of the validation set; unset: found by its layout",
        {.original = "None", .read_by = kCorpus});
  field("val_split",
        data.val_split,
        "share held back for validation when the corpus brings none",
        {.original = "0.1", .range = below_one(), .read_by = ReadBy::kStats});
  field("enable_multispeaker",
        data.enable_multispeaker,
        "keep the speakers of a corpus apart; false: it is one voice",
        {.original = "False", .read_by = kCorpus});
  field("speaker_id_pattern",
        data.speaker_id_pattern,
        "regular expression whose first group, or match, in an id is the speaker",
        {.original = "None", .read_by = kCorpus});
}

void visit_text(DataConfig& data, FieldVisitor& field) {
  constexpr auto kText = ReadBy::kText;
  field("language",
        data.language,
        "language of the text",
        {.original = "'en'", .choices = "en|fa", .read_by = kText});
  field("text_cleaners",
        data.text_cleaners,
        "passed in order; with language fa the default means persian_cleaners",
        {.original = "['english_cleaners']",
         .choices = "english_cleaners|persian_cleaners|basic_cleaners|no_cleaners",
         .read_by = kText});
  field("use_phonemes",
        data.use_phonemes,
        "phonemes by espeak-ng; false: letters",
        {.original = "True", .read_by = kText});
  field("phoneme_language",
        data.phoneme_language,
        "espeak-ng voice; unset: the one of data.language",
        {.original = "None", .read_by = kText});
  field("add_blank",
        data.add_blank,
        "a blank after every symbol except spaces",
        {.original = "True", .read_by = kText});
  field("max_text_length",
        data.max_text_length,
        "symbols of the longest text kept; auto: 200 with one fixed shape, else no limit",
        {.original = "200", .range = between(1, 4096), .unset = "auto", .read_by = ReadBy::kStats});
}

void visit_audio(DataConfig& data, FieldVisitor& field) {
  constexpr auto kAudio = ReadBy::kAudio;
  field("trim_silence",
        data.trim_silence,
        "cut silence at both ends",
        {.original = "True", .read_by = kAudio});
  field("trim_top_db",
        data.trim_top_db,
        "what is this many dB below the peak is silence",
        {.range = between(1, 120), .read_by = kAudio});
  field("normalize_audio",
        data.normalize_audio,
        "hold the peak below 0.99",
        {.original = "True", .read_by = ReadBy::kAudioAlone});
  field("enable_loudness_normalization",
        data.enable_loudness_normalization,
        "bring every utterance to the same loudness",
        {.original = "True", .read_by = ReadBy::kAudioAlone});
  field("target_loudness_lufs",
        data.target_loudness_lufs,
        "that loudness, in LUFS",
        {.original = "-23.0", .range = between(-60, -5), .read_by = ReadBy::kAudioAlone});
  field("min_audio_length",
        data.min_audio_length,
        "seconds; shorter utterances are refused",
        {.range = between(0, 60), .read_by = ReadBy::kCorpus});
  field("max_audio_length",
        data.max_audio_length,
        "seconds; longer utterances are refused",
        {.original = "11.0", .range = between(0.1, 600), .read_by = ReadBy::kCorpus});
  field("reference_audio_length",
        data.reference_audio_length,
        "seconds of another recording that the voice encoder hears",
        {.original = "3.0", .range = between(0.5, 30)});
  field(
      "max_mel_frames",
      data.max_mel_frames,
      "frames of the longest utterance kept; auto: p99 with one fixed shape, else no limit",
      {.original = "1024", .range = between(1, 65536), .unset = "auto", .read_by = ReadBy::kStats});
}

void visit_batches(DataConfig& data, FieldVisitor& field) {
  field("batch_size",
        data.batch_size,
        "utterances of one update",
        {.original = "56", .range = between(1, 4096), .read_by = ReadBy::kStats});
  field("pad_to_fixed_length",
        data.pad_to_fixed_length,
        "true: one fixed shape; false: every batch its own; auto: data.shape_buckets",
        {.original = "False",
         .unset = "auto",
         .flag = "--enable-static-shapes,--pad-to-fixed-length",
         .off_flag = "--dynamic-shapes,--disable-static-shapes",
         .read_by = ReadBy::kStats});
  field("shape_buckets",
        data.shape_buckets,
        "fixed shapes of a run; auto: as many as pay, at most 8",
        {.range = between(1, 64), .unset = "auto", .read_by = ReadBy::kStats});
  field("num_workers",
        data.num_workers,
        "threads that read and prepare utterances; 0: inline; auto: one per usable core",
        {.original = "18", .range = between(0, 256), .unset = "auto", .read_by = ReadBy::kCorpus});
  field("use_native_loading",
        data.use_native_loading,
        "loader threads run ahead of training; false: load between the steps, to compare",
        {});
  field("pipeline_buffer_size",
        data.pipeline_buffer_size,
        "batches held ready; auto: from free memory and measured speed",
        {
            .original = "50",
            .range = between(1, 65536),
            .unset = "auto",
            .flag = "--buffer-size",
        });
  field("prefetch_buffer_size",
        data.prefetch_buffer_size,
        "batches staged on the model's device",
        {.original = "12", .range = between(1, 64)});
  field("prefetch_to_gpu",
        data.prefetch_to_gpu,
        "stage the next batches on the GPU while it trains",
        {.original = "True"});
  field("feature_cache",
        data.feature_cache,
        "where computed mels are kept; auto: in memory as far as it goes, then on disk",
        {.choices = "auto|ram|disk|off", .flag = "--cache"});
  field("cache_dir",
        data.cache_dir,
        "folder of that cache on disk; auto: myxtts/features in the user's cache folder",
        {.unset = "auto"});
  field("cache_limit", data.cache_limit, "how large that folder may grow: 800MB, 20GB", {});
  field("enable_memory_mapping",
        data.enable_memory_mapping,
        "false: feature_cache auto never uses the disk",
        {.original = "True"});
  field("mixed_precision",
        data.mixed_precision,
        "false: float32; true: bfloat16 where it is safe; auto: training.precision",
        {.original = "True", .unset = "auto"});
  field("data_gpu",
        data.data_gpu,
        "GPU that prepares the batches (with data.model_gpu: Multi-GPU mode)",
        {.original = "None", .range = between(0, 63)});
  field("model_gpu",
        data.model_gpu,
        "GPU that trains",
        {.original = "None", .range = between(0, 63)});
  field("data_device",
        data.data_device,
        "lane that prepares the batches: cpu:N or cuda:N (with data.model_device)",
        {});
  field("model_device", data.model_device, "lane that trains: cpu:N or cuda:N", {});
  field("model_start_delay",
        data.model_start_delay,
        "seconds that the model's lane waits at least before step 1",
        {.original = "2.0", .range = between(0, 3600)});
}

std::optional<std::string> lane_of(const std::optional<std::string>& device,
                                   const std::optional<int>& gpu) {
  if (device || !gpu) return device;
  return fmt::format("cuda:{}", *gpu);
}

}  // namespace

void visit_fields(DataConfig& data, FieldVisitor& field) {
  visit_corpus(data, field);
  visit_text(data, field);
  visit_audio(data, field);
  visit_batches(data, field);
}

int num_workers_of(const DataConfig& data) {
  return data.num_workers.value_or(base::num_usable_cores());
}

std::optional<std::string> data_lane_of(const DataConfig& data) {
  return lane_of(data.data_device, data.data_gpu);
}

std::optional<std::string> model_lane_of(const DataConfig& data) {
  return lane_of(data.model_device, data.model_gpu);
}

}  // namespace xtts::config
