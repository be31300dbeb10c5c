#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <limits>
#include <new>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "pipeline/feature_cache.h"
#include "pipeline/prefetcher.h"
#include "support/temp_dir.h"
#include "unit/audio/sounds.h"
#include "unit/corpus/corpus_folder.h"
#include "unit/pipeline/small_run.h"

namespace {

std::atomic<std::int64_t> num_allocations = 0;  // of our own code, in every thread
std::atomic<std::int64_t> num_requests = 0;     // of all code: what libraries ask for as well

std::atomic<std::size_t> refused_size = 0;  // nobody gets so much

void* counted(std::size_t size) {
  ++num_allocations;
  if (size != 0 && size == refused_size) throw std::bad_alloc();
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}

}  // namespace

#if defined(__GLIBC__) && !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
// NOLINTBEGIN: the C library's own names for what it lets others replace.
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

// Both sides are replaced; where only one of them is inlined, g++ takes them for a pair that is
// none.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"

void* operator new(std::size_t size) {
  return counted(size);
}
void* operator new[](std::size_t size) {
  return counted(size);
}
// Sorting asks like this for memory that it can do without.
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

namespace xtts::pipeline {
namespace {

using std::chrono::milliseconds;

// Takes and gives back some updates at once.
void pass(Prefetcher& stream, std::size_t count) {
  std::vector<std::unique_ptr<Batch>> held(count);
  for (auto& update : held)
    update = stream.next();
  for (auto& update : held)
    stream.give_back(std::move(update));
}

// What a stream asks for within an epoch, once it has seen more than it will need. A worker that
// had no core until then has not seen anything: it has some more epochs to settle.
struct Asked {
  std::int64_t by_us = std::numeric_limits<std::int64_t>::max();
  std::int64_t in_all = std::numeric_limits<std::int64_t>::max();  // where it is known
};

Asked asked_in_an_epoch(const SmallRun& run, std::int64_t libraries_may = 0) {
  constexpr std::int64_t kMostEpochs = 20;
  BatchSampler behind(run.features, run.plan, run.settings);
  Prefetcher stream(behind, {.num_workers = 2, .buffer = 3});
  const std::int64_t per_epoch = behind.batches_in_epoch();
  pass(stream, 4);  // more at once than will be needed
  pass(stream, static_cast<std::size_t>(2 * per_epoch));
  Asked least;
  const auto has_settled = [&] { return least.by_us == 0 && least.in_all <= libraries_may; };
  for (std::int64_t epoch = 5; epoch < 5 + kMostEpochs && !has_settled(); ++epoch) {
    stream.seek({.epoch = epoch, .update = 0});  // the order of an epoch is new memory
    EXPECT_TRUE(stream.wait_until_ready(3, milliseconds(10000)));

    const Asked before{.by_us = num_allocations, .in_all = num_requests};
    for (std::int64_t i = 0; i < per_epoch - 4; ++i)
      stream.give_back(stream.next());
    least.by_us = std::min(least.by_us, num_allocations - before.by_us);
    least.in_all = std::min(least.in_all, num_requests - before.in_all);
  }
  return least;
}

void expect_none(const Asked& asked) {
  EXPECT_EQ(asked.by_us, 0);
  EXPECT_EQ(asked.in_all, 0) << "by a library";
}

// With one signature every update is as large as the largest from its first use on.
TEST(Prefetcher, InSteadyStateNoMemoryIsAskedFor) {
  SmallRun run = small_run();
  run.plan = fixed_shape_plan({.batch = 4, .text = 60, .mel = 60});

  expect_none(asked_in_an_epoch(run));
}

// Recordings that the workers read whenever they use them. All are of one length: a worker that met
// a longer one for the first time would ask for memory.
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

// Read, decoded, trimmed, brought to loudness and turned into mels by the workers, whenever used.
TEST(Prefetcher, InSteadyStateNoMemoryIsAskedForWithoutACacheEither) {
  Recorded wav(".wav", corpus::hum_wav(0.7));
  wav.load();

  expect_none(asked_in_an_epoch(wav.run));
}

// libmpg123 keeps no memory for the table of seek points that these files have: one request for
// each read, of a row or of a reference.
TEST(Prefetcher, InSteadyStateADecoderOfMp3IsUsedAgain) {
  Recorded mp3(".mp3", hum_mp3(22050));
  mp3.load();

  const Asked asked = asked_in_an_epoch(mp3.run, 2 * 40);

  EXPECT_EQ(asked.by_us, 0);
  EXPECT_LE(asked.in_all, 2 * 40);
}

// soxr makes its filters anew for each recording.
TEST(Prefetcher, InSteadyStateOnlyTheResamplerAsksForMemory) {
  for (const bool is_mp3 : {false, true}) {
    Recorded recorded(is_mp3 ? ".mp3" : ".wav",
                      is_mp3 ? hum_mp3(48000) : corpus::hum_wav(0.7, 0.3F, 48000));
    recorded.load();

    constexpr std::int64_t kAnything = std::numeric_limits<std::int64_t>::max();
    EXPECT_EQ(asked_in_an_epoch(recorded.run, kAnything).by_us, 0) << is_mp3;
  }
}

TEST(Prefetcher, InSteadyStateNoMemoryIsAskedForOutOfTheDiskCache) {
  Recorded wav(".wav", corpus::hum_wav(0.7));
  const auto cache = std::make_shared<FeatureCache>(
      CacheSettings{.folder = wav.dir.path() / "cache",
                    .contract = "a contract",
                    .limit_bytes = std::uint64_t{1} << 30,
                    .on_notice = [](const std::string& text) { ADD_FAILURE() << text; }});
  wav.load(cache);
  for (const corpus::Utterance& utterance : wav.corpus.utterances) {
    const std::int64_t later_ns = wall_clock_ns() + 3'600'000'000'000;  // the files have settled
    ASSERT_TRUE(cache->find(
        read_audio_file(wav.corpus.root / utterance.audio, corpus::kMaxAudioBytes, later_ns)));
  }
  const std::uint64_t misses = cache->counts().misses;

  expect_none(asked_in_an_epoch(wav.run));
  EXPECT_EQ(cache->counts().misses, misses);
  EXPECT_GT(cache->counts().hits, 80U);
}

TEST(Prefetcher, AWorkerWithoutMemoryForAnUpdateSaysSoToWhoAsks) {
  const SmallRun run = small_run();
  BatchSampler behind(run.features, run.plan, run.settings);
  refused_size = sizeof(Batch);
  Prefetcher stream(behind, {.num_workers = 1, .buffer = 1});
  const auto gives_one = [&stream] {
    try {
      return stream.next() != nullptr;
    } catch (const std::bad_alloc&) {
      return false;
    }
  };

  EXPECT_FALSE(gives_one());

  refused_size = 0;
  EXPECT_TRUE(gives_one() || gives_one() || gives_one());  // some may have been begun before
}

}  // namespace
}  // namespace xtts::pipeline
