// Prints the result of `myxtts demo` as JSON or text.
#pragma once

#include <cstddef>
#include <optional>

#include "cli/demo_training.h"
#include "cli/stats_output.h"
#include "corpus/report.h"

namespace myxtts::cli {

std::size_t count_bad(const corpus::DemoReport& report);

// Print to standard output. `voice` is absent if none was trained.
void print_demo_json(const corpus::DemoReport& report,
                     const StatsOutput& stats,
                     const std::optional<TrainedVoice>& voice,
                     const DemoPaths& paths);
void print_demo_text(const corpus::DemoReport& report,
                     const std::optional<TrainedVoice>& voice,
                     const std::filesystem::path& report_file);

}  // namespace myxtts::cli
