// Scale of the test suite.
#pragma once

#include <cstdlib>

namespace myxtts::support {

// Returns 1 in `make test` and 5 in `make test-full`. Tests multiply their repetitions by it.
inline int test_scale() {
  const char* value = std::getenv("MYXTTS_TEST_SCALE");
  const int scale = value == nullptr ? 1 : std::atoi(value);
  return scale < 1 ? 1 : scale;
}

}  // namespace myxtts::support
