#include "step/operator_times_torch.h"

#include <algorithm>
#include <chrono>
#include <memory>

#include "base/error.h"

namespace myxtts::step {
namespace {

using OperatorClock = std::chrono::steady_clock;

double seconds_since(OperatorClock::time_point start) {
  return std::chrono::duration<double>(OperatorClock::now() - start).count();
}

// An operator that is running.
struct OpenOperator {
  OperatorClock::time_point start;
  double nested_s = 0.0;  // time of the operators that it called
};

// Thread-local state, because LibTorch's callbacks are plain functions.
struct OperatorLog {
  bool is_on = false;
  std::vector<OpenOperator> open;
  std::map<std::string, OperatorTimes::Entry> entries;
};

OperatorLog& operator_log() {
  thread_local OperatorLog log;
  return log;
}

std::unique_ptr<at::ObserverContext> begin_operator(const at::RecordFunction&) {
  operator_log().open.push_back({.start = OperatorClock::now()});
  return nullptr;
}

void end_operator(const at::RecordFunction& function, at::ObserverContext*) {
  OperatorLog& log = operator_log();
  if (log.open.empty()) return;  // began before the callback was installed
  const double seconds = seconds_since(log.open.back().start);
  OperatorTimes::Entry& entry = log.entries[function.name()];
  entry.name = function.name();
  entry.seconds += seconds - log.open.back().nested_s;
  ++entry.calls;
  log.open.pop_back();
  if (!log.open.empty()) log.open.back().nested_s += seconds;
}

}  // namespace

OperatorTimes::OperatorTimes() {
  invariant(!operator_log().is_on, "a thread has one OperatorTimes at a time");
  operator_log() = {.is_on = true, .open = {}, .entries = {}};
  handle_ = at::addThreadLocalCallback(at::RecordFunctionCallback(begin_operator, end_operator)
                                           .scopes({at::RecordScope::FUNCTION,
                                                    at::RecordScope::BACKWARD_FUNCTION,
                                                    at::RecordScope::USER_SCOPE}));
}

OperatorTimes::~OperatorTimes() {
  at::removeCallback(handle_);
  operator_log() = {};
}

std::vector<OperatorTimes::Entry> OperatorTimes::entries() const {
  std::vector<Entry> all;
  for (const auto& [name, entry] : operator_log().entries)
    all.push_back(entry);
  std::ranges::stable_sort(all, std::ranges::greater{}, &Entry::seconds);
  return all;
}

}  // namespace myxtts::step
