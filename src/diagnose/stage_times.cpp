#include "diagnose/stage_times.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "audio/mel_spec.h"
#include "audio/prepare.h"
#include "audio/resample.h"
#include "audio/silences.h"
#include "base/error.h"
#include "base/files.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "base/threads.h"
#include "corpus/load_recording.h"
#include "data/batch_sampler.h"
#include "data/features.h"
#include "data/mel_placement.h"
#include "diagnose/disk_times.h"
#include "text/front_end.h"

namespace myxtts::diagnose {
namespace {

using StageClock = std::chrono::steady_clock;

constexpr double kMaxOfFreeMemory = 0.5;  // a smaller corpus stays in the page cache
constexpr int kPadRounds = 20;            // batches; a single one is too short to measure

struct StageDuration {
  double cpu_s = 0.0;
  double wall_s = 0.0;
};

double seconds_since(StageClock::time_point start) {
  return std::chrono::duration<double>(StageClock::now() - start).count();
}

// Adds the time of `work`. Wall time counts only if the thread yielded voluntarily (waited), not if
// other threads preempted it.
template <typename Work>
void time_into(StageDuration& duration, const Work& work) {
  const std::int64_t waits_before = base::num_voluntary_switches();
  const double cpu_before = base::thread_cpu_s();
  const StageClock::time_point start = StageClock::now();
  work();
  const double wall_s = seconds_since(start);
  const double cpu_s = base::thread_cpu_s() - cpu_before;
  duration.wall_s +=
      base::num_voluntary_switches() > waits_before ? wall_s : std::min(wall_s, cpu_s);
  duration.cpu_s += cpu_s;
}

bool is_encoded(std::string_view format) {
  return format.starts_with("mp3") || format.starts_with("ogg");
}

// Sums over utterances.
struct StageCounts {
  std::map<std::string, StageDuration> duration = {};  // by the name of the stage
  std::int64_t good = 0;
  std::int64_t bad = 0;
  std::int64_t resampled = 0;
  std::int64_t encoded = 0;
  double encoded_s = 0.0;
  double bytes = 0.0;
  double audio_s = 0.0;   // after trimming
  double silent_s = 0.0;  // part of audio_s in long silences
  double longest_silence_s = 0.0;
  std::map<std::int64_t, std::int64_t> other_rates = {};
  std::map<std::string, std::int64_t> reasons = {};
};

// Measures utterances one by one with reused memory, like a loader worker.
class StageMeter {
 public:
  StageMeter(const corpus::Corpus& corpus, const config::Config& config)
      : root_(std::filesystem::absolute(corpus.root)),
        limits_(corpus::recording_limits_of(config.data)),
        extractor_(audio::mel_spec_of(config)),
        stays_in_memory_(data::audio_bytes_of(corpus) <
                         kMaxOfFreeMemory * static_cast<double>(base::free_memory_bytes())) {}

  void measure(const corpus::Utterance& utterance);

  StageCounts counts;

 private:
  void count_format(const audio::AudioClip& clip);
  void count_silences(std::span<const float> prepared);

