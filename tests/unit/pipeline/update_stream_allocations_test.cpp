#include <atomic>
#include <cstdlib>
#include <new>

#include <gtest/gtest.h>

#include "pipeline/update_stream.h"
#include "unit/pipeline/small_run.h"

namespace {

std::atomic<std::int64_t> num_allocations = 0;  // of the whole program, in every thread

void* counted(std::size_t size) {
  ++num_allocations;
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

// With one signature every update is as large as the largest from its first use on.
TEST(UpdateStream, InSteadyStateNoMemoryIsAskedFor) {
  SmallRun run = small_run();
  run.plan = fixed_shape_plan({.batch = 4, .text = 60, .mel = 60});
  Loader behind(run.features, run.plan, run.settings);
  UpdateStream stream(behind, {.num_workers = 2, .buffer = 3});
  const std::int64_t per_epoch = behind.updates_in_epoch(0);
  pass(stream, 4);                         // more at once than will be needed
  stream.seek({.epoch = 3, .update = 0});  // the order of an epoch is new memory
  ASSERT_TRUE(stream.wait_until_ready(3, milliseconds(10000)));

  const std::int64_t before = num_allocations;
  for (std::int64_t i = 0; i < per_epoch - 4; ++i)
    stream.give_back(stream.next());

  EXPECT_EQ(num_allocations - before, 0);
}

}  // namespace
}  // namespace xtts::pipeline
