#pragma once

#include <cstdlib>

namespace xtts::support {

// The one number that chooses between the two suites: 1 in `make test`, 5 in `make test-full`.
// A test multiplies its repetitions by it.
inline int test_scale() {
  const char* value = std::getenv("MYXTTS_TEST_SCALE");
  const int scale = value == nullptr ? 1 : std::atoi(value);
  return scale < 1 ? 1 : scale;
}

}  // namespace xtts::support
