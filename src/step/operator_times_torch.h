#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <ATen/record_function.h>

namespace myxtts::step {

// Profiles the operators that this thread calls during the lifetime of the object: self time
// without nested operators. A thread has at most one instance at a time.
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

  // Returns the entries so far in descending order of time.
  std::vector<Entry> entries() const;

 private:
  at::CallbackHandle handle_;
};

}  // namespace myxtts::step
