#include "data/run_plan.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/error.h"
#include "corpus/statistics.h"
#include "data/length_filter.h"

namespace myxtts::data {
namespace {

std::vector<Lengths> kept(std::span<const Lengths> lengths, const Lengths& limits) {
  std::vector<Lengths> within_limits;
  std::ranges::copy_if(lengths, std::back_inserter(within_limits), [&](const Lengths& one) {
    return within(limits, one);
  });
  return within_limits;
}

Lengths longest_of(std::span<const Lengths> lengths, Lengths longest = {}) {
  for (const Lengths& one : lengths)
    longest = {std::max(longest.text, one.text), std::max(longest.mel, one.mel)};
  return longest;
}

std::int64_t fixed_mel_frames(std::span<const Lengths> training) {
  std::vector<std::int64_t> mels;
  for (const Lengths& one : training)
    mels.push_back(one.mel);
  std::ranges::sort(mels);
  return mels.empty() ? 0 : corpus::round_mel_limit(corpus::percentile(mels, 99));
}

ShapePlan bucket_plan(const ShapeSettings& settings,
                      const Lengths& limits,
                      std::span<const Lengths> training,
                      std::span<const Lengths> validation) {
  PlanSettings plan_settings = settings.plan;
  plan_settings.must_hold = longest_of(validation);
  ShapePlan plan = make_shape_plan(training, plan_settings);
  plan.limits = limits;
  return plan;
}

ShapePlan dynamic_plan(const ShapeSettings& settings,
                       const Lengths& limits,
                       std::span<const Lengths> training,
                       std::span<const Lengths> validation) {
  const std::int64_t rows = rows_of_one_signature(std::ssize(training), settings.plan);
  const Lengths longest = longest_of(training, longest_of(validation));
  ShapePlan plan{.signatures = {{.batch = rows, .text = longest.text, .mel = longest.mel}},
                 .notes = {},
                 .mode = ShapeMode::kDynamic,
                 .limits = limits};
  if (auto note = small_batches_note(std::ssize(training), rows, settings.plan))
    plan.notes.push_back(*std::move(note));
  plan.notes.push_back(fmt::format(
      "warning: dynamic shapes: every batch has its own shape; each new shape is a retrace "
      "and runs eagerly, and about {:.1f} % of the mel frames are padding "
      "({:.1f} % with --shape-buckets auto)",
      100.0 * padding_of(plan, training),
      100.0 * padding_of(make_shape_plan(training, settings.plan), training)));
  return plan;
}

ShapePlan fixed_plan(const ShapeSettings& settings,
                     const Lengths& limits,
                     std::span<const Lengths> training) {
  const std::int64_t rows = rows_of_one_signature(std::ssize(training), settings.plan);
  ShapePlan plan = fixed_shape_plan({.batch = rows, .text = limits.text, .mel = limits.mel});
  if (auto note = small_batches_note(std::ssize(training), rows, settings.plan))
    plan.notes.push_back(*std::move(note));
  return plan;
}

}  // namespace

ShapeSettings shape_settings_of(const config::Config& config) {
  const config::DataConfig& data = config.data;
  ShapeSettings settings{.plan = {.batch_size = data.batch_size,
                                  .grad_accum = config.training.gradient_accumulation_steps,
                                  .max_signatures = data.shape_buckets},
                         .max_text_length = data.max_text_length,
                         .max_mel_frames = data.max_mel_frames};
  if (data.pad_to_fixed_length) {
    settings.mode = *data.pad_to_fixed_length ? ShapeMode::kFixed : ShapeMode::kDynamic;
  }
  return settings;
}

Lengths limits_of(const ShapeSettings& settings, std::span<const Lengths> training) {
  if (settings.mode != ShapeMode::kFixed) {
    return {settings.max_text_length.value_or(kNoLimit),
            settings.max_mel_frames.value_or(kNoLimit)};
  }
  return {settings.max_text_length.value_or(kFixedTextLength),
          settings.max_mel_frames.value_or(fixed_mel_frames(training))};
}

ShapePlan plan_run(const ShapeSettings& settings,
                   std::span<const Lengths> training,
                   std::span<const Lengths> validation) {
  const Lengths limits = limits_of(settings, training);
  if (const auto refusal = length_filter_refusal(limits, training)) throw UsageError(*refusal);
  const std::vector<Lengths> trained = kept(training, limits);
  const std::vector<Lengths> validated = kept(validation, limits);
  ShapePlan plan;
  switch (settings.mode) {
    case ShapeMode::kFixed:
      plan = fixed_plan(settings, limits, trained);
      break;
    case ShapeMode::kBuckets:
      plan = bucket_plan(settings, limits, trained, validated);
      break;
    case ShapeMode::kDynamic:
      plan = dynamic_plan(settings, limits, trained, validated);
      break;
  }
  if (const auto warning = length_filter_warning(limits, training))
    plan.notes.push_back("warning: " + *warning);
  return plan;
}

ShapePlan plan_waveforms(const config::Config& config, std::int64_t count) {
  const PlanSettings settings = shape_settings_of(config).plan;
  const std::int64_t rows = rows_of_one_signature(count, settings);
  const std::int64_t hops = config.model.vocoder_crop_frames;
  ShapePlan plan = fixed_shape_plan(
      {.batch = rows, .text = 0, .mel = hops + 1, .samples = hops * config.model.hop_length});
  if (auto note = small_batches_note(count, rows, settings)) plan.notes.push_back(*std::move(note));
  return plan;
}

}  // namespace myxtts::data
