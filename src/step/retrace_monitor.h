// Detects and counts retraces.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/signature.h"

namespace myxtts::step {

// A retrace: a batch shape that no step was prepared for, or a deviating replay.
struct Retrace {
  std::int64_t step = 0;
  std::int64_t total = 0;        // including this one
  std::string reason;            // "shape", "allocation" or "memory"
  std::string what;              // "mel[1] 800 -> 812"
  std::optional<double> cost_s;  // above the usual step time; absent at the first step
  bool is_repeated = false;      // at most 6 steps after another retrace

  // "RETRACING detected at step 7 (total retraces: 2): mel[1] 800 -> 812, 0.41 s", and a suggestion
  // if it is repeated.
  std::string message() const;
};

// Counts retraces by the shapes of the steps. A shape of the plan is never a retrace. Without a
// plan, the first step of every shape is one.
class RetraceMonitor {
 public:
  explicit RetraceMonitor(std::span<const data::Signature> plan);

  // Records a step and its duration. Returns a retrace if its shape is new.
  std::optional<Retrace> step(std::int64_t step, const data::Signature& signature, double seconds);

  // Records a prepared step that deviated from its recording ("allocation") or whose batch was
  // split
  // ("memory").
  Retrace deviation(std::int64_t step, std::string_view reason, std::string what, double seconds);

  std::int64_t total() const { return total_; }
  // Continues counting from the total of a checkpoint.
  void restore(std::int64_t total) { total_ = total; }

 private:
  Retrace count(std::int64_t step, std::string_view reason, std::string what, double seconds);
  std::optional<double> usual_seconds() const;

  std::map<data::Signature, std::int64_t> seen_;  // number of steps by shape
  data::Signature last_;                          // of the previous step
  std::deque<double> recent_s_;                   // durations of the last steps
  std::int64_t total_ = 0;
  std::optional<std::int64_t> last_step_;  // of the last retrace
};

// Returns the first dimension that differs: "text[1] 96 -> 101", "mel[0] 16 -> 12"; empty: none.
// Text is [B, T], mel [B, M, C], waveform [B, samples].
std::string changed_dimension(const data::Signature& from, const data::Signature& to);

// Throws BugError, which names the dimension, if the signature is not in the plan of a prepared
// step.
void require_in_plan(std::span<const data::Signature> plan, const data::Signature& signature);

}  // namespace myxtts::step
