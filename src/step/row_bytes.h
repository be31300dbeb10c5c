#pragma once

#include <cstdint>

namespace myxtts::step {

// Memory of a step as a linear function of the number of rows, in bytes.
struct RowBytes {
  double fixed = 0.0;
  double per_row = 0.0;

  double at(std::int64_t rows) const { return fixed + per_row * static_cast<double>(rows); }
};

}  // namespace myxtts::step
