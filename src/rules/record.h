// A record of measurements: everything that the rules of this folder judge a training by.
//
// Whoever measures fills in what he knows and leaves the rest out: an absent value is "not
// measured", and a rule that needs it says nothing. So a record of three fields is as good as one
// of fifty. Shares are 0..1, times are seconds, sizes are bytes. Nothing here measures anything.
//
//   Record record;
//   record.settings.num_workers = 1;
//   record.steps = ...;                                  // one entry per update, in order
//   for (const Finding& finding : judge(record)) ...     // judge.h; the worst first
//   say(limit_line(record));                             // limit_line.h; one line
//
// Plain structs with one list of their fields (record_fields.h), from which record_json.h reads and
// writes them. To add a measurement: a field here, its name there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace xtts::rules {

// The sizes of a batch: B rows, T symbols, M mel frames.
struct Shape {
  std::int64_t batch = 0;
  std::int64_t text = 0;
  std::int64_t mel = 0;
  std::optional<double> share = {};  // of the updates that have it; absent: not known

  bool operator==(const Shape&) const = default;
};

// What the run was told, after every "auto" was decided.
struct Settings {
  std::optional<std::string> shape_mode = {};    // "fixed", "buckets" or "dynamic"
  std::optional<bool> pad_to_fixed_length = {};  // as written; absent: nobody wrote it
  std::vector<Shape> signatures = {};            // of the plan; none with dynamic shapes
  std::optional<std::int64_t> batch_size = {};   // utterances of one update
  std::optional<std::int64_t> grad_accum = {};   // micro-batches of one update
  std::optional<std::int64_t> num_workers = {};  // loader threads; 0: inline
  std::optional<std::int64_t> buffer = {};       // updates held ready, at most
  std::optional<std::string> cache = {};         // "auto", "ram", "disk" or "off"
  std::optional<std::int64_t> cache_limit_bytes = {};
  std::optional<std::string> precision = {};         // "fp32" or "bf16", what the step computes in
  std::optional<std::int64_t> threads = {};          // of the arithmetic
  std::optional<std::string> device = {};            // that trains: "cpu", "cpu:1", "cuda:0"
  std::optional<std::string> mode = {};              // "single_buffered" or "multi_device"
  std::vector<std::int64_t> model_cores = {};        // of the lane that trains
  std::vector<std::int64_t> data_cores = {};         // of the lane that prepares batches
  std::optional<bool> loader_is_idle_priority = {};  // works only where the model does not
  std::optional<bool> trim_silence = {};
  std::optional<double> planned_epochs = {};       // of the whole run
  std::optional<std::int64_t> planned_steps = {};  // updates of the whole run
};

struct Machine {
  std::optional<std::int64_t> cores = {};         // that the machine has
  std::optional<std::int64_t> usable_cores = {};  // that this process may use
  std::optional<double> load_by_others = {};      // cores that other processes keep busy
  std::optional<std::int64_t> total_memory_bytes = {};
  std::optional<std::int64_t> free_memory_bytes = {};  // to be had while the run is at work
  std::vector<std::string> cpu_features = {};          // "avx2", "avx512_bf16", "amx_bf16", ...
  std::optional<bool> bf16_works = {};                 // false: bfloat16 was tried and failed
  std::optional<double> bf16_gain = {};  // products in it beside fp32, x as fast; absent: unknown
  std::optional<double> disk_bytes_per_s = {};  // reading recordings in their order, not cached
  std::optional<double> open_s = {};            // to open a recording and get its first byte
};

struct Corpus {
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
  // Of the seconds that a training hears (after trimming), those in silences of 0.5 s and longer.
  std::optional<double> silence_share = {};
  std::optional<double> longest_silence_s = {};
  std::optional<double> resampled_share = {};  // of the files; their rate is not the model's
  std::optional<std::int64_t> resampled_from_hz = {};  // the most frequent other rate
  std::optional<double> encoded_share = {};            // of the files: MP3, OGG, Opus (not FLAC)
  std::optional<double> encoded_mean_s = {};           // mean length of such a file
  std::optional<double> mean_file_bytes = {};
};

// What one stage of loading costs per utterance, on one worker. A stage that waits (for a disk)
// needs little CPU and much wall time. Known names: read decode resample prepare text mel pad copy;
// others are shown and counted all the same.
struct Stage {
  std::string name;
  std::optional<double> cpu_s = {};
  std::optional<double> wall_s = {};  // absent: as cpu_s
};

struct Loading {
  std::vector<Stage> stages = {};
  // One whole update on one worker, where stages were not measured apart.
  std::optional<double> update_cpu_s = {};
  std::optional<double> update_wall_s = {};  // absent: as update_cpu_s
  std::optional<double> preparation_s = {};  // wall time before step 1 in which the corpus was read
  std::optional<std::int64_t> text_restarts = {};  // the phonemiser's child was started again
};

// One update. What was not measured of it is absent; 0 means measured and none.
struct Step {
  double step_s = 0.0;                            // the model's time, with copy_s
  std::optional<double> wait_s = {};              // before it, for data
  std::optional<double> copy_s = {};              // of step_s: inputs to the device
  std::optional<double> host_s = {};              // before the wait: reports, validations, saves
  std::optional<std::int64_t> buffer_depth = {};  // updates ready after it
  std::optional<std::int64_t> epoch = {};
  std::string signature = {};  // "16x200x768": B, T, M as the step saw them
  std::int64_t retraces = 0;   // in this step
};

struct Cache {
  std::optional<std::int64_t> hits = {};
  std::optional<std::int64_t> misses = {};
  std::optional<std::int64_t> bytes = {};        // held
  std::optional<std::int64_t> limit_bytes = {};  // 0: none
  std::optional<bool> stopped = {};              // nothing more is added
};

struct Memory {
  std::optional<std::int64_t> resident_bytes = {};  // now
  std::optional<std::int64_t> peak_bytes = {};
  std::optional<std::int64_t> need_bytes = {};    // of the whole run, computed before it
  std::optional<std::int64_t> budget_bytes = {};  // that it may have; absent: what is free
};

struct Model {
  std::optional<std::int64_t> parameters = {};
  std::optional<double> multiply_adds = {};                // of one update, forward and backward
  std::optional<double> machine_multiply_adds_per_s = {};  // of a large product on these threads
};

struct Record {
  Settings settings = {};
  Machine machine = {};
  Corpus corpus = {};
  Loading loading = {};
  std::vector<Step> steps = {};
  Cache cache = {};
  Memory memory = {};
  Model model = {};
};

}  // namespace xtts::rules
