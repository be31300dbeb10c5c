// What `myxtts demo` answers, to machines and to people.
#pragma once

#include <cstddef>
#include <optional>

#include "cli/demo_voice.h"
#include "cli/stats_answer.h"
#include "corpus/report.h"

namespace xtts::cli {

std::size_t count_bad(const corpus::DemoReport& report);

// On standard output. `voice` is absent where none was trained.
void print_demo_json(const corpus::DemoReport& report,
                     const StatsAnswer& answer,
                     const std::optional<TrainedVoice>& voice,
                     const DemoPlaces& places);
void print_demo_text(const corpus::DemoReport& report,
                     const std::optional<TrainedVoice>& voice,
                     const std::filesystem::path& page);

}  // namespace xtts::cli
