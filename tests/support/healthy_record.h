// Test records of healthy training runs, and helpers to add noise and faults.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "rules/apply_rules.h"

namespace myxtts::support {

inline rules::Step healthy_step(double step_s, std::int64_t epoch = 0) {
  return {.step_s = step_s,
          .wait_s = 0.002 * step_s,
          .host_s = 0.01 * step_s,
          .buffer_depth = 50,
          .epoch = epoch,
          .signature = "16x120x640"};
}

// Four cores, two workers, one signature, everything measured; the model is busy 99 % of the time.
inline rules::Record healthy_record(std::size_t num_steps = 60) {
  rules::Record record;
  record.settings = {.shape_mode = "buckets",
                     .signatures = {{.batch = 16, .text = 120, .mel = 640, .share = 1.0}},
                     .batch_size = 16,
                     .grad_accum = 1,
                     .num_workers = 2,
                     .buffer = 50,
                     .cache = "auto",
                     .precision = "bf16",
                     .threads = 3,
                     .device = "cpu",
                     .mode = "single_buffered",
                     .model_cores = {1, 2, 3},
                     .data_cores = {0},
                     .loader_is_idle_priority = false,
                     .trim_silence = true,
                     .planned_epochs = 100,
                     .planned_steps = 20000};
  record.machine = {.cores = 4,
                    .usable_cores = 4,
                    .load_by_others = 0.1,
                    .total_memory_bytes = 16'000'000'000,
                    .free_memory_bytes = 9'000'000'000,
                    .cpu_features = {"avx2", "avx512_bf16"},
                    .disk_bytes_per_s = 5e8,
                    .open_s = 5e-5};
  record.corpus = {.utterances = 13100,
                   .hours = 24.0,
                   .mel_p50 = 560,
                   .mel_p95 = 620,
                   .mel_p99 = 630,
                   .mel_max = 640,
                   .text_p99 = 110,
                   .text_max = 120,
                   .bad_share = 0.001,
                   .silence_share = 0.03,
                   .longest_silence_s = 0.8,
                   .resampled_share = 0.0,
                   .encoded_share = 0.0,
                   .mean_file_bytes = 290'000.0};
  record.loading.stages = {{.name = "read", .cpu_s = 0.0002, .wall_s = 0.0006},
                           {.name = "decode", .cpu_s = 0.0004},
                           {.name = "prepare", .cpu_s = 0.002},
                           {.name = "mel", .cpu_s = 0.0005},
                           {.name = "pad", .cpu_s = 0.0001}};
  record.loading.preparation_s = 40.0;
  record.loading.text_restarts = 0;
  for (std::size_t i = 0; i < num_steps; ++i)
    record.steps.push_back(healthy_step(0.4, static_cast<std::int64_t>(i / 30)));
  record.cache = {.hits = 100'000, .misses = 0, .bytes = 2'000'000'000, .stopped = false};
  record.memory = {.resident_bytes = 3'000'000'000, .need_bytes = 4'000'000'000};
  record.model = {
      .parameters = 5'400'000, .multiply_adds = 4e10, .machine_multiply_adds_per_s = 3e11};
  return record;
}

// The largest variation among the steps of healthy runs.
struct Noise {
  double max_jitter = 0.10;  // std of a step over its median
  double max_first = 5.0;    // the first step over the median
};

// Adds the noise of healthy runs: jitter, outliers, a slow first step, loader pauses that empty the
// buffer, and waits for a core while batches are ready. Waits with an empty buffer stay below 4 %
// of the model's time; the rules' threshold is 5 %.
inline void make_noisy(std::vector<rules::Step>& steps, const Noise& limits, base::Random& random) {
  const auto between = [&random](double low, double high) {
    return low + (high - low) * random.unit();
  };
  const double jitter = between(0.005, limits.max_jitter);
  double wanted_s = 0.0;
  double starved_s = 0.0;
  std::vector<std::size_t> starved;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    rules::Step& step = steps[i];
    const double median_s = step.step_s;
    // A sum of three uniform values approximates a normal distribution; one step in 100 is an
    // outlier.
    const double noise = random.unit() + random.unit() + random.unit() - 1.5;
    const double outlier = random.below(100) == 0 ? between(1.0, 3.0) : 1.0;
    const double first = i == 0 ? between(1.0, limits.max_first) : 1.0;
    step.step_s = median_s * (1.0 + 2.0 * jitter * noise) * outlier * first;
    step.buffer_depth = random.below(20) == 0 ? 0 : static_cast<std::int64_t>(1 + random.below(50));
    step.wait_s = random.below(20) == 0 ? between(0.0, 0.3) * median_s : 1e-5;
    if (i > 0 && steps[i - 1].buffer_depth == 0) {
      step.wait_s = between(0.1, 1.0) * median_s;
      starved_s += *step.wait_s;
      starved.push_back(i);
    } else {
      wanted_s += *step.wait_s;
    }
    wanted_s += step.step_s;
  }
  const double max_starved_s = between(0.0, 0.04) / 0.96 * wanted_s;
  for (const std::size_t i : starved)
    *steps[i].wait_s *= std::min(1.0, max_starved_s / starved_s);
}

// A healthy record with random machine, settings, lengths, validations and noisy steps.
inline rules::Record noisy_healthy_record(std::uint64_t seed) {
  base::Random random(seed);
  const auto between = [&random](double low, double high) {
    return low + (high - low) * random.unit();
  };
  rules::Record record = healthy_record(0);
  const std::int64_t cores = 2 + static_cast<std::int64_t>(random.below(31));
  record.machine.cores = cores;
  record.machine.usable_cores = cores;
  record.machine.load_by_others = between(0.0, 0.2) * static_cast<double>(cores);
  record.settings.threads = cores >= 4 ? cores - cores / 4 : cores;
  record.settings.num_workers = std::max<std::int64_t>(1, cores / 4);
  record.settings.loader_is_idle_priority = cores < 4;
  record.settings.model_cores = {0, 1};
  record.settings.data_cores =
      cores < 4 ? std::vector<std::int64_t>{0, 1} : std::vector<std::int64_t>{2};
  const bool has_bf16 = random.below(2) == 0;
  record.machine.cpu_features =
      has_bf16 ? std::vector<std::string>{"avx2", "avx512_bf16"} : std::vector<std::string>{"avx2"};
  record.settings.precision = has_bf16 ? "bf16" : "fp32";
  record.settings.cache = std::vector<std::string>{"auto", "ram", "disk"}[random.below(3)];
  record.corpus.bad_share = between(0.0, 0.008);
  record.corpus.silence_share = between(0.0, 0.12);
  record.corpus.resampled_share = between(0.0, 1.0);  // harmless if loading keeps up
  record.corpus.encoded_share = between(0.0, 1.0);
  record.loading.text_restarts = static_cast<std::int64_t>(random.below(3));
  record.cache.misses = static_cast<std::int64_t>(random.below(500));
  record.machine.free_memory_bytes = static_cast<std::int64_t>(between(0.2, 0.8) * 16e9);

  const std::size_t num_signatures = 1 + random.below(8);
  record.settings.shape_mode = num_signatures == 1 ? "fixed" : "buckets";
  record.settings.signatures.clear();
  for (std::size_t i = 0; i < num_signatures; ++i) {
    const auto mel = static_cast<std::int64_t>(640 * (i + 1) / num_signatures);
    record.settings.signatures.push_back({.batch = 16 * 640 / std::max<std::int64_t>(mel, 160),
                                          .text = mel / 5,
                                          .mel = mel,
                                          .share = 1.0 / static_cast<double>(num_signatures)});
  }
  const double median_s = std::exp(between(std::log(0.02), std::log(2.0)));
  const std::size_t num_steps = 10 + random.below(300);
  for (std::size_t i = 0; i < num_steps; ++i) {
    const rules::Shape& shape = record.settings.signatures[random.below(num_signatures)];
    rules::Step step = healthy_step(median_s, static_cast<std::int64_t>(i / 40));
    step.host_s = i % 50 == 49 ? 10.0 * median_s : between(0.001, 0.05) * median_s;
    step.signature = std::to_string(shape.batch) + "x" + std::to_string(shape.text) + "x" +
                     std::to_string(shape.mel);
    record.steps.push_back(step);
  }
  make_noisy(record.steps, {}, random);
  record.model.multiply_adds = between(0.1, 0.6) * 3e11 * median_s;
  record.loading.preparation_s = between(0.0, 0.15) * median_s * 20000;
  return record;
}

// Adds the variation between two measurements of the same run.
inline rules::Record noisy_record(rules::Record record, std::uint64_t seed) {
  base::Random random(seed);
  const double slower = 0.7 + 0.6 * random.unit();
  for (rules::Step& step : record.steps) {
    step.step_s *= slower;
    if (step.host_s) *step.host_s *= 0.7 + 0.6 * random.unit();
  }
  // A measured run already has jitter, and its first step is not part of the record.
  make_noisy(record.steps, {.max_jitter = 0.05, .max_first = 1.0}, random);
  record.machine.load_by_others =
      0.2 * random.unit() * static_cast<double>(record.machine.usable_cores.value_or(1));
  return record;
}

inline bool found(const rules::Findings& findings, std::string_view id) {
  return std::ranges::find(findings, id, &rules::Finding::id) != findings.end();
}

// Returns ids and messages of the findings, for test failures.
inline std::string ids_in(const rules::Findings& findings) {
  std::string ids;
  for (const rules::Finding& finding : findings)
    ids += finding.id + ": " + finding.message + "\n";
  return ids;
}

// Makes the model wait for data for that share of its time.
inline void starve(rules::Record& record, double wait_share) {
  for (rules::Step& step : record.steps) {
    step.wait_s = step.step_s * wait_share / (1.0 - wait_share);
    step.buffer_depth = 0;
  }
}

}  // namespace myxtts::support
