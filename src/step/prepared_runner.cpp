#include "step/prepared_runner.h"

#include <algorithm>
#include <utility>

namespace myxtts::step {

void PreparedRunner::run(const Phase& phase, const std::function<void()>& body) {
  const auto known = plans_.find(phase);
  if (!frozen_ && known == plans_.end()) {
    plans_.emplace(phase, pack(memory_.record(body)));
    return;
  }
  if (!frozen_ || known == plans_.end()) {
    body();
    return;
  }
  ReplayOutcome outcome = memory_.replay(known->second, body);
  heap_requests_ += outcome.from_heap;
  if (outcome.deviated()) {
    deviations_.push_back({.phase = phase, .what = std::move(outcome.deviation)});
  }
}

void PreparedRunner::freeze() {
  memory_.reserve(arena_bytes());
  frozen_ = true;
}

std::size_t PreparedRunner::arena_bytes() const {
  std::size_t bytes = 0;
  for (const auto& [phase, plan] : plans_)
    bytes = std::max(bytes, plan.bytes);
  return bytes;
}

std::size_t PreparedRunner::bytes_of(const Phase& phase) const {
  return plans_.at(phase).bytes;
}

std::vector<Deviation> PreparedRunner::take_deviations() {
  return std::exchange(deviations_, {});
}

}  // namespace myxtts::step
