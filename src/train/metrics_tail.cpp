// A file is recognised by the last line read: a resumed run truncates the file to its checkpoint
// and writes new lines, whose times always differ.
#include "train/metrics_tail.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <system_error>

#include <nlohmann/json.hpp>

namespace myxtts::train {
namespace {

using Json = nlohmann::ordered_json;

double number_or_nan(const Json& line, const char* key) {
  const auto found = line.find(key);
  return found != line.end() && found->is_number() ? found->get<double>() : std::nan("");
}

std::optional<double> number(const Json& line, const char* key) {
  const double value = number_or_nan(line, key);
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::optional<std::int64_t> integer(const Json& line, const char* key) {
  const auto found = line.find(key);
  if (found == line.end() || !found->is_number_integer()) return std::nullopt;
  return found->get<std::int64_t>();
}

TailedStep step_of_line(const Json& line, std::int64_t step) {
  constexpr std::string_view kPart = "loss_";
  TailedStep parsed{.step = step,
                    .loss = number_or_nan(line, "loss"),
                    .grad_norm = number_or_nan(line, "grad_norm"),
                    .lr = number_or_nan(line, "lr"),
                    .retraces = integer(line, "retraces").value_or(0),
                    .skipped = line.contains("skipped")};
  for (const auto& [key, value] : line.items()) {
    if (!key.starts_with(kPart)) continue;
    const double part = value.is_number() ? value.get<double>() : std::nan("");
    parsed.parts.emplace_back(key.substr(kPart.size()), part);
  }
  parsed.times = {.step_s = number(line, "step_s").value_or(0.0),
                  .wait_s = number(line, "wait_s"),
                  .copy_s = number(line, "copy_s"),
                  .host_s = number(line, "host_s"),
                  .buffer_depth = integer(line, "buffer_depth"),
                  .epoch = integer(line, "epoch")};
  const auto signature = line.find("signature");
  if (signature != line.end() && signature->is_string()) {
    parsed.times.signature = signature->get<std::string>();
  }
  return parsed;
}

}  // namespace

MetricsTail::MetricsTail(std::filesystem::path file, std::size_t max_steps, std::int64_t max_bytes)
    : path_(std::move(file)), max_steps_(max_steps), max_bytes_(max_bytes) {}

void MetricsTail::start_at(std::int64_t position) {
  position_ = position;
  is_inside_line_ = position > 0;
  last_line_.clear();
  steps_.clear();
  validation_.reset();
  num_unreadable_ = 0;
}

bool MetricsTail::is_continued(std::int64_t size) const {
  if (size < position_) return false;
  std::string current(last_line_.size(), '\0');
  std::ifstream file(path_, std::ios::binary);
  file.seekg(position_ - std::ssize(last_line_));
  file.read(current.data(), std::ssize(current));
  return current == last_line_;
}

bool MetricsTail::poll() {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path_, error)) return false;  // a pipe would block
  std::ifstream file(path_, std::ios::binary | std::ios::ate);
  if (!file) return false;
  const std::int64_t size = file.tellg();
  if (!is_continued(size)) start_at(0);
  // Older lines would not be kept.
  if (size - position_ > max_bytes_) start_at(size - max_bytes_);
  file.seekg(position_);
  std::string line;
  while (std::getline(file, line) && !file.eof()) {
    position_ += std::ssize(line) + 1;
    last_line_ = line + '\n';
    if (!is_inside_line_) parse_line(line);
    is_inside_line_ = false;
  }
  return true;
}

void MetricsTail::parse_line(std::string_view line) {
  const Json read = Json::parse(line, nullptr, /*allow_exceptions=*/false);
  const std::optional<std::int64_t> step = read.is_object() ? integer(read, "step") : std::nullopt;
  if (!step) {
    ++num_unreadable_;
    return;
  }
  if (read.contains("validation_loss")) {
    validation_ = {.step = *step, .loss = number_or_nan(read, "validation_loss")};
    return;
  }
  if (read.contains("judged")) return;
  TailedStep parsed = step_of_line(read, *step);
  while (!steps_.empty() && steps_.back().step >= *step)
    steps_.pop_back();
  // The retraces of the first step read are unknown, unless it is step 1.
  const std::int64_t before =
      steps_.empty() ? (*step == 1 ? 0 : parsed.retraces) : steps_.back().retraces;
  parsed.times.retraces = std::max<std::int64_t>(0, parsed.retraces - before);
  steps_.push_back(std::move(parsed));
  if (steps_.size() > max_steps_) steps_.pop_front();
}

}  // namespace myxtts::train
