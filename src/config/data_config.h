#pragma once

#include <optional>
#include <string>
#include <vector>

namespace myxtts::config {

class FieldVisitor;

// Settings of the corpus, text, audio and batches: the YAML section `data`. Fields are spelled like
// the keys and in the order of the file; data_config.cpp has the help of each.
// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding)
struct DataConfig {
  std::string dataset_path;
  std::optional<std::string> val_dataset_path;
  std::optional<std::string> mels_from;  // run folder or checkpoint of `train`
  std::optional<std::string> metadata_train_file, metadata_eval_file;
  std::optional<std::string> wavs_train_dir, wavs_eval_dir;
  double val_split = 0.1;
  bool enable_multispeaker = true;
  std::optional<std::string> speaker_id_pattern;

  std::string language = "en";
  std::vector<std::string> text_cleaners = {"english_cleaners"};
  bool use_phonemes = true;
  std::optional<std::string> phoneme_language;
  bool add_blank = false;
  std::optional<int> max_text_length;  // symbols

  bool trim_silence = true;
  double trim_top_db = 40.0;
  bool normalize_audio = true;
  bool enable_loudness_normalization = true;
  double target_loudness_lufs = -23.0;
  double min_audio_length = 0.1, max_audio_length = 30.0;  // seconds
  double reference_audio_length = 3.0;                     // seconds
  std::optional<int> max_mel_frames;

  int batch_size = 16;
  std::optional<bool> pad_to_fixed_length;  // unset: by shape_buckets
  std::optional<int> shape_buckets;         // unset: auto

  std::optional<int> num_workers;  // 0: inline; unset: num_workers_of()
  bool use_native_loading = true;
  std::optional<int> pipeline_buffer_size = 50;  // batches; unset: auto
  int prefetch_buffer_size = 2;                  // batches
  bool prefetch_to_gpu = true;
  std::string feature_cache = "auto";
  std::optional<std::string> cache_dir;  // unset: the user's cache folder
  std::string cache_limit = "20GB";
  bool enable_memory_mapping = true;
  std::optional<bool> mixed_precision;  // unset: by training.precision
  std::optional<int> data_gpu, model_gpu;
  std::optional<std::string> data_device, model_device;
  double model_start_delay = 2.0;  // seconds
};

// Visits every field; the only list of the fields of this section.
void visit_fields(DataConfig& data, FieldVisitor& field);

// Loader threads: data.num_workers, or the usable cores if unset.
int num_workers_of(const DataConfig& data);

// Devices of the data lane and the model lane as "cpu:N" or "cuda:N", from data_device or data_gpu
// (cuda:N) and from model_device or model_gpu. Empty if neither key is set.
std::optional<std::string> data_lane_of(const DataConfig& data);
std::optional<std::string> model_lane_of(const DataConfig& data);

}  // namespace myxtts::config
