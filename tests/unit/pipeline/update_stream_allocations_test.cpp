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

TEST(UpdateStream, InSteadyStateNoMemoryIsAskedFor) {
  const SmallRun run = small_run();
  Loader behind(run.features, run.plan, run.settings);
  UpdateStream stream(behind, {.num_workers = 2, .buffer = 3});
  const std::int64_t per_epoch = behind.updates_in_epoch(3);
  // The first epochs bring every update to the size of the largest.
  for (std::int64_t i = 0; i < 6 * per_epoch; ++i)
    stream.give_back(stream.next());
  stream.seek({.epoch = 3, .update = 0});  // the order of an epoch is new memory
  ASSERT_TRUE(stream.wait_until_ready(3, milliseconds(10000)));

  const std::int64_t before = num_allocations;
  for (std::int64_t i = 0; i < per_epoch - 4; ++i)
    stream.give_back(stream.next());

  EXPECT_EQ(num_allocations - before, 0);
}

}  // namespace
}  // namespace xtts::pipeline
