#include "bench/bench_loader.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <unordered_set>

#include "base/interrupt.h"
#include "base/progress.h"
#include "base/temporary_folder.h"
#include "base/terminal.h"
#include "base/threads.h"
#include "config/config.h"
#include "corpus/locate.h"
#include "corpus/reader.h"
#include "data/batch_sampler.h"
#include "data/features.h"
#include "data/mel_placement.h"
#include "data/prefetcher.h"
#include "data/recordings.h"
#include "data/run_plan.h"

namespace myxtts::bench {
namespace {

using LoaderClock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kMinDurationPerVariant(500);

// A corpus with its features and the shape plan of a training run on it.
struct BenchCorpus {
  config::Config config;
  corpus::Corpus good;  // without the utterances that training would skip
  data::FeatureSet in_memory;
  data::ShapePlan plan;
};

// Reads the corpus. A bare corpus has mels of the unprocessed samples, as peers compute them.
BenchCorpus read_bench_corpus(const BenchLoaderArgs& args, int num_workers, bool is_bare) {
  BenchCorpus bench;
  bench.config.data.batch_size = args.batch_size;
  if (is_bare) {
    bench.config.data.trim_silence = false;
    bench.config.data.normalize_audio = false;
    bench.config.data.enable_loudness_normalization = false;
  }
  const std::filesystem::path folder = corpus::locate_corpus(args.train_data, bench.config.data);
  bench.good = corpus::read_corpus(folder, bench.config.data);
  {
    base::ProgressBar bar("features", bench.good.utterances.size());
    bench.in_memory = data::load_features(
        bench.good, bench.config, num_workers, [&](std::size_t count) { bar.advance(count); });
  }
  std::unordered_set<std::string> ids;
  for (const data::Features& one : bench.in_memory.utterances)
    ids.insert(one.id);
  std::erase_if(bench.good.utterances,
                [&](const corpus::Utterance& one) { return !ids.contains(one.id); });
  bench.plan = data::plan_run(
      data::shape_settings_of(bench.config), bench.in_memory.lengths(), /*validation=*/{});
  return bench;
}

// Returns the features of the corpus with mels that are computed on demand or read from the cache.
data::FeatureSet from_files(const BenchCorpus& bench, std::shared_ptr<data::FeatureCache> cache) {
  data::FeatureSet features = bench.in_memory;
  features.mels = std::make_shared<data::RecordedMels>(
      std::make_shared<const data::Recordings>(bench.good.root, bench.config, std::move(cache)),
      bench.good.utterances);
  return features;
}

std::shared_ptr<data::FeatureCache> open_bench_cache(const BenchCorpus& bench,
                                                     const std::filesystem::path& folder) {
  config::Config config = bench.config;
  config.data.feature_cache = "disk";
  config.data.cache_dir = folder.string();
  const auto on_notice = [](const std::string& text) { base::log("[cache] {}\n", text); };
  return data::placement_of(config, /*audio_bytes=*/0.0, /*free_bytes=*/0.0, on_notice).cache;
}

// Amount of audio loaded and the time taken.
struct Loaded {
  double audio_s = 0.0;
  LoaderClock::duration elapsed{};