  const std::filesystem::path root_;
  const corpus::RecordingLimits limits_;
  const audio::FastMel extractor_;
  // Training reads every file before its first step; the page cache keeps what fits.
  const bool stays_in_memory_;
  data::MelScratch scratch_;
};

void StageMeter::count_format(const audio::AudioClip& clip) {
  if (clip.sample_rate != extractor_.spec().sample_rate) {
    ++counts.resampled;
    ++counts.other_rates[clip.sample_rate];
  }
  if (!is_encoded(clip.format)) return;
  ++counts.encoded;
  counts.encoded_s += clip.seconds();
}

void StageMeter::count_silences(std::span<const float> prepared) {
  const audio::MelSpec& spec = extractor_.spec();
  const audio::Silences silences = audio::silences_in(prepared, spec.sample_rate, spec.trim_top_db);
  counts.audio_s += static_cast<double>(prepared.size()) / spec.sample_rate;
  counts.silent_s += silences.long_s;
  counts.longest_silence_s = std::max(counts.longest_silence_s, silences.longest_s);
}

void StageMeter::measure(const corpus::Utterance& utterance) {
  const std::filesystem::path path = root_ / utterance.audio;
  const audio::MelSpec& spec = extractor_.spec();
  base::ReadResult& file = scratch_.file.read;
  audio::AudioClip& clip = scratch_.decoded.clip;
  if (!stays_in_memory_) drop_cached_pages(path);
  time_into(counts.duration["read"],
            [&] { base::read_regular_file(path, corpus::kMaxAudioBytes, file); });
  std::optional<corpus::Problem> problem;
  time_into(counts.duration["decode"], [&] {
    problem = corpus::decode_recording(utterance, path, file, limits_, scratch_.decoded);
  });
  if (problem) {
    ++counts.bad;
    ++counts.reasons[problem->reason];
    return;
  }
  ++counts.good;
  counts.bytes += static_cast<double>(file.bytes.size());
  count_format(clip);
  if (clip.sample_rate != spec.sample_rate) {
    time_into(counts.duration["resample"], [&] {
      clip.samples = audio::resample(clip.samples, clip.sample_rate, spec.sample_rate);
    });
  }
  time_into(counts.duration["prepare"],
            [&] { audio::prepare(clip.samples, spec.sample_rate, spec, scratch_.prepare); });
  count_silences(clip.samples);
  time_into(counts.duration["mel"], [&] {
    const std::int64_t frames = audio::num_frames(spec, clip.samples.size());
    scratch_.values.resize(static_cast<std::size_t>(frames * spec.n_mels));
    extractor_.log_mel(clip.samples, scratch_.mel, scratch_.values);
  });
}

// The text front end computes in a child process, so its cost is its wall time.
double text_s_per_utterance(const std::vector<corpus::Utterance>& sample,
                            const config::Config& config) {
  std::vector<std::string> texts;
  for (const corpus::Utterance& utterance : sample)
    texts.push_back(utterance.text);
  text::FrontEnd front_end(text::text_settings_of(config));
  StageDuration duration;
  time_into(duration, [&] { front_end.run_all(texts, /*num_workers=*/0); });
  return duration.wall_s / static_cast<double>(texts.size());
}

// Returns the time per batch row with mels in memory: only copies and padding.
double pad_s_per_row(const corpus::Corpus& corpus,
                     const std::vector<corpus::Utterance>& sample,
                     const config::Config& config) {
  corpus::Corpus part = corpus;
  part.utterances = sample;
  const data::FeatureSet features = data::load_features(part, config, /*num_workers=*/0);
  if (features.utterances.empty()) return 0.0;
  data::Signature signature{
      .batch = std::min<std::int64_t>(config.data.batch_size, std::ssize(features.utterances))};
  for (const data::Lengths& lengths : features.lengths()) {
    signature.text = std::max(signature.text, lengths.text);
    signature.mel = std::max(signature.mel, lengths.mel);
  }
  const data::ShapePlan plan = data::fixed_shape_plan(signature);
  data::LoaderSettings settings = data::loader_settings_of(config);
  settings.grad_accum = 1;
  data::BatchSampler sampler(features, plan, settings);
  data::CollatorScratch scratch;
  data::Batch batch;
  sampler.collate(sampler.next_job(), scratch, batch);  // allocates its memory
  StageDuration duration;
  for (int i = 0; i < kPadRounds; ++i)
    time_into(duration, [&] { sampler.collate(sampler.next_job(), scratch, batch); });
  return duration.cpu_s / static_cast<double>(kPadRounds * signature.batch);
}

void record_corpus_stats(const StageCounts& counts, rules::CorpusStats& corpus) {
  const auto good = static_cast<double>(counts.good);
  corpus.bad_share = static_cast<double>(counts.bad) / (good + static_cast<double>(counts.bad));
  corpus.resampled_share = static_cast<double>(counts.resampled) / good;
  corpus.encoded_share = static_cast<double>(counts.encoded) / good;
  corpus.mean_file_bytes = counts.bytes / good;
  corpus.silence_share = counts.audio_s > 0.0 ? counts.silent_s / counts.audio_s : 0.0;
  corpus.longest_silence_s = counts.longest_silence_s;
  if (counts.encoded > 0)
    corpus.encoded_mean_s = counts.encoded_s / static_cast<double>(counts.encoded);
  const auto by_count = [](const auto& one, const auto& other) {
    return one.second < other.second;
  };
  if (!counts.other_rates.empty())
    corpus.resampled_from_hz = std::ranges::max_element(counts.other_rates, by_count)->first;
  if (!counts.reasons.empty())
    corpus.bad_reason = std::ranges::max_element(counts.reasons, by_count)->first;
}

}  // namespace

StageTimes measure_stages(const corpus::Corpus& corpus,
                          const config::Config& config,
                          std::size_t max_utterances) {
  const std::vector<corpus::Utterance> sample =
      corpus::sample_evenly(corpus.utterances, max_utterances);
  StageMeter meter(corpus, config);
  DiskTimes disk;
  if (!sample.empty()) meter.measure(sample.front());  // allocates its memory
  meter.counts = {};
  for (const corpus::Utterance& utterance : sample) {
    base::check_interrupt();
    disk.read(std::filesystem::absolute(corpus.root) / utterance.audio);
    meter.measure(utterance);
  }
  StageCounts& counts = meter.counts;
  require(counts.good > 0,
          "no recording in {} can be used; for the reasons run: myxtts corpus check {}",
          corpus.root.string(),
          corpus.root.string());
  StageTimes times{.num_measured = counts.good};
  const auto good = static_cast<double>(counts.good);
  for (const char* name : {"read", "decode", "resample", "prepare", "mel"}) {
    const StageDuration& duration = counts.duration[name];
    times.stages.push_back({.name = name, .cpu_s = duration.cpu_s / good});
  }
  times.stages.front().wall_s = counts.duration["read"].wall_s / good;
  const double text_s = text_s_per_utterance(sample, config);
  times.stages.push_back({.name = "text", .cpu_s = text_s, .wall_s = text_s});
  times.stages.push_back({.name = "pad", .cpu_s = pad_s_per_row(corpus, sample, config)});
  record_corpus_stats(counts, times.corpus);
  times.machine.open_s = disk.first_byte_s();
  times.machine.disk_bytes_per_s = disk.bytes_per_s();
  return times;
}

}  // namespace myxtts::diagnose
