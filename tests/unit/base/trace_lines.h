#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/files.h"

namespace myxtts::base {

// Reads the events of a trace. Throws if the whole file is not a valid JSON array.
inline std::vector<nlohmann::json> events_in(const std::filesystem::path& path) {
  return nlohmann::json::parse(read_file_or_throw(path, std::size_t{1} << 28U));
}

// Reads the events of one kind: "X" spans, "C" counters, "M" names, "i" instants.
inline std::vector<nlohmann::json> events_in(const std::filesystem::path& path,
                                             const std::string& kind) {
  std::vector<nlohmann::json> found;
  for (const nlohmann::json& event : events_in(path)) {
    if (event.at("ph") == kind) found.push_back(event);
  }
  return found;
}

}  // namespace myxtts::base
