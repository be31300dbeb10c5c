// Makes the shape plan of a run for fixed, bucketed or dynamic shapes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "config/config.h"
#include "data/shape_plan.h"

namespace myxtts::data {

inline constexpr std::int64_t kFixedTextLength = 200;  // default of a fixed shape

struct ShapeSettings {
  ShapeMode mode = ShapeMode::kBuckets;
  PlanSettings plan = {};
  std::optional<std::int64_t> max_text_length = {};  // unset: no limit given
  std::optional<std::int64_t> max_mel_frames = {};
};

ShapeSettings shape_settings_of(const config::Config& config);

// Returns the length limits; longer utterances are filtered. A fixed shape defaults to
// kFixedTextLength and the 99th percentile of the training mel lengths, rounded up to 32. The other
// modes have no default limits, so that no utterance is filtered by default.
Lengths limits_of(const ShapeSettings& settings, std::span<const Lengths> training);

// Returns the plan of a run, with notes about its cost. A pure function. The longest bucket also
// fits the longest validation utterance within the limits; a fixed shape does not grow. Throws
// UsageError if the limits filter more than half of the training set, naming limits that keep 99 %,
// and as make_shape_plan().
ShapePlan plan_run(const ShapeSettings& settings,
                   std::span<const Lengths> training,
                   std::span<const Lengths> validation);

// Returns the plan of a run on waveform batches: one signature with crops of
// model.vocoder_crop_frames hops. A note reports if `count` utterances need smaller batches. Throws
// UsageError as rows_of_one_signature().
ShapePlan plan_waveforms(const config::Config& config, std::int64_t count);

}  // namespace myxtts::data
