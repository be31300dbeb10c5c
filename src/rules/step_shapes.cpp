#include "rules/step_shapes.h"

#include <charconv>

namespace myxtts::rules {

std::optional<Shape> parse_shape(std::string_view name) {
  std::int64_t sizes[3] = {};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto read = std::from_chars(name.data(), name.data() + name.size(), sizes[i]);
    if (read.ec != std::errc()) return std::nullopt;
    name.remove_prefix(static_cast<std::size_t>(read.ptr - name.data()));
    const bool is_last = i == 2;
    if (is_last != name.empty()) return std::nullopt;
    if (!is_last && name.front() != 'x') return std::nullopt;
    if (!is_last) name.remove_prefix(1);
  }
  return Shape{.batch = sizes[0], .text = sizes[1], .mel = sizes[2]};
}

std::optional<double> rows_per_batch(const Record& record) {
  double rows = 0.0;
  double count = 0.0;
  for (const Step& step : record.steps) {
    const std::optional<Shape> shape = parse_shape(step.signature);
    if (!shape || shape->batch <= 0) continue;
    rows += static_cast<double>(shape->batch);
    count += 1.0;
  }
  if (count > 0.0)
    return rows / count * static_cast<double>(record.settings.grad_accum.value_or(1));
  if (!record.settings.batch_size) return std::nullopt;
  return static_cast<double>(*record.settings.batch_size);
}

}  // namespace myxtts::rules
