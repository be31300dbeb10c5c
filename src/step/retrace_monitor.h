#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/signature.h"

namespace xtts::step {

// One preparation that should not have been necessary.
struct Retrace {
  std::int64_t step = 0;
  std::int64_t total = 0;        // with this one
  std::string reason;            // "shape", "allocation" or "memory"
  std::string what;              // "mel[1] 800 -> 812"
  std::optional<double> cost_s;  // above what the steps before it took; absent: there were none
  bool is_repeated = false;      // another one not more than 6 steps ago

  // "RETRACING detected at step 7 (total retraces: 2): mel[1] 800 -> 812, 0.41 s", and the remedy
  // when it is repeated.
  std::string message() const;
};

// Watches the shapes that steps have, and counts those that no preparation was made for. What is in
// the plan is never a retrace; without a plan every shape is one when it is first seen.
class RetraceMonitor {
 public:
  explicit RetraceMonitor(std::span<const pipeline::Signature> plan);

  // A step that took so long. Returns the retrace that its shape was, if it was one.
  std::optional<Retrace> step(std::int64_t step,
                              const pipeline::Signature& signature,
                              double seconds);

  // A prepared step that did not run as prepared ("allocation"), or whose batch was split
  // ("memory").
  Retrace deviation(std::int64_t step, std::string_view reason, std::string what, double seconds);

  std::int64_t total() const { return total_; }
  // Goes on from a save.
  void restore(std::int64_t total) { total_ = total; }

 private:
  Retrace count(std::int64_t step, std::string_view reason, std::string what, double seconds);
  std::optional<double> usual_seconds() const;

  std::map<pipeline::Signature, std::int64_t> seen_;  // steps of each shape
  pipeline::Signature last_;                          // of the step before
  std::deque<double> recent_s_;                       // of the last steps
  std::int64_t total_ = 0;
  std::optional<std::int64_t> last_step_;  // of the last retrace
};

// The first dimension that differs: "text[1] 96 -> 101", "mel[0] 16 -> 12"; empty: none. Text is
// [B, T], mel [B, M, C], sound [B, samples].
std::string changed_dimension(const pipeline::Signature& from, const pipeline::Signature& to);

// Throws BugError that names the dimension if no signature of the plan is this one: a step that was
// prepared takes nothing else.
void require_in_plan(std::span<const pipeline::Signature> plan,
                     const pipeline::Signature& signature);

}  // namespace xtts::step
