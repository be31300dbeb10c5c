#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <ATen/record_function.h>

namespace xtts::step {

// What each operator that this thread calls takes by itself, without those that it calls in turn,
// from the making of this object to its end. One at a time.
class OperatorTimes {
 public:
  struct Entry {
    std::string name;
    double seconds = 0.0;
    std::int64_t calls = 0;
  };

  OperatorTimes();
  ~OperatorTimes();
  OperatorTimes(const OperatorTimes&) = delete;
  OperatorTimes& operator=(const OperatorTimes&) = delete;

  // So far, the longest first.
  std::vector<Entry> entries() const;

 private:
  at::CallbackHandle handle_;
};

}  // namespace xtts::step
