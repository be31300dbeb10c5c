#include "data/features.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <utility>

#include "base/error.h"
#include "corpus/for_each_utterance.h"
#include "corpus/load_recording.h"
#include "data/recordings.h"
#include "data/timeout_store.h"
#include "data/unreadable_utterances.h"
#include "text/front_end.h"

namespace myxtts::data {
namespace {

// Features of one utterance, or why it is skipped.
struct Loaded {
  std::optional<Features> features;
  std::vector<float> mel;  // [M, C]; empty if it does not stay in memory
  std::vector<std::int16_t> waveform;
  std::optional<corpus::Problem> problem;
};

Loaded load(const corpus::Utterance& utterance,
            const text::TextStages& stages,
            const Recordings& recordings,
            bool with_waveform,
            std::atomic<double>& room_bytes) {
  thread_local MelScratch scratch;
  const std::filesystem::path path = recordings.path_of(utterance);
  RecordedMel mel = recordings.read(utterance, path, scratch);
  if (!mel.problem) {
    mel.problem = corpus::text_problem(utterance, stages, mel.num_frames, mel.speech_s);
  }
  if (mel.problem)
    return {.features = {}, .mel = {}, .waveform = {}, .problem = std::move(mel.problem)};
  Loaded loaded{.features = Features{.id = utterance.id,
                                     .transcript = utterance.text,
                                     .speaker = 0,
                                     .text = stages.ids,
                                     .num_frames = mel.num_frames,
                                     .moments = moments_of(mel.values)},
                .mel = {},
                .waveform = {},
                .problem = {}};
  const auto has_room = [&room_bytes](double bytes) {
    return room_bytes.fetch_sub(bytes) >= bytes;
  };
  if (has_room(static_cast<double>(mel.values.size_bytes()))) {
    loaded.mel.assign(mel.values.begin(), mel.values.end());
  }
  if (!with_waveform) return loaded;
  if (mel.samples.empty()) {  // the mel came from the cache
    const RecordedWaveform waveform = recordings.read_waveform(utterance, path, scratch);
    if (waveform.problem)
      return {.features = {}, .mel = {}, .waveform = {}, .problem = waveform.problem};
    mel.samples = waveform.samples;
  }
  if (has_room(static_cast<double>(mel.samples.size() * sizeof(std::int16_t)))) {
    loaded.waveform.resize(mel.samples.size());
    std::ranges::transform(mel.samples, loaded.waveform.begin(), to_16_bits);
  }
  return loaded;
}

// Returns the speaker names in `used`, sorted and unique.
std::vector<std::string> speakers_of(const std::vector<const corpus::Utterance*>& used) {
  std::vector<std::string> speakers;
  for (const corpus::Utterance* utterance : used)
    speakers.push_back(utterance->speaker);
  std::ranges::sort(speakers);
  const auto repeated = std::ranges::unique(speakers);
  speakers.erase(repeated.begin(), repeated.end());
  return speakers;
}

FeatureSet build_set(const corpus::Corpus& corpus,
                     const config::Config& config,
                     std::shared_ptr<const Recordings> recordings,
                     std::int64_t crop_hops,
                     std::vector<Loaded> loaded) {
  FeatureSet set;
  std::vector<const corpus::Utterance*> used;
  std::vector<corpus::Utterance> read_again;  // same indices as `mels`
  std::vector<std::vector<float>> mels;
  std::vector<std::vector<std::int16_t>> waveforms;
  for (std::size_t i = 0; i < loaded.size(); ++i) {
    if (loaded[i].features) {
      set.utterances.push_back(std::move(*loaded[i].features));
      mels.push_back(std::move(loaded[i].mel));
      waveforms.push_back(std::move(loaded[i].waveform));
      used.push_back(&corpus.utterances[i]);
      read_again.push_back(corpus.utterances[i]);
    } else {
      invariant(loaded[i].problem.has_value(), "an utterance has features or a problem");
      set.skipped.push_back(std::move(*loaded[i].problem));
    }
  }
  set.n_mels = config.model.n_mels;
  if (crop_hops > 0) {
    set.crop_hops = crop_hops;
    set.waveforms = std::make_shared<MemoryWaveforms>(
        std::move(waveforms), std::make_shared<RecordedWaveforms>(recordings, read_again));
  }
  set.mels = std::make_shared<MemoryMels>(
      std::move(mels),
      std::make_shared<RecordedMels>(std::move(recordings), std::move(read_again)));
  set.speakers = speakers_of(used);
  for (std::size_t i = 0; i < used.size(); ++i) {
    const auto speaker = std::ranges::lower_bound(set.speakers, used[i]->speaker);
    set.utterances[i].speaker = static_cast<std::size_t>(speaker - set.speakers.begin());
  }
  return set;
}

}  // namespace

Lengths FeatureSet::lengths_of(std::size_t utterance) const {
  if (crop_hops > 0) return {.text = 0, .mel = crop_hops + 1};
  return utterances.at(utterance).lengths();
}

std::vector<Lengths> FeatureSet::lengths() const {
  std::vector<Lengths> all;
  all.reserve(utterances.size());
  for (std::size_t i = 0; i < utterances.size(); ++i)
    all.push_back(lengths_of(i));
  return all;
}

audio::Mel FeatureSet::mel(std::size_t utterance) const {
  MelScratch scratch;
  const std::span<const float> values = TimeoutMelStore(mels).read(utterance, scratch);
  const std::int64_t num_frames = utterances.at(utterance).num_frames;
  if (std::ssize(values) != num_frames * n_mels) throw UnreadableUtterance(kLengthChanged);
  return {num_frames, n_mels, {values.begin(), values.end()}};
}

std::optional<audio::Mel> try_read_mel(const FeatureSet& features,
                                       std::size_t utterance,
                                       UnreadableUtterances& unreadable) {
  if (unreadable.contains(utterance)) return std::nullopt;
  try {
    return features.mel(utterance);
  } catch (const UnreadableUtterance& error) {
    unreadable.add(utterance, features.utterances.at(utterance).id, error.what());
    return std::nullopt;
  }
}

MelMoments moments_of(std::span<const float> values) {
  MelMoments moments;
  for (const float value : values) {
    moments.sum += value;
    moments.squares += double{value} * value;
  }
  return moments;
}

void set_memory_mels(FeatureSet& set, int n_mels, std::vector<std::vector<float>> mels) {
  invariant(mels.size() == set.utterances.size(), "every utterance has a mel");
  set.n_mels = n_mels;
  for (std::size_t i = 0; i < mels.size(); ++i) {
    set.utterances[i].num_frames = std::ssize(mels[i]) / n_mels;
    set.utterances[i].moments = moments_of(mels[i]);
  }
  set.mels = std::make_shared<MemoryMels>(std::move(mels));
}

FeatureSet load_features(const corpus::Corpus& corpus,
                         const config::Config& config,
                         int num_workers,
                         const std::function<void(std::size_t)>& on_done,
                         const MelPlacement& placement) {
  const auto recordings =
      std::make_shared<const Recordings>(corpus.root, config, placement.cache, placement.extractor);
  text::FrontEnd front_end(text::text_settings_of(config));
  const auto room_bytes = std::make_shared<std::atomic<double>>(placement.memory_bytes);
  std::vector<Loaded> loaded(corpus.utterances.size());
  const bool with_waveform = placement.crop_hops > 0;
  const auto load_one = [recordings, with_waveform, room_bytes, &loaded](
                            std::size_t i,
                            const corpus::Utterance& utterance,
                            const text::TextStages& stages) -> base::Completion {
    Loaded one = load(utterance, stages, *recordings, with_waveform, *room_bytes);
    return [one = std::move(one), i, &loaded]() mutable { loaded[i] = std::move(one); };
  };
  const auto on_timeout = [&loaded](std::size_t i, corpus::Problem problem) {
    loaded[i].problem = std::move(problem);
  };
  corpus::for_each_utterance(corpus,
                             front_end,
                             num_workers,
                             {.work = load_one, .on_timeout = on_timeout, .on_done = on_done});
  return build_set(corpus, config, recordings, placement.crop_hops, std::move(loaded));
}

}  // namespace myxtts::data
