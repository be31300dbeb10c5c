// How a run gets its shapes: the one place that tells the three settings apart.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "config/config.h"
#include "pipeline/shape_plan.h"

namespace xtts::pipeline {

inline constexpr std::int64_t kFixedTextLength = 200;  // of a fixed shape, unless one is given

struct ShapeSettings {
  ShapeMode mode = ShapeMode::kBuckets;
  PlanSettings plan = {};
  std::optional<std::int64_t> max_text_length = {};  // given limits alone
  std::optional<std::int64_t> max_mel_frames = {};
};

ShapeSettings shape_settings_of(const config::Config& config);

// What is longer than this is left out. Given limits; those of a fixed shape that are not given are
// kFixedTextLength and the 99th percentile of the training set's mels, rounded up to 32. The other
// settings have no limit of their own: nobody vanishes by a default.
Lengths limits_of(const ShapeSettings& settings, std::span<const Lengths> training);

// The plan of a run, a pure function: its notes say what it costs. The longest signature of buckets
// holds the longest validation utterance within the limits; a fixed shape does not grow. Throws
// UsageError if limits leave out more than half of the training set, naming those that keep 99 %,
// and where make_shape_plan() does.
ShapePlan plan_run(const ShapeSettings& settings,
                   std::span<const Lengths> training,
                   std::span<const Lengths> validation);

// The plan of a run on batches of sound: one signature of crops of model.vocoder_crop_frames hops,
// whatever the lengths are; a note says if `count` utterances make its batches smaller. Throws
// UsageError as rows_of_one_signature().
ShapePlan plan_waveforms(const config::Config& config, std::int64_t count);

}  // namespace xtts::pipeline
