#include "diagnose/run_lanes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/files.h"

namespace myxtts::diagnose {
namespace {

constexpr std::size_t kMaxTraceBytes = std::size_t{256} << 20U;
constexpr double kMicrosecond = 1e-6;

std::optional<LaneState> state_of(std::string_view span) {
  if (span == "compute" || span == "collate") return LaneState::kBusy;
  if (span == "wait for data") return LaneState::kWaiting;
  if (span == "host") return LaneState::kHost;
  return std::nullopt;
}

struct TraceLanes {
  std::map<std::int64_t, std::string> names = {};
  std::map<std::int64_t, std::vector<LaneSpan>> spans = {};

  // Returns the start of the first span of the model, or of all lanes without a model.
  double first_s() const {
    double first = std::numeric_limits<double>::infinity();
    for (const bool is_model : {true, false}) {
      for (const auto& [thread, all] : spans) {
        const auto name = names.find(thread);
        if (is_model && (name == names.end() || name->second != "model")) continue;
        for (const LaneSpan& span : all)
          first = std::min(first, span.from_s);
      }
      if (std::isfinite(first)) break;
    }
    return first;
  }
};

// Returns the spans in seconds since `first_s`, without those that ended before.
std::vector<LaneSpan> spans_since(double first_s, const std::vector<LaneSpan>& spans) {
  std::vector<LaneSpan> since;
  for (const LaneSpan& span : spans) {
    if (span.to_s <= first_s) continue;
    since.push_back({.state = span.state,
                     .from_s = std::max(0.0, span.from_s - first_s),
                     .to_s = span.to_s - first_s});
  }
  std::ranges::sort(since, {}, &LaneSpan::from_s);
  return since;
}

void add_event(const nlohmann::json& event, TraceLanes& lanes) {
  if (!event.is_object()) return;
  const std::string kind = event.value("ph", "");
  const auto thread = event.value("tid", std::int64_t{0});
  if (kind == "M" && event.contains("args")) {
    lanes.names[thread] = event["args"].value("name", "");
  } else if (kind == "X") {
    const std::optional<LaneState> state = state_of(event.value("name", ""));
    if (!state) return;
    const double from_s = kMicrosecond * event.value("ts", 0.0);
    lanes.spans[thread].push_back({.state = *state,
                                   .from_s = from_s,
                                   .to_s = from_s + kMicrosecond * event.value("dur", 0.0)});
  }
}

}  // namespace

std::vector<RunLane> read_lanes(const std::filesystem::path& trace) {
  const base::ReadResult file = base::read_regular_file(trace, kMaxTraceBytes);
  const nlohmann::json events =
      nlohmann::json::parse(file.bytes, nullptr, /*allow_exceptions=*/false);
  TraceLanes lanes;
  if (!events.is_array()) return {};
  for (const nlohmann::json& event : events)
    add_event(event, lanes);
  std::vector<RunLane> found;
  int num_loaders = 0;
  const double first_s = lanes.first_s();
  for (const auto& [thread, spans] : lanes.spans) {
    const bool is_model = lanes.names[thread] == "model";
    const bool is_fallback = lanes.names[thread].find("fallback") != std::string::npos;
    RunLane lane{.name = is_model      ? "model"
                         : is_fallback ? "fallback"
                                       : fmt::format("loader {}", ++num_loaders),
                 .spans = spans_since(first_s, spans)};
    found.insert(is_model ? found.begin() : found.end(), std::move(lane));
  }
  return found;
}

}  // namespace myxtts::diagnose
