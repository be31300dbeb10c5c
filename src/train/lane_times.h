#pragma once

namespace myxtts::train {

// Times of a lane in seconds; for the data lane summed over its workers.
struct LaneTimes {
  double busy_s = 0.0;     // data: CPU time of collating; model: computing and copying
  double waiting_s = 0.0;  // data: waits for disk, core or GPU; model: waits for data
  double blocked_s = 0.0;  // data: the buffer is full; model: other work of the host

  LaneTimes& operator+=(const LaneTimes& other) {
    busy_s += other.busy_s;
    waiting_s += other.waiting_s;
    blocked_s += other.blocked_s;
    return *this;
  }

  bool operator==(const LaneTimes&) const = default;
};

inline LaneTimes operator-(const LaneTimes& now, const LaneTimes& before) {
  return {.busy_s = now.busy_s - before.busy_s,
          .waiting_s = now.waiting_s - before.waiting_s,
          .blocked_s = now.blocked_s - before.blocked_s};
}

}  // namespace myxtts::train
