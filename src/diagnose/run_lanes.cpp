#include "diagnose/run_lanes.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/files.h"

namespace xtts::diagnose {
namespace {

constexpr std::size_t kMostTraceBytes = std::size_t{256} << 20U;
constexpr double kMicrosecond = 1e-6;

std::optional<LaneState> state_of(std::string_view span) {
  if (span == "compute" || span == "make update") return LaneState::kBusy;
  if (span == "wait for data") return LaneState::kWaiting;
  if (span == "host") return LaneState::kHost;
  return std::nullopt;
}

struct TraceLanes {
  std::map<std::int64_t, std::string> names = {};
  std::map<std::int64_t, std::vector<LaneSpan>> spans = {};
  double first_s = std::numeric_limits<double>::infinity();
};

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
    lanes.first_s = std::min(lanes.first_s, from_s);
  }
}

}  // namespace

std::vector<RunLane> read_lanes(const std::filesystem::path& trace) {
  const base::ReadResult file = base::read_regular_file(trace, kMostTraceBytes);
  const nlohmann::json events =
      nlohmann::json::parse(file.bytes, nullptr, /*allow_exceptions=*/false);
  TraceLanes lanes;
  if (!events.is_array()) return {};
  for (const nlohmann::json& event : events)
    add_event(event, lanes);
  std::vector<RunLane> found;
  int num_loaders = 0;
  for (auto& [thread, spans] : lanes.spans) {
    for (LaneSpan& span : spans) {
      span.from_s -= lanes.first_s;
      span.to_s -= lanes.first_s;
    }
    std::ranges::sort(spans, {}, &LaneSpan::from_s);
    const bool is_model = lanes.names[thread] == "model";
    const bool is_rescue = lanes.names[thread].find("rescue") != std::string::npos;
    RunLane lane{.name = is_model    ? "model"
                         : is_rescue ? "rescue"
                                     : fmt::format("loader {}", ++num_loaders),
                 .spans = std::move(spans)};
    found.insert(is_model ? found.begin() : found.end(), std::move(lane));
  }
  return found;
}

}  // namespace xtts::diagnose
