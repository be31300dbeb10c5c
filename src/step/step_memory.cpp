#include "step/step_memory.h"

#include <cerrno>
#include <cstring>

#include <sys/mman.h>

#include "base/error.h"

namespace myxtts::step {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20U;
constexpr std::size_t kPage = 4096;

std::size_t whole_huge_pages(std::size_t bytes) {
  return (bytes + kHugePage - 1) / kHugePage * kHugePage;
}

// Linux before 5.14 has no MADV_POPULATE_WRITE.
void touch_all(std::byte* begin, std::size_t bytes) {
#ifdef MADV_POPULATE_WRITE
  if (madvise(begin, bytes, MADV_POPULATE_WRITE) == 0) return;
#endif
  for (std::size_t i = 0; i < bytes; i += kPage)
    *reinterpret_cast<volatile std::byte*>(begin + i) = std::byte{0};
}

}  // namespace

struct StepMemory::Recording {
  std::vector<Request> requests;
  std::unordered_map<const void*, std::size_t> alive;
  std::int64_t time = 0;
};

struct StepMemory::Replay {
  const ArenaPlan& plan;
  std::vector<bool> in_use;
  std::size_t next = 0;
  ReplayOutcome outcome;
};

thread_local StepMemory::Recording* StepMemory::this_recording_ = nullptr;
thread_local StepMemory::Replay* StepMemory::this_replay_ = nullptr;

namespace {

// Sets a pointer during its lifetime.
template <typename Value>
class ScopedPointer {
 public:
  ScopedPointer(Value*& pointer, Value& value) : pointer_(pointer) { pointer_ = &value; }
  ~ScopedPointer() { pointer_ = nullptr; }
  ScopedPointer(const ScopedPointer&) = delete;
  ScopedPointer& operator=(const ScopedPointer&) = delete;

 private:
  Value*& pointer_;
};

}  // namespace

StepMemory::StepMemory(Heap heap) : heap_(heap) {}

StepMemory::~StepMemory() {
  drop_arena();
}

void* StepMemory::allocate(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  if (this_replay_ != nullptr) return allocate_from_arena(*this_replay_, bytes);
  void* pointer = from_heap(bytes);
  if (Recording* recording = this_recording_) {
    recording->alive[pointer] = recording->requests.size();
    recording->requests.push_back(
        {.bytes = bytes, .allocated_at = recording->time++, .freed_at = {}});
  }
  return pointer;
}

void StepMemory::release(void* pointer) {
  if (pointer == nullptr) return;
  if (is_in_arena(pointer)) {
    const auto offset = static_cast<std::size_t>(static_cast<std::byte*>(pointer) - arena_);
    const std::scoped_lock lock(mutex_);
    const auto found = in_use_.find(offset);
    invariant(found != in_use_.end(), "an arena slot is released once");
    if (replay_ != nullptr) replay_->in_use[found->second] = false;
    in_use_.erase(found);
    return;
  }
  if (Recording* recording = this_recording_) {
    if (const auto found = recording->alive.find(pointer); found != recording->alive.end()) {
      recording->requests[found->second].freed_at = recording->time++;
      recording->alive.erase(found);
    }
  }
  heap_.release(pointer);
}

void* StepMemory::from_heap(std::size_t bytes) {
  const bool fails = requests_to_failure_ == 1;
  requests_to_failure_ = std::max<std::int64_t>(0, requests_to_failure_ - 1);
  void* pointer = fails ? nullptr : heap_.allocate(bytes);
  if (pointer == nullptr) {
    throw OutOfMemory(
        fmt::format("out of memory: cannot allocate {:.1f} MB", static_cast<double>(bytes) / 1e6));
  }
  return pointer;
}