  double x_real_time() const { return audio_s / std::chrono::duration<double>(elapsed).count(); }
};

// Loads whole epochs, at least one, until `min_duration` has passed.
Loaded load_epochs(const BenchCorpus& bench,
                   const data::FeatureSet& features,
                   int num_workers,
                   std::int64_t reference_frames,
                   LoaderClock::duration min_duration) {
  data::LoaderSettings settings = data::loader_settings_of(bench.config);
  settings.reference_frames = reference_frames;
  data::BatchSampler sampler(features, bench.plan, settings);
  const std::int64_t num_batches = sampler.batches_in_epoch();
  const double frame_s =
      static_cast<double>(bench.config.model.hop_length) / bench.config.model.sample_rate;
  Loaded loaded;
  const auto start = LoaderClock::now();
  data::Prefetcher prefetcher(sampler, {.num_workers = num_workers});
  do {
    for (std::int64_t i = 0; i < num_batches; ++i) {
      base::check_interrupt();
      std::unique_ptr<data::Batch> batch = prefetcher.next();
      loaded.audio_s += static_cast<double>(batch->counts.frames) * frame_s;
      prefetcher.recycle(std::move(batch));
    }
    loaded.elapsed = LoaderClock::now() - start;
  } while (loaded.elapsed < min_duration);
  return loaded;
}

struct LoaderVariant {
  std::string name;
  std::function<Loaded()> load;
  std::vector<double> x_real_time = {};  // one value per round
};

double median_of(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

// Returns the median over rounds of the speed ratio of two variants.
double median_ratio(const LoaderVariant& one, const LoaderVariant& other) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < one.x_real_time.size(); ++i)
    ratios.push_back(one.x_real_time[i] / other.x_real_time[i]);
  return median_of(std::move(ratios));
}

std::vector<LoaderVariant> loader_variants(const BenchCorpus& bare,
                                           const BenchCorpus& usual,
                                           const std::filesystem::path& folder,
                                           int num_workers) {
  const auto load = [](const BenchCorpus& bench,
                       const data::FeatureSet& features,
                       int workers,
                       std::int64_t reference_frames = 0) {
    return load_epochs(bench, features, workers, reference_frames, kMinDurationPerVariant);
  };
  const auto files = [load](const BenchCorpus& bench, int workers, std::int64_t clip = 0) {
    return [&bench, load, workers, clip, features = from_files(bench, nullptr)] {
      return load(bench, features, workers, clip);
    };
  };
  // The first epoch starts with an empty cache and runs once; the second epoch reads that cache.
  const auto first = [&usual, folder, num_workers] {
    std::filesystem::remove_all(folder);
    return load_epochs(usual,
                       from_files(usual, open_bench_cache(usual, folder)),
                       num_workers,
                       /*reference_frames=*/0,
                       LoaderClock::duration(0));
  };
  const auto second = [&usual, folder, num_workers, load] {
    return load(usual, from_files(usual, open_bench_cache(usual, folder)), num_workers);
  };
  const auto memory = [&usual, num_workers, load] {
    return load(usual, usual.in_memory, num_workers);
  };
  const std::int64_t clip = data::reference_frames_of(usual.config);
  return {{.name = "loader_inline", .load = files(bare, 0)},
          {.name = "loader_files", .load = files(bare, num_workers)},
          {.name = "loader_prepared", .load = files(usual, num_workers)},
          {.name = "loader_voices", .load = files(usual, num_workers, clip)},
          {.name = "loader_first_epoch", .load = first},
          {.name = "loader_second_epoch", .load = second},
          {.name = "loader_memory", .load = memory}};
}

}  // namespace

std::vector<BenchResult> bench_loader(const BenchLoaderArgs& args) {
  const int num_workers = args.num_workers > 0 ? args.num_workers : base::num_usable_cores();
  const BenchCorpus bare = read_bench_corpus(args, num_workers, /*is_bare=*/true);
  const BenchCorpus usual = read_bench_corpus(args, num_workers, /*is_bare=*/false);
  const base::TemporaryFolder folder("myxtts-bench");
  std::vector<LoaderVariant> variants =
      loader_variants(bare, usual, folder.path() / "cache", num_workers);
  for (int round = 0; round < args.rounds; ++round) {
    for (LoaderVariant& variant : variants)
      variant.x_real_time.push_back(variant.load().x_real_time());
  }
  std::vector<BenchResult> results;
  for (const LoaderVariant& variant : variants)
    results.push_back({variant.name, median_of(variant.x_real_time), "x real time"});
  const auto ratio = [&variants](std::string_view one, std::string_view other) {
    return median_ratio(*std::ranges::find(variants, one, &LoaderVariant::name),
                        *std::ranges::find(variants, other, &LoaderVariant::name));
  };
  results.push_back({"loader_second_to_first_epoch",
                     ratio("loader_second_epoch", "loader_first_epoch"),
                     "ratio"});
  results.push_back({"loader_second_epoch_to_prepared",
                     ratio("loader_second_epoch", "loader_prepared"),
                     "ratio"});
  return results;
}

}  // namespace myxtts::bench
