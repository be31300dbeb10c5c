#pragma once

namespace xtts::train {

// What a lane did, in seconds; of the data lane summed over its workers.
struct LaneTimes {
  double busy_s = 0.0;     // data: processor time making updates; model: computing and copying
  double waiting_s = 0.0;  // data: for the disk, a core or a GPU; model: for data
  double blocked_s = 0.0;  // data: there is no room in the buffer; model: the host does else

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

}  // namespace xtts::train
