#include "train/metrics_log.h"

#include <charconv>
#include <fstream>
#include <optional>
#include <string_view>

#include <nlohmann/json.hpp>

namespace myxtts::train {
namespace {

using Parts = std::vector<std::pair<std::string, double>>;

// Returns the step of a complete line. Checks only both ends: a file may have a million lines.
std::optional<std::int64_t> step_of(std::string_view line) {
  constexpr std::string_view kStart = "{\"step\":";
  if (!line.starts_with(kStart) || !line.ends_with('}')) return std::nullopt;
  std::int64_t step = 0;
  const char* first = line.data() + kStart.size();
  const std::from_chars_result read = std::from_chars(first, line.data() + line.size(), step);
  if (read.ec != std::errc()) return std::nullopt;
  return step;
}

// The key after "step" distinguishes the kinds of lines.
bool has_second_key(std::string_view line, std::string_view key) {
  const std::size_t comma = line.find(',');
  return comma != std::string_view::npos && line.substr(comma + 1).starts_with(key);
}

// The last steps of each kind in a checkpoint.
struct LastSteps {
  std::int64_t training = 0;
  std::int64_t validation = 0;
  std::int64_t evaluation = 0;

  std::int64_t of(std::string_view line) const {
    if (has_second_key(line, "\"validation_loss\":")) return validation;
    return has_second_key(line, "\"judged\":") ? evaluation : training;
  }
};

// Returns the length to keep: up to the first line that is too late, else up to the last complete
// line.
std::int64_t bytes_to_keep(const std::filesystem::path& path, const LastSteps& last) {
  std::ifstream file(path, std::ios::binary);
  std::int64_t kept = 0;
  std::int64_t position = 0;
  std::string line;
  while (std::getline(file, line) && !file.eof()) {  // a last line without newline is incomplete
    position += std::ssize(line) + 1;
    const std::optional<std::int64_t> step = step_of(line);
    if (!step) continue;
    if (*step > last.of(line)) break;
    kept = position;
  }
  return kept;
}

void add_parts(nlohmann::ordered_json& line, const std::string& prefix, const Parts& parts) {
  for (const auto& part : parts)
    line[prefix + part.first] = part.second;
}

}  // namespace

std::string metrics_line(const StepMetrics& metrics) {
  nlohmann::ordered_json line;
  line["step"] = metrics.step;  // first: step_of() expects it there
  line["epoch"] = metrics.epoch;
  line["loss"] = metrics.loss;
  add_parts(line, "loss_", metrics.parts);
  line["grad_norm"] = metrics.grad_norm;
  line["lr"] = metrics.lr;
  line["step_s"] = metrics.step_s;
  line["copy_s"] = metrics.copy_s;
  line["wait_s"] = metrics.wait_s;
  line["host_s"] = metrics.host_s;
  line["buffer_depth"] = metrics.buffer_depth;
  line["data_busy_s"] = metrics.data.busy_s;
  line["data_waiting_s"] = metrics.data.waiting_s;
  line["data_blocked_s"] = metrics.data.blocked_s;
  line["signature"] = metrics.signature;
  line["retraces"] = metrics.retraces;
  if (metrics.skipped) line["skipped"] = true;
  return line.dump();  // the shortest digits that round-trip exactly
}

MetricsLog::MetricsLog(const std::filesystem::path& file,
                       std::int64_t last_step,
                       std::int64_t last_validated_step,
                       std::int64_t last_evaluated_step)
    : file_(file, bytes_to_keep(file, {last_step, last_validated_step, last_evaluated_step})) {}

void MetricsLog::write(const StepMetrics& metrics) {
  file_.append(metrics_line(metrics) + '\n');
}

void MetricsLog::write_validation(std::int64_t step, double loss, const Parts& parts) {
  nlohmann::ordered_json line;
  line["step"] = step;
  line["validation_loss"] = loss;
  add_parts(line, "validation_", parts);
  file_.append(line.dump() + '\n');
}

void MetricsLog::write_judgement(const JudgedStep& judged) {
  nlohmann::ordered_json line;
  line["step"] = judged.step;
  line["judged"] = judged_json(judged)["score"];
  file_.append(line.dump() + '\n');
}

}  // namespace myxtts::train
