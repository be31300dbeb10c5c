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
#include "diagnose/disk_times.h"
#include "pipeline/batch_sampler.h"
#include "pipeline/features.h"
#include "pipeline/mel_placement.h"
#include "text/front_end.h"

namespace xtts::diagnose {
namespace {

using StageClock = std::chrono::steady_clock;

constexpr double kMostOfFreeMemory = 0.5;  // that a corpus may take to stay there
constexpr int kPadRounds = 20;             // updates; one alone is too short to be measured

struct Taken {
  double cpu_s = 0.0;
  double wall_s = 0.0;
};

double seconds_since(StageClock::time_point start) {
  return std::chrono::duration<double>(StageClock::now() - start).count();
}

// What calls of `work` take, added up. A thread that others push aside waits for nothing: its wall
// time counts where it gave way by itself.
template <typename Work>
void time_into(Taken& taken, const Work& work) {
  const std::int64_t waits_before = base::num_thread_waits();
  const double cpu_before = base::thread_cpu_s();
  const StageClock::time_point start = StageClock::now();
  work();
  const double wall_s = seconds_since(start);
  const double cpu_s = base::thread_cpu_s() - cpu_before;
  taken.wall_s += base::num_thread_waits() > waits_before ? wall_s : std::min(wall_s, cpu_s);
  taken.cpu_s += cpu_s;
}

bool is_encoded(std::string_view format) {
  return format.starts_with("mp3") || format.starts_with("ogg");
}

// Sums over utterances.
struct StageCounts {
  std::map<std::string, Taken> taken = {};  // by the name of the stage
  std::int64_t good = 0;
  std::int64_t bad = 0;
  std::int64_t resampled = 0;
  std::int64_t encoded = 0;
  double encoded_s = 0.0;
  double bytes = 0.0;
  double heard_s = 0.0;   // what a training hears of them
  double silent_s = 0.0;  // of that, in long silences
  double longest_silence_s = 0.0;
  std::map<std::int64_t, std::int64_t> other_rates = {};
  std::map<std::string, std::int64_t> reasons = {};
};

// Measures one utterance after the other with memory that is used again, as a worker has it.
class StageClockwork {
 public:
  StageClockwork(const corpus::Corpus& corpus, const config::Config& config)
      : root_(std::filesystem::absolute(corpus.root)),
        limits_(corpus::recording_limits_of(config.data)),
        extractor_(audio::mel_spec_of(config)),
        stays_in_memory_(pipeline::audio_bytes_of(corpus) <
                         kMostOfFreeMemory * static_cast<double>(base::free_memory_bytes())) {}

  void measure(const corpus::Utterance& utterance);

  StageCounts counts;

 private:
  void note_format(const audio::AudioClip& sound);
  void note_silences(std::span<const float> prepared);

