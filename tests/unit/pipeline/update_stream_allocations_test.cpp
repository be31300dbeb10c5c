#include <atomic>
#include <cstdlib>
#include <new>
#include <string>

#include <gtest/gtest.h>

#include "pipeline/update_stream.h"
#include "support/temp_dir.h"
#include "unit/corpus/corpus_folder.h"
#include "unit/pipeline/small_run.h"

namespace {

std::atomic<std::int64_t> num_allocations = 0;  // of the whole program, in every thread

std::atomic<std::size_t> refused_size = 0;  // nobody gets so much

void* counted(std::size_t size) {
  ++num_allocations;
  if (size != 0 && size == refused_size) throw std::bad_alloc();
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}

}  // namespace

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
void pass(UpdateStream& stream, std::size_t count) {
  std::vector<std::unique_ptr<Update>> held(count);
  for (auto& update : held)
    update = stream.next();
  for (auto& update : held)
    stream.give_back(std::move(update));
}

// What a stream asks for within an epoch, once it has seen more than it will need.
std::int64_t allocations_of_an_epoch(const SmallRun& run) {
  Loader behind(run.features, run.plan, run.settings);
  UpdateStream stream(behind, {.num_workers = 2, .buffer = 3});
  const std::int64_t per_epoch = behind.updates_in_epoch(0);
  pass(stream, 4);  // more at once than will be needed
  pass(stream, static_cast<std::size_t>(2 * per_epoch));
  stream.seek({.epoch = 5, .update = 0});  // the order of an epoch is new memory
  EXPECT_TRUE(stream.wait_until_ready(3, milliseconds(10000)));

  const std::int64_t before = num_allocations;
  for (std::int64_t i = 0; i < per_epoch - 4; ++i)
    stream.give_back(stream.next());
  return num_allocations - before;
}

// With one signature every update is as large as the largest from its first use on.
TEST(UpdateStream, InSteadyStateNoMemoryIsAskedFor) {
  SmallRun run = small_run();
  run.plan = fixed_shape_plan({.batch = 4, .text = 60, .mel = 60});

  EXPECT_EQ(allocations_of_an_epoch(run), 0);
}

// Read, decoded, trimmed, brought to loudness and turned into mels by the workers, whenever used.
// All are of one length: a worker that met a longer one for the first time would ask for memory.
TEST(UpdateStream, InSteadyStateNoMemoryIsAskedForWithoutACacheEither) {
  const support::TempDir dir;
  corpus::Corpus corpus;
  corpus.root = dir.path();
  for (int i = 0; i < 40; ++i) {
    const std::string id = "a recording with a name of some length " + std::to_string(i);
    dir.write("wavs/" + id + ".wav", corpus::hum_wav(0.7));
    corpus.utterances.push_back(
        {.id = id, .audio = "wavs/" + id + ".wav", .text = "hello", .speaker = "", .line = 1});
  }
  SmallRun run;
  run.features = load_features(corpus,
                               corpus::grapheme_config(),
                               /*num_workers=*/0,
                               /*on_done=*/{},
                               {.memory_bytes = 0.0, .cache = nullptr});
  ASSERT_EQ(run.features.utterances.size(), 40U);
  run.plan = fixed_shape_plan({.batch = 4, .text = 20, .mel = 100});
  run.settings.reference_frames = 16;

  EXPECT_EQ(allocations_of_an_epoch(run), 0);
}

TEST(UpdateStream, AWorkerWithoutMemoryForAnUpdateSaysSoToWhoAsks) {
  const SmallRun run = small_run();
  Loader behind(run.features, run.plan, run.settings);
  refused_size = sizeof(Update);
  UpdateStream stream(behind, {.num_workers = 1, .buffer = 1});
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