void* StepMemory::allocate_from_arena(Replay& replay, std::size_t bytes) {
  ReplayOutcome& outcome = replay.outcome;
  const std::size_t index = replay.next++;
  ++outcome.requests;
  const auto on_deviation = [&](std::string reason) {
    if (!outcome.deviated()) outcome.deviation = std::move(reason);
    ++outcome.from_heap;
    return from_heap(bytes);
  };
  if (outcome.deviated()) return on_deviation({});
  if (index >= replay.plan.slots.size()) {
    return on_deviation(fmt::format(
        "request {} of {} bytes, {} were recorded", index + 1, bytes, replay.plan.slots.size()));
  }
  const ArenaPlan::Slot& slot = replay.plan.slots[index];
  if (slot.bytes != bytes) {
    return on_deviation(fmt::format("request {} {} -> {} bytes", index + 1, slot.bytes, bytes));
  }
  if (!slot.offset) {
    ++outcome.from_heap;
    return from_heap(bytes);
  }
  const std::scoped_lock lock(mutex_);
  for (const std::uint32_t earlier : slot.predecessors) {
    if (replay.in_use[earlier])
      return on_deviation(
          fmt::format("request {} is still in use at request {}", earlier + 1, index + 1));
  }
  replay.in_use[index] = true;
  in_use_[*slot.offset] = static_cast<std::uint32_t>(index);
  return arena_ + *slot.offset;
}

std::vector<Request> StepMemory::record(const std::function<void()>& body) {
  invariant(this_recording_ == nullptr && this_replay_ == nullptr, "phases do not nest");
  Recording recording;
  {
    const ScopedPointer scoped(this_recording_, recording);
    body();
  }
  return std::move(recording.requests);
}

ReplayOutcome StepMemory::replay(const ArenaPlan& plan, const std::function<void()>& body) {
  invariant(this_recording_ == nullptr && this_replay_ == nullptr, "phases do not nest");
  invariant(plan.bytes <= size_, "the arena is reserved for every plan");
  Replay replay{.plan = plan, .in_use = std::vector<bool>(plan.slots.size()), .outcome = {}};
  {
    const std::scoped_lock lock(mutex_);
    if (!in_use_.empty()) replay.outcome.deviation = "memory of an earlier step is still in use";
    if (in_use_.empty()) replay_ = &replay;
  }
  // Tensors that keep arena memory after the replay stay valid until they release it.
  struct End {
    StepMemory& memory;
    ~End() {
      const std::scoped_lock lock(memory.mutex_);
      memory.replay_ = nullptr;
    }
  } const end{*this};
  const ScopedPointer scoped(this_replay_, replay);
  body();
  return std::move(replay.outcome);
}

void StepMemory::reserve(std::size_t bytes) {
  if (bytes <= size_) return;
  {
    const std::scoped_lock lock(mutex_);
    invariant(in_use_.empty(), "the arena is unused when it grows");
  }
  drop_arena();
  const std::size_t size = whole_huge_pages(bytes);
  // One extra huge page, to align the arena to a huge page.
  const std::size_t mapped = size + kHugePage;
  void* mapping =
      mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, /*offset=*/0);
  require(mapping != MAP_FAILED,
          "cannot allocate the {} MB of memory for a step: {}; use a smaller --batch-size",
          size >> 20U,
          std::strerror(errno));
  auto* begin = static_cast<std::byte*>(mapping);
  const auto past = reinterpret_cast<std::uintptr_t>(begin) % kHugePage;
  const std::size_t skipped = past == 0 ? 0 : kHugePage - past;
  if (skipped > 0) munmap(begin, skipped);
  munmap(begin + skipped + size, mapped - skipped - size);
  arena_ = begin + skipped;
  size_ = size;
  madvise(arena_, size_, MADV_HUGEPAGE);  // only an optimisation, errors are ignored
  touch_all(arena_, size_);
}

bool StepMemory::is_in_arena(const void* pointer) const {
  const auto* byte = static_cast<const std::byte*>(pointer);
  return byte >= arena_ && byte < arena_ + size_;
}

void StepMemory::drop_arena() {
  if (arena_ != nullptr) munmap(arena_, size_);
  arena_ = nullptr;
  size_ = 0;
}

}  // namespace myxtts::step