  const std::filesystem::path root_;
  const corpus::RecordingLimits limits_;
  const audio::FastMel extractor_;
  // A training reads every file before its first step; the system keeps what there is room for.
  const bool stays_in_memory_;
  pipeline::MelScratch scratch_;
};

void StageClockwork::note_format(const audio::AudioClip& sound) {
  if (sound.sample_rate != extractor_.contract().sample_rate) {
    ++counts.resampled;
    ++counts.other_rates[sound.sample_rate];
  }
  if (!is_encoded(sound.format)) return;
  ++counts.encoded;
  counts.encoded_s += sound.seconds();
}

void StageClockwork::note_silences(std::span<const float> prepared) {
  const audio::MelSpec& contract = extractor_.contract();
  const audio::Silences silences =
      audio::silences_in(prepared, contract.sample_rate, contract.trim_top_db);
  counts.heard_s += static_cast<double>(prepared.size()) / contract.sample_rate;
  counts.silent_s += silences.long_s;
  counts.longest_silence_s = std::max(counts.longest_silence_s, silences.longest_s);
}

void StageClockwork::measure(const corpus::Utterance& utterance) {
  const std::filesystem::path path = root_ / utterance.audio;
  const audio::MelSpec& contract = extractor_.contract();
  base::ReadResult& file = scratch_.file.read;
  audio::AudioClip& sound = scratch_.decoded.sound;
  if (!stays_in_memory_) forget_pages(path);
  time_into(counts.taken["read"],
            [&] { base::read_regular_file(path, corpus::kMaxAudioBytes, file); });
  std::optional<corpus::Problem> problem;
  time_into(counts.taken["decode"], [&] {
    problem = corpus::decode_recording(utterance, path, file, limits_, scratch_.decoded);
  });
  if (problem) {
    ++counts.bad;
    ++counts.reasons[problem->reason];
    return;
  }
  ++counts.good;
  counts.bytes += static_cast<double>(file.bytes.size());
  note_format(sound);
  if (sound.sample_rate != contract.sample_rate) {
    time_into(counts.taken["resample"], [&] {
      sound.samples = audio::resample(sound.samples, sound.sample_rate, contract.sample_rate);
    });
  }
  time_into(counts.taken["prepare"], [&] {
    audio::prepare(sound.samples, contract.sample_rate, contract, scratch_.prepare);
  });
  note_silences(sound.samples);
  time_into(counts.taken["mel"], [&] {
    const std::int64_t frames = audio::num_frames(contract, sound.samples.size());
    scratch_.values.resize(static_cast<std::size_t>(frames * contract.n_mels));
    extractor_.log_mel(sound.samples, scratch_.mel, scratch_.values);
  });
}

// The text front end computes in a child of ours, so its wall time is what it costs.
double text_s_per_utterance(const std::vector<corpus::Utterance>& sample,
                            const config::Config& config) {
  std::vector<std::string> texts;
  for (const corpus::Utterance& utterance : sample)
    texts.push_back(utterance.text);
  text::FrontEnd front_end(text::text_settings_of(config));
  Taken taken;
  time_into(taken, [&] { front_end.run_all(texts, /*num_workers=*/0); });
  return taken.wall_s / static_cast<double>(texts.size());
}

// Rows of batches out of mels in memory: copies and padding are all that is left.
double pad_s_per_row(const corpus::Corpus& corpus,
                     const std::vector<corpus::Utterance>& sample,
                     const config::Config& config) {
  corpus::Corpus part = corpus;
  part.utterances = sample;
  const pipeline::FeatureSet features = pipeline::load_features(part, config, /*num_workers=*/0);
  if (features.utterances.empty()) return 0.0;
  pipeline::Signature signature{
      .batch = std::min<std::int64_t>(config.data.batch_size, std::ssize(features.utterances))};
  for (const pipeline::Lengths& lengths : features.lengths()) {
    signature.text = std::max(signature.text, lengths.text);
    signature.mel = std::max(signature.mel, lengths.mel);
  }
  const pipeline::ShapePlan plan = pipeline::fixed_shape_plan(signature);
  pipeline::LoaderSettings settings = pipeline::loader_settings_of(config);
  settings.grad_accum = 1;
  pipeline::BatchSampler loader(features, plan, settings);
  pipeline::CollatorScratch scratch;
  pipeline::Batch update;
  loader.make(loader.take(), scratch, update);  // its memory is asked for once
  Taken taken;
  for (int i = 0; i < kPadRounds; ++i)
    time_into(taken, [&] { loader.make(loader.take(), scratch, update); });
  return taken.cpu_s / static_cast<double>(kPadRounds * signature.batch);
}

void note_facts(const StageCounts& counts, rules::Corpus& corpus) {
  const auto good = static_cast<double>(counts.good);
  corpus.bad_share = static_cast<double>(counts.bad) / (good + static_cast<double>(counts.bad));
  corpus.resampled_share = static_cast<double>(counts.resampled) / good;
  corpus.encoded_share = static_cast<double>(counts.encoded) / good;
  corpus.mean_file_bytes = counts.bytes / good;
  corpus.silence_share = counts.heard_s > 0.0 ? counts.silent_s / counts.heard_s : 0.0;
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
                          std::size_t most) {
  const std::vector<corpus::Utterance> sample = corpus::even_sample(corpus.utterances, most);
  StageClockwork clockwork(corpus, config);
  DiskTimes disk;
  if (!sample.empty()) clockwork.measure(sample.front());  // its memory is asked for once
  clockwork.counts = {};
  for (const corpus::Utterance& utterance : sample) {
    base::check_interrupt();
    disk.read(std::filesystem::absolute(corpus.root) / utterance.audio);
    clockwork.measure(utterance);
  }
  StageCounts& counts = clockwork.counts;
  require(counts.good > 0,
          "no recording of {} can be used; see why with: myxtts corpus check {}",
          corpus.root.string(),
          corpus.root.string());
  StageTimes times{.num_measured = counts.good};
  const auto good = static_cast<double>(counts.good);
  for (const char* name : {"read", "decode", "resample", "prepare", "mel"}) {
    const Taken& taken = counts.taken[name];
    times.stages.push_back({.name = name, .cpu_s = taken.cpu_s / good});
  }
  times.stages.front().wall_s = counts.taken["read"].wall_s / good;
  const double text_s = text_s_per_utterance(sample, config);
  times.stages.push_back({.name = "text", .cpu_s = text_s, .wall_s = text_s});
  times.stages.push_back({.name = "pad", .cpu_s = pad_s_per_row(corpus, sample, config)});
  note_facts(counts, times.corpus);
  times.machine.open_s = disk.first_byte_s();
  times.machine.disk_bytes_per_s = disk.bytes_per_s();
  return times;
}

}  // namespace xtts::diagnose
