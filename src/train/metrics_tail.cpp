// A file is known again by its last line: a run that resumes cuts the file back to its save and
// writes other lines from there, whose times are never the same.
#include "train/metrics_tail.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <system_error>

#include <nlohmann/json.hpp>

namespace xtts::train {
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

std::optional<std::int64_t> whole_number(const Json& line, const char* key) {
  const auto found = line.find(key);
  if (found == line.end() || !found->is_number_integer()) return std::nullopt;
  return found->get<std::int64_t>();
}

TailedUpdate update_of(const Json& line, std::int64_t step) {
  constexpr std::string_view kPart = "loss_";
  TailedUpdate update{.step = step,
                      .loss = number_or_nan(line, "loss"),
                      .grad_norm = number_or_nan(line, "grad_norm"),
                      .lr = number_or_nan(line, "lr"),
                      .retraces = whole_number(line, "retraces").value_or(0),
                      .skipped = line.contains("skipped")};
  for (const auto& [key, value] : line.items()) {
    if (!key.starts_with(kPart)) continue;
    const double part = value.is_number() ? value.get<double>() : std::nan("");
    update.parts.emplace_back(key.substr(kPart.size()), part);
  }
  update.times = {.step_s = number(line, "step_s").value_or(0.0),
                  .wait_s = number(line, "wait_s"),
                  .copy_s = number(line, "copy_s"),
                  .host_s = number(line, "host_s"),
                  .buffer_depth = whole_number(line, "buffer_depth"),
                  .epoch = whole_number(line, "epoch")};
  const auto signature = line.find("signature");
  if (signature != line.end() && signature->is_string()) {
    update.times.signature = signature->get<std::string>();
  }
  return update;
}

}  // namespace

MetricsTail::MetricsTail(std::filesystem::path file,
                         std::size_t most_updates,
                         std::int64_t most_bytes)
    : path_(std::move(file)), most_updates_(most_updates), most_bytes_(most_bytes) {}

void MetricsTail::start_at(std::int64_t position) {
  position_ = position;
  is_inside_a_line_ = position > 0;
  last_line_.clear();
  updates_.clear();
  validation_.reset();
  num_unreadable_ = 0;
}

bool MetricsTail::is_continued(std::int64_t size) const {
  if (size < position_) return false;
  std::string there(last_line_.size(), '\0');
  std::ifstream file(path_, std::ios::binary);
  file.seekg(position_ - std::ssize(last_line_));
  file.read(there.data(), std::ssize(there));
  return there == last_line_;
}

bool MetricsTail::poll() {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path_, error)) return false;  // a pipe would block
  std::ifstream file(path_, std::ios::binary | std::ios::ate);
  if (!file) return false;
  const std::int64_t size = file.tellg();
  if (!is_continued(size)) start_at(0);
  // What is further back than that would not be shown.
  if (size - position_ > most_bytes_) start_at(size - most_bytes_);
  file.seekg(position_);
  std::string line;
  while (std::getline(file, line) && !file.eof()) {
    position_ += std::ssize(line) + 1;
    last_line_ = line + '\n';
    if (!is_inside_a_line_) take(line);
    is_inside_a_line_ = false;
  }
  return true;
}

void MetricsTail::take(std::string_view line) {
  const Json read = Json::parse(line, nullptr, /*allow_exceptions=*/false);
  const std::optional<std::int64_t> step =
      read.is_object() ? whole_number(read, "step") : std::nullopt;
  if (!step) {
    ++num_unreadable_;
    return;
  }
  if (read.contains("validation_loss")) {
    validation_ = {.step = *step, .loss = number_or_nan(read, "validation_loss")};
    return;
  }
  if (read.contains("judged")) return;
  TailedUpdate update = update_of(read, *step);
  while (!updates_.empty() && updates_.back().step >= *step)
    updates_.pop_back();
  // The first one that is seen cannot tell which retraces are its own, unless it is the first of
  // all.
  const std::int64_t before =
      updates_.empty() ? (*step == 1 ? 0 : update.retraces) : updates_.back().retraces;
  update.times.retraces = std::max<std::int64_t>(0, update.retraces - before);
  updates_.push_back(std::move(update));
  if (updates_.size() > most_updates_) updates_.pop_front();
}

}  // namespace xtts::train
