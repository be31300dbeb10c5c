#include "config/data_config.h"

#include <fmt/format.h>

#include "base/threads.h"
#include "config/field.h"

namespace myxtts::config {
namespace {

void visit_corpus(DataConfig& data, FieldVisitor& field) {
  constexpr auto kCorpus = ReadBy::kCorpus;
  field("dataset_path",
        data.dataset_path,
        "corpus folder",
        {.original = "''", .flag = "--train-data", .placeholder = "DIR", .read_by = kCorpus});
  field("val_dataset_path",
        data.val_dataset_path,
        "validation corpus folder; unset: the corpus's validation set, else data.val_split",
        {.flag = "--val-data", .placeholder = "DIR"});
  field("mels_from",
        data.mels_from,
        "run whose GTA mels replace every second recorded mel in vocoder training; unset: none",
        {.placeholder = "DIR", .read_by = ReadBy::kVocoder});
  field("metadata_train_file",
        data.metadata_train_file,
        "training metadata file; unset: detected from the corpus layout",
        {.original = "None", .placeholder = "FILE", .read_by = kCorpus});
  field("metadata_eval_file",
        data.metadata_eval_file,
        "validation metadata file; unset: detected from the corpus layout",
        {.original = "None", .placeholder = "FILE", .read_by = kCorpus});
  field("wavs_train_dir",
        data.wavs_train_dir,
        "training audio folder; unset: detected from the corpus layout",
        {.original = "None", .placeholder = "DIR", .read_by = kCorpus});
  field("wavs_eval_dir",
        data.wavs_eval_dir,
        "validation audio folder; unset: detected from the corpus layout",
        {.original = "None", .placeholder = "DIR", .read_by = kCorpus});
  field("val_split",
        data.val_split,
        "fraction of utterances held out if the corpus has no validation set",
        {.original = "0.1", .range = below_one(), .read_by = ReadBy::kStats});
  field("enable_multispeaker",
        data.enable_multispeaker,
        "speaker labels of the corpus; false: treat it as a single speaker",
        {.original = "False", .read_by = kCorpus});
  field("speaker_id_pattern",
        data.speaker_id_pattern,
        "regular expression on utterance ids whose first group, or match, is the speaker",
        {.original = "None", .placeholder = "REGEX", .read_by = kCorpus});
}

void visit_text(DataConfig& data, FieldVisitor& field) {
  constexpr auto kText = ReadBy::kText;
  field("language",
        data.language,
        "text language",
        {.original = "'en'", .choices = "en|fa", .read_by = kText});
  field("text_cleaners",
        data.text_cleaners,
        "text cleaners in order; with language fa the default means persian_cleaners",
        {.original = "['english_cleaners']",
         .choices = "english_cleaners|persian_cleaners|basic_cleaners|no_cleaners",
         .read_by = kText});
  field("use_phonemes",
        data.use_phonemes,
        "phoneme input from espeak-ng; false: letters",
        {.original = "True", .read_by = kText});
  field("phoneme_language",
        data.phoneme_language,
        "voice of espeak-ng; unset: from data.language",
        {.original = "None", .placeholder = "NAME", .read_by = kText});
  field("add_blank",
        data.add_blank,
        "blank symbol after every symbol except spaces",
        {.original = "True", .read_by = kText});
  field("max_text_length",
        data.max_text_length,
        "maximum text length in symbols; auto: 200 with one fixed shape, else no limit",
        {.original = "200", .range = between(1, 4096), .unset = "auto", .read_by = ReadBy::kStats});
}

void visit_audio(DataConfig& data, FieldVisitor& field) {
  constexpr auto kAudio = ReadBy::kAudio;
  field("trim_silence",
        data.trim_silence,
        "trimming of leading and trailing silence",
        {.original = "True", .read_by = kAudio});
  field("trim_top_db",
        data.trim_top_db,
        "silence threshold in dB below the loudest frame",
        {.range = between(1, 120), .read_by = kAudio});
  field("normalize_audio",
        data.normalize_audio,
        "peak limit at 0.99 of full scale",
        {.original = "True", .read_by = ReadBy::kAudioOnly});
  field("enable_loudness_normalization",
        data.enable_loudness_normalization,
        "loudness normalisation to data.target_loudness_lufs",
        {.original = "True", .read_by = ReadBy::kAudioOnly});
  field("target_loudness_lufs",
        data.target_loudness_lufs,
        "target loudness in LUFS",
        {.original = "-23.0", .range = between(-60, -5), .read_by = ReadBy::kAudioOnly});
  field("min_audio_length",
        data.min_audio_length,
        "minimum utterance length in seconds; shorter ones are rejected",
        {.range = between(0, 60), .read_by = ReadBy::kCorpus});
  field("max_audio_length",
        data.max_audio_length,
        "maximum utterance length in seconds; longer ones are rejected",
        {.original = "11.0", .range = between(0.1, 600), .read_by = ReadBy::kCorpus});
  field("reference_audio_length",
        data.reference_audio_length,
        "length of the speaker encoder's reference audio in seconds",
        {.original = "3.0", .range = between(0.5, 30)});
  field(
      "max_mel_frames",
      data.max_mel_frames,
      "maximum length in mel frames; auto: p99 with one fixed shape, else no limit",
      {.original = "1024", .range = between(1, 65536), .unset = "auto", .read_by = ReadBy::kStats});
}

void visit_batches(DataConfig& data, FieldVisitor& field) {
  field("batch_size",
        data.batch_size,
        "utterances per batch",
        {.original = "56", .range = between(1, 4096), .read_by = ReadBy::kStats});
  field("pad_to_fixed_length",
        data.pad_to_fixed_length,
        "padding to one fixed shape; false: dynamic shapes; auto: data.shape_buckets",
        {.original = "False",
         .unset = "auto",
         .flag = "--enable-static-shapes,--pad-to-fixed-length",
         .off_flag = "--dynamic-shapes,--disable-static-shapes",
         .read_by = ReadBy::kStats});
  field("shape_buckets",
        data.shape_buckets,
        "number of fixed shapes (input signatures); auto: by padding saved, at most 8",
        {.range = between(1, 64), .unset = "auto", .read_by = ReadBy::kStats});
  field("num_workers",
        data.num_workers,
        "loader threads; 0: load inline; auto: one per usable core",
        {.original = "18", .range = between(0, 256), .unset = "auto", .read_by = ReadBy::kCorpus});
  field("use_native_loading",
        data.use_native_loading,
        "prefetching loader; false: load between the steps, for comparison",
        {});
  field("pipeline_buffer_size",
        data.pipeline_buffer_size,
        "prefetch buffer size in batches; auto: from free memory and measured speed",
        {
            .original = "50",
            .range = between(1, 65536),
            .unset = "auto",
            .flag = "--buffer-size",
        });
  field("prefetch_buffer_size",
        data.prefetch_buffer_size,
        "batches staged on the model device",
        {.original = "12", .range = between(1, 64)});
  field("prefetch_to_gpu",
        data.prefetch_to_gpu,
        "staging of the next batches on the GPU during a step",
        {.original = "True"});
  field("feature_cache",
        data.feature_cache,
        "mel cache location; auto: memory as far as it suffices, then disk",
        {.choices = "auto|ram|disk|off", .flag = "--cache"});
  field("cache_dir",
        data.cache_dir,
        "disk cache folder; auto: myxtts/features in the user's cache folder",
        {.unset = "auto", .placeholder = "DIR"});
  field("cache_limit",
        data.cache_limit,
        "maximum disk cache size, such as 800MB or 20GB",
        {.placeholder = "SIZE"});
  field("enable_memory_mapping",
        data.enable_memory_mapping,
        "disk cache allowed with feature_cache auto; false: memory only",
        {.original = "True"});
  field("mixed_precision",
        data.mixed_precision,
        "bfloat16 where it is safe; false: float32; auto: training.precision",
        {.original = "True", .unset = "auto"});
  field("data_gpu",
        data.data_gpu,
        "index of the GPU that prepares batches (with data.model_gpu: Multi-GPU mode)",
        {.original = "None", .range = between(0, 63)});
  field("model_gpu",
        data.model_gpu,
        "index of the GPU that trains",
        {.original = "None", .range = between(0, 63)});
  field("data_device",
        data.data_device,
        "device of the data lane, cpu:N or cuda:N (with data.model_device)",
        {.placeholder = "DEVICE"});
  field("model_device",
        data.model_device,
        "device of the model lane, cpu:N or cuda:N",
        {.placeholder = "DEVICE"});
  field("model_start_delay",
        data.model_start_delay,
        "minimum delay of the model lane before step 1 in seconds",
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

}  // namespace myxtts::config
