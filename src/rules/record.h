// Defines the record of measurements that the rules evaluate.
//
// An absent value means "not measured"; a rule that needs it finds nothing, so a record may have
// any subset of its fields. Shares are 0..1, times are seconds, sizes are bytes.
//
//   Record record;
//   record.settings.num_workers = 1;
//   record.steps = ...;                                        // one entry per step, in order
//   for (const Finding& finding : apply_rules(record)) ...     // most severe first
//   log(limit_line(record));                                   // what limits the speed
//
// record_fields.h has the only list of field names; record_json.h reads and writes records with it.
// To add a measurement, add a field here and its name there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace myxtts::rules {

// The sizes of a micro-batch: B rows, T symbols, M mel frames.
struct Shape {
  std::int64_t batch = 0;
  std::int64_t text = 0;
  std::int64_t mel = 0;
  std::optional<double> share = {};  // of the steps that have this shape; absent: unknown

  bool operator==(const Shape&) const = default;
};

// The settings of the run, with every "auto" resolved.
struct Settings {
  std::optional<std::string> shape_mode = {};    // "fixed", "buckets" or "dynamic"
  std::optional<bool> pad_to_fixed_length = {};  // as configured; absent: not configured
  std::vector<Shape> signatures = {};            // of the plan; none with dynamic shapes
  std::optional<std::int64_t> batch_size = {};   // utterances per step
  std::optional<std::int64_t> grad_accum = {};   // micro-batches per step
  std::optional<std::int64_t> num_workers = {};  // loader threads; 0: inline
  std::optional<std::int64_t> buffer = {};       // capacity in batches
  std::optional<std::string> cache = {};         // "auto", "ram", "disk" or "off"
  std::optional<std::int64_t> cache_limit_bytes = {};
  std::optional<std::string> precision = {};         // "fp32" or "bf16", of the training step
  std::optional<std::int64_t> threads = {};          // of the model's operators
  std::optional<std::string> device = {};            // of the model: "cpu", "cpu:1", "cuda:0"
  std::optional<std::string> mode = {};              // "single_buffered" or "multi_device"
  std::vector<std::int64_t> model_cores = {};        // of the model lane
  std::vector<std::int64_t> data_cores = {};         // of the data lane
  std::optional<bool> loader_is_idle_priority = {};  // uses only idle CPU time
  std::optional<bool> trim_silence = {};
  std::optional<double> planned_epochs = {};       // of the whole run
  std::optional<std::int64_t> planned_steps = {};  // of the whole run
};

struct Machine {
  std::optional<std::int64_t> cores = {};         // of the machine
  std::optional<std::int64_t> usable_cores = {};  // that this process may use
  std::optional<double> load_by_others = {};      // cores that other processes keep busy
  std::optional<std::int64_t> total_memory_bytes = {};
  std::optional<std::int64_t> free_memory_bytes = {};  // available during the run
  std::vector<std::string> cpu_features = {};          // "avx2", "avx512_bf16", "amx_bf16", ...
  std::optional<bool> bf16_works = {};                 // false: bfloat16 was tried and failed
  std::optional<double> bf16_gain = {};  // matrix product speed relative to fp32; absent: unknown
  std::optional<double> disk_bytes_per_s = {};  // uncached sequential reads of recordings
  std::optional<double> open_s = {};            // to open a recording and get its first byte
};

struct CorpusStats {
  std::optional<std::int64_t> utterances = {};  // good and bad
  std::optional<double> hours = {};             // of the recordings
  std::optional<std::int64_t> mel_p50 = {};     // frames
  std::optional<std::int64_t> mel_p95 = {};
  std::optional<std::int64_t> mel_p99 = {};
  std::optional<std::int64_t> mel_max = {};
  std::optional<std::int64_t> text_p99 = {};  // symbols
  std::optional<std::int64_t> text_max = {};
  std::optional<double> bad_share = {};        // of the utterances
  std::optional<std::string> bad_reason = {};  // the most frequent one
  // Share of the audio (after trimming) in silences of 0.5 s and longer.
  std::optional<double> silence_share = {};
  std::optional<double> longest_silence_s = {};
  std::optional<double> resampled_share = {};  // of the files: sample rate differs from the model's
  std::optional<std::int64_t> resampled_from_hz = {};  // the most frequent other rate
  std::optional<double> encoded_share = {};            // of the files: MP3, OGG, Opus (not FLAC)
  std::optional<double> encoded_mean_s = {};           // mean length of such a file
  std::optional<double> mean_file_bytes = {};
};

// The cost of one loading stage per utterance on one worker. A stage that waits for a disk has
// little CPU and much wall time. Known names: read decode resample prepare text mel pad copy; other
// names are allowed.
struct Stage {
  std::string name;
  std::optional<double> cpu_s = {};
  std::optional<double> wall_s = {};  // absent: as cpu_s
};

struct Loading {
  std::vector<Stage> stages = {};
  // One whole batch on one worker, if stages were not measured separately.
  std::optional<double> batch_cpu_s = {};
  std::optional<double> batch_wall_s = {};         // absent: as batch_cpu_s
  std::optional<double> preparation_s = {};        // wall time of reading the corpus before step 1
  std::optional<std::int64_t> text_restarts = {};  // restarts of the phonemiser process
};

// One training step. A value that was not measured is absent; 0 is a measured zero.
struct Step {
  double step_s = 0.0;                // model time, including copy_s
  std::optional<double> wait_s = {};  // waiting for data before the step
  std::optional<double> copy_s = {};  // of step_s: inputs to the device
  std::optional<double> host_s = {};  // before the wait: reports, validations, checkpoints
  std::optional<std::int64_t> buffer_depth = {};  // batches ready after the step
  std::optional<std::int64_t> epoch = {};
  std::string signature = {};  // "16x200x768": actual B, T, M
  std::int64_t retraces = 0;   // in this step
};

struct Cache {
  std::optional<std::int64_t> hits = {};
  std::optional<std::int64_t> misses = {};
  std::optional<std::int64_t> bytes = {};        // in use
  std::optional<std::int64_t> limit_bytes = {};  // 0: none
  std::optional<bool> stopped = {};              // no more entries are added
};

struct Memory {
  std::optional<std::int64_t> resident_bytes = {};  // now
  std::optional<std::int64_t> peak_bytes = {};
  std::optional<std::int64_t> need_bytes = {};    // of the whole run, computed before step 1
  std::optional<std::int64_t> budget_bytes = {};  // limit of the run; absent: free memory
};

struct Model {
  std::optional<std::int64_t> parameters = {};
  std::optional<double> multiply_adds = {};  // of one step, forward and backward
  std::optional<double> machine_multiply_adds_per_s =
      {};  // of a large matrix product on these threads
};

struct Record {
  Settings settings = {};
  Machine machine = {};
  CorpusStats corpus = {};
  Loading loading = {};
  std::vector<Step> steps = {};
  Cache cache = {};
  Memory memory = {};
  Model model = {};
};

}  // namespace myxtts::rules
