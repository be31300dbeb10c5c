#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <limits>
#include <new>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "data/feature_cache.h"
#include "data/prefetcher.h"
#include "support/temp_dir.h"
#include "unit/audio/signals.h"
#include "unit/corpus/corpus_folder.h"
#include "unit/data/small_run.h"

namespace {

std::atomic<std::int64_t> num_allocations = 0;  // by operator new, in all threads
std::atomic<std::int64_t> num_requests = 0;     // by malloc, including libraries

std::atomic<std::size_t> refused_size = 0;  // an allocation of exactly this size fails

void* allocate_counted(std::size_t size) {
  ++num_allocations;
  if (size != 0 && size == refused_size) throw std::bad_alloc();
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}

}  // namespace

#if defined(__GLIBC__) && !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
// NOLINTBEGIN: names of the C library that a program may replace.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);

void* malloc(std::size_t size) {
  ++num_requests;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  ++num_requests;
  return __libc_calloc(count, size);
}
void* realloc(void* memory, std::size_t size) {
  ++num_requests;
  return __libc_realloc(memory, size);
}
}
// NOLINTEND
#endif

// new and delete are both replaced; g++ warns where it inlines only one of them.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"

void* operator new(std::size_t size) {
  return allocate_counted(size);
}
void* operator new[](std::size_t size) {
  return allocate_counted(size);
}
// std::sort and others allocate optional memory this way.
void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  ++num_allocations;
  return std::malloc(size == 0 ? 1 : size);
}
void* operator new[](std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  ++num_allocations;
  return std::malloc(size == 0 ? 1 : size);
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete[](void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace myxtts::data {
namespace {

using std::chrono::milliseconds;

// Takes `count` batches and recycles them.
void take_and_recycle(Prefetcher& prefetcher, std::size_t count) {
  std::vector<std::unique_ptr<Batch>> held(count);
  for (auto& batch : held)
    batch = prefetcher.next();
  for (auto& batch : held)
    prefetcher.recycle(std::move(batch));
}

// Allocations within an epoch in steady state. A worker that had no core before has not allocated
// its memory yet, so that several epochs may be needed.
struct Allocations {
  std::int64_t own = std::numeric_limits<std::int64_t>::max();
  std::int64_t total = std::numeric_limits<std::int64_t>::max();  // only where malloc is replaced
};

Allocations allocations_in_an_epoch(const SmallRun& run, std::int64_t max_by_libraries = 0) {
  constexpr std::int64_t kMaxEpochs = 20;
  BatchSampler sampler(run.features, run.plan, run.settings);
  Prefetcher prefetcher(sampler, {.num_workers = 2, .buffer = 3});
  const std::int64_t per_epoch = sampler.batches_in_epoch();
  take_and_recycle(prefetcher, 4);  // more at once than needed below
  take_and_recycle(prefetcher, static_cast<std::size_t>(2 * per_epoch));
  Allocations least;
  const auto is_steady = [&] { return least.own == 0 && least.total <= max_by_libraries; };
  for (std::int64_t epoch = 5; epoch < 5 + kMaxEpochs && !is_steady(); ++epoch) {
    prefetcher.seek({.epoch = epoch, .batch = 0});  // sampling an epoch allocates
    EXPECT_TRUE(prefetcher.wait_until_ready(3, milliseconds(10000)));

    const Allocations before{.own = num_allocations, .total = num_requests};
    for (std::int64_t i = 0; i < per_epoch - 4; ++i)
      prefetcher.recycle(prefetcher.next());
    least.own = std::min(least.own, num_allocations - before.own);
    least.total = std::min(least.total, num_requests - before.total);
  }
  return least;
}

void expect_none(const Allocations& found) {
  EXPECT_EQ(found.own, 0);
  EXPECT_EQ(found.total, 0) << "by a library";
}

// With one signature every batch has its final size from its first use on.
TEST(Prefetcher, SteadyStateInMemoryDoesNotAllocate) {
  SmallRun run = small_run();
  run.plan = fixed_shape_plan({.batch = 4, .text = 60, .mel = 60});

  expect_none(allocations_in_an_epoch(run));
}

// Recordings that the workers read at each use. All have one length: a worker would allocate for
// its first longer one.
struct Recorded {
  Recorded(const std::string& suffix, const std::string& bytes) {
    corpus.root = dir.path();
    for (int i = 0; i < 40; ++i) {
      const std::string id = "a recording with a name of some length " + std::to_string(i);
      const std::string file = fmt::format("wavs/{}{}", id, suffix);
      dir.write(file, bytes);
      corpus.utterances.push_back(
          {.id = id, .audio = file, .text = "hello", .speaker = "", .line = 1});
    }
    run.plan = fixed_shape_plan({.batch = 4, .text = 20, .mel = 100});
    run.settings.reference_frames = 16;
  }

  void load(std::shared_ptr<FeatureCache> cache = nullptr) {
    run.features = load_features(corpus,
                                 corpus::grapheme_config(),
                                 /*num_workers=*/0,
                                 /*on_done=*/{},
                                 {.memory_bytes = 0.0, .cache = std::move(cache)});
    ASSERT_EQ(run.features.utterances.size(), 40U);
  }

  support::TempDir dir;
  corpus::Corpus corpus;
  SmallRun run;
};

std::string hum_mp3(int sample_rate) {
  return audio::encoded(corpus::hum(0.7, 0.3F, sample_rate),
                        sample_rate,
                        1,
                        SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III);
}

// The workers read, decode and prepare the recordings and compute the mels at each use.
TEST(Prefetcher, SteadyStateWithoutCacheDoesNotAllocate) {
  Recorded wav(".wav", corpus::hum_wav(0.7));
  wav.load();

  expect_none(allocations_in_an_epoch(wav.run));
}

// libmpg123 allocates the seek table of these files once per read of a row or of a reference.
TEST(Prefetcher, SteadyStateReusesTheMp3Decoder) {
  Recorded mp3(".mp3", hum_mp3(22050));
  mp3.load();

  const Allocations found = allocations_in_an_epoch(mp3.run, 2 * 40);

  EXPECT_EQ(found.own, 0);
  EXPECT_LE(found.total, 2 * 40);
}

// soxr builds its filters again for each recording.
TEST(Prefetcher, InSteadyStateOnlyTheResamplerAllocates) {
  for (const bool is_mp3 : {false, true}) {
    Recorded recorded(is_mp3 ? ".mp3" : ".wav",
                      is_mp3 ? hum_mp3(48000) : corpus::hum_wav(0.7, 0.3F, 48000));
    recorded.load();

    constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max();
    EXPECT_EQ(allocations_in_an_epoch(recorded.run, kUnlimited).own, 0) << is_mp3;
  }
}

TEST(Prefetcher, SteadyStateWithDiskCacheDoesNotAllocate) {
  Recorded wav(".wav", corpus::hum_wav(0.7));
  const auto cache = std::make_shared<FeatureCache>(
      CacheSettings{.folder = wav.dir.path() / "cache",
                    .mel_key = "a key",
                    .limit_bytes = std::uint64_t{1} << 30,
                    .on_notice = [](const std::string& text) { ADD_FAILURE() << text; }});
  wav.load(cache);
  for (const corpus::Utterance& utterance : wav.corpus.utterances) {
    const std::int64_t later_ns =
        wall_clock_ns() + 3'600'000'000'000;  // so that the stamps are settled
    ASSERT_TRUE(cache->find(
        read_audio_file(wav.corpus.root / utterance.audio, corpus::kMaxAudioBytes, later_ns)));
  }
  const std::uint64_t misses = cache->counts().misses;

  expect_none(allocations_in_an_epoch(wav.run));
  EXPECT_EQ(cache->counts().misses, misses);
  EXPECT_GT(cache->counts().hits, 80U);
}

TEST(Prefetcher, OutOfMemoryOfAWorkerReachesTheConsumer) {
  const SmallRun run = small_run();
  BatchSampler sampler(run.features, run.plan, run.settings);
  refused_size = sizeof(Batch);
  Prefetcher prefetcher(sampler, {.num_workers = 1, .buffer = 1});
  const auto has_next = [&prefetcher] {
    try {
      return prefetcher.next() != nullptr;
    } catch (const std::bad_alloc&) {
      return false;
    }
  };

  EXPECT_FALSE(has_next());

  refused_size = 0;
  EXPECT_TRUE(has_next() || has_next() ||
              has_next());  // earlier failures may still be in the buffer
}

}  // namespace
}  // namespace myxtts::data
